import { z } from 'zod'
import { at, type ExternalServices } from './addresses.ts'
import { refusedBy, signingIn } from './oauth-service.ts'
import { read, remoteJson } from './remote-json.ts'

export interface LarkIdentity {
  /** The open_id: one person in one app. */
  id: string
  name: string
}

export type Lark = ReturnType<typeof createLark>

interface Credentials {
  appId: string
  appSecret: string
  code: string
  redirectUri: string
}

const Token = z.object({ access_token: z.string().min(1) })
const Refusal = z.object({ code: z.number() })
const User = z.object({ open_id: z.string().min(1), name: z.string().nullish() })

export function createLark({ http, addresses }: ExternalServices) {
  async function token({ appId, appSecret, code, redirectUri }: Credentials) {
    const { json } = await remoteJson(http, at(addresses.lark, '/open-apis/authen/v2/oauth/token'), {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: {
        grant_type: 'authorization_code',
        client_id: appId,
        client_secret: appSecret,
        code,
        redirect_uri: redirectUri,
      },
    })
    const granted = read(Token, json)
    if (granted === undefined) throw refusedBy('Lark', `no access token (code ${read(Refusal, json)?.code})`)
    return granted.access_token
  }

  return {
    identify: (credentials: Credentials): Promise<LarkIdentity> =>
      signingIn('Lark', async () => {
        const accessToken = await token(credentials)
        const { status, json } = await remoteJson(http, at(addresses.larkPassport, '/suite/passport/oauth/userinfo'), {
          headers: { authorization: `Bearer ${accessToken}` },
        })
        const user = read(User, json)
        if (user === undefined) throw refusedBy('Lark', `no user (HTTP ${status})`)
        return { id: user.open_id, name: user.name ?? '' }
      }),
  }
}
