import { CONSOLE_HEADER } from '@tollgate/contract'

/**
 * The console may be served from another origin if the operator configured it. Only those origins get CORS headers; everyone
 * else gets none, which means "same origin only".
 */
export const allowConsoleOrigin = (headers: Headers, origin: string | null, allowed: readonly string[]) => {
  if (origin === null || !allowed.includes(origin)) return
  headers.set('access-control-allow-origin', origin)
  headers.set('access-control-allow-credentials', 'true')
  headers.set(
    'access-control-expose-headers',
    'x-total-count, x-total-more, x-request-id, retry-after, idempotent-replayed',
  )
  headers.set('cross-origin-resource-policy', 'cross-origin')
  headers.append('vary', 'origin')
}

export const preflight = (headers: Headers) => {
  headers.set('access-control-allow-methods', 'GET, POST, PUT, DELETE')
  const allowed = `content-type, accept-language, authorization, idempotency-key, ${CONSOLE_HEADER}`
  headers.set('access-control-allow-headers', allowed)
  headers.set('access-control-max-age', '600')
  return new Response(null, { status: 204, headers })
}
