/*
 * What may cross the proxy. Some headers belong to one connection only, some would hand the caller's session or key to a
 * stranger, and some would let a stranger act on our own origin.
 */

const CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
]

/** Both the caller's key, wherever he put it, and the traces of the way he came. */
const PRIVATE = [
  'host',
  'cookie',
  'authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'accept-encoding',
  'origin',
  'referer',
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'true-client-ip',
]
const PRIVATE_FAMILIES = /^(x-forwarded-|cf-|sec-fetch-|x-envoy-|fly-|fastly-)/

/** The body has been unpacked on the way, and cookies, site data and policies are ours to set on our origin. */
const FOREIGN = [
  'set-cookie',
  'set-cookie2',
  'content-encoding',
  'content-security-policy',
  'content-security-policy-report-only',
  'clear-site-data',
  'strict-transport-security',
  'service-worker-allowed',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
  'refresh',
]
const FOREIGN_FAMILIES = /^access-control-/

export const callersHeaders = (headers: Headers) => without(headers, [...CONNECTION, ...PRIVATE], PRIVATE_FAMILIES)

export const vendorsHeaders = (headers: Headers) => without(headers, [...CONNECTION, ...FOREIGN], FOREIGN_FAMILIES)

function without(headers: Headers, names: readonly string[], families: RegExp) {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase())
  const dropped = new Set([...names, ...named])
  return new Headers([...headers].filter(([name]) => !dropped.has(name) && !families.test(name)))
}
