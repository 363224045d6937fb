import { isSameSecret } from '../security/same-secret.ts'
import { EXPOSITION_TYPE } from './exposition.ts'

/** The answer to a scraper: the metrics, or nothing without the token. */
export const metricsAnswer = (request: Request, token: string | undefined, text: () => string): Response => {
  const presented = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? ''
  if (token !== undefined && !isSameSecret(presented, token)) {
    return new Response('A bearer token is needed\n', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  }
  if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
  return new Response(text(), { headers: { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' } })
}
