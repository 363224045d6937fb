/*
 * The headers that may pass the proxy, by name. A caller's session, key and network path stay here; a foreign answer must
 * neither act on our own origin nor control a server in front of us.
 */

/** Content, content negotiation and conditional requests. */
const ASKED = new Set([
  ...['accept', 'accept-language', 'content-type', 'content-language', 'content-disposition', 'user-agent'],
  ...['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
  ...['prefer', 'idempotency-key', 'soapaction', 'date'],
])

/** Services select versions and previews by headers of their own, and others begin with `x-`. */
const ASKED_FAMILIES = /^([a-z][a-z0-9-]*-(version|beta)|x-[a-z0-9-]+)$/

/** The caller's key in any header, forwarding headers, and agents' session headers. */
const PRIVATE =
  /^x-(api-key|goog-api-key|auth-(key|token)|access-token|csrf-token|real-ip|client-ip|cluster-client-ip|original-|forwarded-|envoy-|accel-|sendfile|amzn-trace|request-id|claude-code-|codex-)/

/** Content, pagination and rate limits. */
const ANSWERED = new Set([
  ...['content-type', 'content-language', 'content-disposition', 'content-range', 'accept-ranges'],
  ...['etag', 'last-modified', 'retry-after', 'allow', 'location', 'link', 'ratelimit', 'ratelimit-policy'],
  ...[
    'x-request-id',
    'x-total',
    'x-total-count',
    'x-total-pages',
    'x-page',
    'x-per-page',
    'x-next-page',
    'x-prev-page',
  ],
])
const ANSWERED_FAMILIES = /^(x-)?ratelimit-[a-z0-9-]{1,40}$/

export const callersHeaders = (headers: Headers) =>
  only(headers, (name) => ASKED.has(name) || (ASKED_FAMILIES.test(name) && !PRIVATE.test(name)))

export const vendorsHeaders = (headers: Headers) =>
  only(headers, (name) => ANSWERED.has(name) || ANSWERED_FAMILIES.test(name))

/** Headers named in `connection` belong to one connection only. */
function only(headers: Headers, isKept: (name: string) => boolean) {
  const named = new Set((headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return new Headers([...headers].filter(([name]) => isKept(name) && !named.has(name)))
}
