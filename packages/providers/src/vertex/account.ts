import { z } from 'zod'
import { failureOf, VendorError } from '../failure.ts'
import { parseVendor } from '../json.ts'
import type { Token } from '../provider.ts'
import type { Access, UpstreamRequest } from '../upstream-request.ts'

/** Google's credential types: a service account, or a user's login. */
const Account = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('service_account'),
    project_id: z.string().optional(),
    private_key_id: z.string().optional(),
    private_key: z.string().min(1),
    client_email: z.string().min(1),
    token_uri: z.url().default('https://oauth2.googleapis.com/token'),
  }),
  z.looseObject({
    type: z.literal('authorized_user'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    refresh_token: z.string().min(1),
    quota_project_id: z.string().optional(),
  }),
])

type Account = z.infer<typeof Account>

/** From the channel's field, or from the key if it was entered there. */
export function accountOf({ config, key }: Access): Account {
  const text = config.vertex_ai_adc || key
  try {
    return Account.parse(JSON.parse(text))
  } catch (cause) {
    // The cause may quote the text, which is a secret: it stays out of the message.
    throw new VendorError(
      failureOf('auth', "This channel's Google credentials are not the JSON of a service account", {
        code: 'malformed_key',
      }),
      { cause },
    )
  }
}

const LIFETIME_SEC = 3600

/** Requests a token: with a signed assertion for a service account, with the refresh token for a user. */
export async function tokenRequest(access: Access, nowMs: number): Promise<UpstreamRequest> {
  const account = accountOf(access)
  if (account.type === 'authorized_user') {
    const { client_id, client_secret, refresh_token } = account
    const fields = { grant_type: 'refresh_token', client_id, client_secret, refresh_token }
    return form('https://oauth2.googleapis.com/token', fields)
  }
  const assertion = await statement(account, Math.floor(nowMs / 1000))
  return form(account.token_uri, { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
}

async function statement(account: Extract<Account, { type: 'service_account' }>, nowSec: number) {
  // Loaded on first use: most gateways never sign, and every start would pay for it.
  const { importPKCS8, SignJWT } = await import('jose')
  const key = await importPKCS8(account.private_key, 'RS256').catch((cause) => {
    const failure = failureOf('auth', "The private key of this channel's service account can not be read", {
      code: 'malformed_key',
    })
    throw new VendorError(failure, { cause })
  })
  const kid = account.private_key_id
  return new SignJWT({ scope: 'https://www.googleapis.com/auth/cloud-platform' })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(kid === undefined ? {} : { kid }) })
    .setIssuer(account.client_email)
    .setAudience(account.token_uri)
    .setIssuedAt(nowSec)
    .setExpirationTime(nowSec + LIFETIME_SEC)
    .sign(key)
}

const form = (url: string, fields: Record<string, string>): UpstreamRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
})

const Granted = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().default(LIFETIME_SEC) })

export function readToken(body: unknown): Token {
  const { access_token, expires_in } = parseVendor(Granted, body)
  return { token: access_token, expiresInSec: expires_in }
}
