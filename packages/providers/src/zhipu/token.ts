import { malformedKey } from '../key-parts.ts'
import type { Token } from '../provider.ts'
import type { Access } from '../upstream-request.ts'

const LIFETIME_SEC = 3600

/**
 * The key is `id.secret`; what the vendor wants to see is a token that the secret has signed. Its times are in
 * milliseconds, against the habit of such tokens.
 */
export async function mint({ key }: Access, nowMs: number): Promise<Token> {
  const [id = '', secret = '', ...more] = key.trim().split('.')
  if (id === '' || secret === '' || more.length > 0) throw malformedKey('Zhipu', 'id.secret')
  // Loaded when somebody signs: most gateways never do, and every start would pay for it.
  const { SignJWT } = await import('jose')
  const token = await new SignJWT({ api_key: id, exp: nowMs + LIFETIME_SEC * 1000, timestamp: nowMs })
    .setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN' })
    .sign(new TextEncoder().encode(secret))
  return { token, expiresInSec: LIFETIME_SEC }
}
