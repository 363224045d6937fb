import { isSameSecret } from '../security/same-secret.ts'
import { EXPOSITION_TYPE } from './exposition.ts'

/** Without the setting, and on the port of the console if metrics have their own: its page would look like broken metrics. */
export const noMetrics = () =>
  new Response('There are no metrics here: see METRICS_TOKEN and METRICS_PORT in the guide\n', { status: 404 })

/** The answer to a scraper: the metrics, or nothing without the token. */
export const metricsAnswer = (request: Request, token: string | undefined, text: () => string): Response => {
  const presented = request.headers.get('authorization')?.replace(/^Bearer\s+/i, '') ?? ''
  if (token !== undefined && !isSameSecret(presented, token)) {
    return new Response('A bearer token is needed\n', { status: 401, headers: { 'www-authenticate': 'Bearer' } })
  }
  if (request.method !== 'GET') return new Response(null, { status: 405, headers: { allow: 'GET' } })
  return new Response(text(), { headers: { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' } })
}
