import { GatewayError } from '../errors.ts'

/**
 * Refuses what a page of another site made the browser send. Browsers say where a request comes from in
 * `Sec-Fetch-Site` and `Origin`; programs send neither and have no user's cookie that could be abused. The cookie
 * itself is `SameSite=Strict`, so that on old browsers and plain http nothing from elsewhere carries it.
 */
export const refuseForeignPage = (headers: Headers, origin: string, allowedOrigins: readonly string[]) => {
  const from = headers.get('origin')
  if (from !== null && allowedOrigins.includes(from)) return
  if (from !== null && hostOf(from) !== hostOf(origin)) throw new GatewayError('session.foreign_page')
  const site = headers.get('sec-fetch-site')
  if (site !== null && site !== 'same-origin') throw new GatewayError('session.foreign_page')
  if (headers.get('sec-purpose')?.includes('prefetch')) throw new GatewayError('session.foreign_page')
}

/** Compared without the scheme: a proxy may have ended TLS, so that we see http where the browser sees https. */
function hostOf(origin: string) {
  return URL.canParse(origin) ? new URL(origin).host : origin
}
