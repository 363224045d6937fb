/*
 * What may cross the proxy, by name. A caller's session, key and the way he came stay here; a stranger's answer must
 * neither act on our own origin nor give orders to a server that stands in front of us.
 */

/** What a request says of its body, of the answer it wants, and of what it has already. */
const ASKED = new Set([
  ...['accept', 'accept-language', 'content-type', 'content-language', 'content-disposition', 'user-agent'],
  ...['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
  ...['prefer', 'idempotency-key', 'soapaction', 'date'],
])

/** Services choose versions and previews by headers of their own, and have others that begin with `x-`. */
const ASKED_FAMILIES = /^([a-z][a-z0-9-]*-(version|beta)|x-[a-z0-9-]+)$/

/** The caller's key, wherever he put it, the traces of the way he came, and what an agent says of its session. */
const PRIVATE =
  /^x-(api-key|goog-api-key|auth-(key|token)|access-token|csrf-token|real-ip|client-ip|cluster-client-ip|original-|forwarded-|envoy-|accel-|sendfile|amzn-trace|request-id|claude-code-|codex-)/

/** What an answer says of its body, where there is more, and how often one may ask. */
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

/** What `connection` names belongs to one connection only. */
function only(headers: Headers, isKept: (name: string) => boolean) {
  const named = new Set((headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase()))
  return new Headers([...headers].filter(([name]) => isKept(name) && !named.has(name)))
}
