import { createHash, timingSafeEqual } from 'node:crypto'
import { EXPOSITION_TYPE } from './exposition.ts'

const hashed = (text: string) => createHash('sha256').update(text).digest()

/** The answer to a scraper: the metrics, or nothing without the token. */
export const metricsAnswer = (request: Request, token: string | undefined, text: () => string): Response => {
  const presented = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? ''
  if (token !== undefined && !timingSafeEqual(hashed(presented), hashed(token))) {
    return new Response('A bearer token is needed\n', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  }
  if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
  return new Response(text(), { headers: { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' } })
}
