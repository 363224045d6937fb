import { malformedKey } from '../key-parts.ts'
import type { Token } from '../provider.ts'
import type { Access } from '../upstream-request.ts'

const LIFETIME_SEC = 3600

/**
 * The key is `id.secret`; the vendor expects a JWT signed with the secret, with its times in milliseconds instead of the
 * usual seconds.
 */
export async function mint({ key }: Access, nowMs: number): Promise<Token> {
  const [id = '', secret = '', ...more] = key.trim().split('.')
  if (id === '' || secret === '' || more.length > 0) throw malformedKey('Zhipu', 'id.secret')
  // Loaded on first use: most gateways never sign, and every start would pay for it.
  const { SignJWT } = await import('jose')
  const token = await new SignJWT({ api_key: id, exp: nowMs + LIFETIME_SEC * 1000, timestamp: nowMs })
    .setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN' })
    .sign(new TextEncoder().encode(secret))
  return { token, expiresInSec: LIFETIME_SEC }
}
