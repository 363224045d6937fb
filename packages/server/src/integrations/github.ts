import { z } from 'zod'
import { at, type ExternalServices } from './addresses.ts'
import { refusedBy, signingIn } from './oauth-service.ts'
import { read, remoteJson } from './remote-json.ts'

export interface GitHubIdentity {
  /** The numeric id, which survives a renamed login. */
  id: string
  login: string
  name: string
  /** A verified address, or empty. */
  email: string
}

export type GitHub = ReturnType<typeof createGitHub>

const Token = z.object({ access_token: z.string().min(1) })
const TokenRefusal = z.object({ error: z.string().regex(/^[a-z_]{1,50}$/) })
const User = z.object({
  id: z.int().positive(),
  login: z.string().min(1),
  name: z.string().nullish(),
  email: z.string().nullish(),
})
const Emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

export function createGitHub({ http, addresses }: ExternalServices) {
  /** GitHub answers 200 for a wrong code too, with `error` in place of the token. */
  async function token(credentials: { clientId: string; clientSecret: string; code: string }) {
    const { json } = await remoteJson(http, at(addresses.github, '/login/oauth/access_token'), {
      method: 'POST',
      body: { client_id: credentials.clientId, client_secret: credentials.clientSecret, code: credentials.code },
    })
    const granted = read(Token, json)
    if (granted === undefined) throw refusedBy('GitHub', read(TokenRefusal, json)?.error ?? 'no access token')
    return granted.access_token
  }

  const ask = (path: string, accessToken: string) =>
    remoteJson(http, at(addresses.githubApi, path), {
      headers: { accept: 'application/vnd.github+json', authorization: `Bearer ${accessToken}` },
    })

  /** Without the scope `user:email` GitHub answers 403 or 404: then there is no address, which is fine. */
  async function primaryEmail(accessToken: string) {
    const { json } = await ask('/user/emails', accessToken)
    return read(Emails, json)?.find((entry) => entry.primary && entry.verified)?.email ?? ''
  }

  return {
    identify: (credentials: { clientId: string; clientSecret: string; code: string }): Promise<GitHubIdentity> =>
      signingIn('GitHub', async () => {
        const accessToken = await token(credentials)
        const { status, json } = await ask('/user', accessToken)
        const user = read(User, json)
        if (user === undefined) throw refusedBy('GitHub', `no user (HTTP ${status})`)
        // Only a verified address can be made public on GitHub.
        const email = user.email || (await primaryEmail(accessToken))
        return { id: String(user.id), login: user.login, name: user.name ?? '', email }
      }),
  }
}
