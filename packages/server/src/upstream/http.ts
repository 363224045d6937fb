import { isIP } from 'node:net'
import { bareHost } from '@tollgate/contract'
import type { NetworkProxy } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import { type AddressPolicy, withoutFinalDot } from './addresses.ts'
import { type CheckedHosts, createCheckedHosts } from './checked-hosts.ts'
import { decompressed } from './decompressed.ts'
import { codeOf, Fault, ProtocolError, ProxyFault } from './fault.ts'
import { createConnections } from './http1/connections.ts'
import type { HeaderLines } from './http1/header-lines.ts'
import type { RequestBody, WireRequest } from './http1/request-head.ts'
import { createCheckedName } from './proxy/checked-name.ts'
import type { CheckedProxy } from './proxy/checked-proxy.ts'
import { type Reply, readText } from './reply.ts'

export interface OutboundRequest {
  policy: AddressPolicy
  method?: string
  headers?: Headers | Record<string, string>
  body?: RequestBody | FormData
  signal?: AbortSignal
  /** Timeout for the headers; with `text`, for the whole body. False when only `signal` decides. */
  timeoutMs?: number | false
  /** Connect timeout per address, if not the default. */
  connectTimeoutMs?: number
  /** The proxy; without a direct fallback. */
  proxy?: NetworkProxy
  /** Redirects are answers, which the caller judges; otherwise they are failures. */
  redirects?: boolean
}

/** The server's only HTTP client for outgoing requests. Every failure is `outbound.refused_address` or `outbound.failed`. */
export interface Http {
  /** Resolves with the headers. From then on the body is the caller's, with `signal` to abort it. */
  request(url: string | URL, options: OutboundRequest): Promise<Reply>
  /** The whole answer. */
  text(url: string | URL, options: OutboundRequest & { maxBytes?: number }): Promise<TextReply>
}

export interface TextReply {
  status: number
  headers: HeaderLines
  text: string
}

interface HttpNeeds {
  hosts?: CheckedHosts
  timeoutMs?: number
  /** Certificates to trust instead of the system's. */
  ca?: string
  /** A connection idle for this long may be closed by the other side at any moment. */
  idleFromMs?: number
}

const BODY_MAX_BYTES = 1024 * 1024

/**
 * How a connection is pinned to the checked address: it is opened to that literal address; the name goes into the `Host` header and,
 * under TLS, into SNI and the certificate check. Open connections are kept apart by name, so one to the same address never serves
 * another name unchecked. With a channel's proxy, the proxy's own address is checked and pinned, and the name is checked as far as it
 * can be resolved here.
 */
export function createHttp({
  hosts = createCheckedHosts(),
  timeoutMs = 30_000,
  ca,
  idleFromMs = 1_000,
}: HttpNeeds = {}): Http {
  const connections = createConnections({ idleFromMs })
  const checkName = createCheckedName(hosts)

  const behindProxy = async ({ host }: Destination, { policy }: OutboundRequest) => {
    await checkName(host, policy)
    return [host]
  }

  async function open(to: Destination, options: OutboundRequest, signal: AbortSignal | undefined) {
    const found = options.proxy === undefined ? hosts(to.host, options.policy) : behindProxy(to, options)
    const addresses = found instanceof Promise ? await orAborted(found, signal) : found
    const hop = options.proxy === undefined ? undefined : await checkedProxy(options.proxy, { hosts, ca }, signal)
    signal?.throwIfAborted()
    const request = options.body instanceof FormData ? await withForm(to, options, options.body) : wired(to, options)
    const tls = to.scheme === 'https:' ? identity(to.host, ca) : undefined
    // A streamed body can be read only once, so it has one attempt.
    const last = request.body instanceof ReadableStream ? 0 : addresses.length - 1
    for (const [index, address] of addresses.entries()) {
      try {
        const place = { address, port: to.portNumber, tls, timeoutMs: options.connectTimeoutMs, hop }
        const reply = await connections.ask(place, to.origin, request, signal)
        return decompressed(options.redirects ? reply : refuseRedirect(reply))
      } catch (error) {
        if (index === last || !NOTHING_WAS_SENT.has(codeOf(error))) throw error
      }
    }
    throw new Fault('no address')
  }

  async function within<T>(target: string | URL, options: OutboundRequest, work: Work<T>) {
    const to = destinationOf(target)
    const limit = options.timeoutMs === false ? undefined : timeLimit(options.timeoutMs ?? timeoutMs, options.signal)
    try {
      return await work(to, limit?.signal ?? options.signal)
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason
      throw error instanceof GatewayError ? error : failure(to, error)
    } finally {
      limit?.lift()
    }
  }

  return {
    request: (target, options) => within(target, options, (to, signal) => open(to, options, signal)),
    text: (target, options) =>
      within(target, options, async (to, signal) => {
        const reply = await open(to, options, signal)
        const maxBytes = options.maxBytes ?? BODY_MAX_BYTES
        const text = await readText(reply, maxBytes)
        if (text === undefined) throw new Fault(`the answer is longer than ${maxBytes} bytes`)
        return { status: reply.status, headers: reply.headers, text }
      }),
  }
}

type Work<T> = (to: Destination, signal: AbortSignal | undefined) => Promise<T>

/** A signal that also aborts after a timeout. */
export function timeLimit(ms: number, signal: AbortSignal | undefined) {
  const timer = new AbortController()
  const alarm = setTimeout(() => timer.abort(new Fault('time-out')), ms)
  return {
    signal: signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]),
    lift: () => clearTimeout(alarm),
  }
}

/** A parsed URL: most calls go to the same few, and parsing is expensive. */
export interface Destination {
  origin: string
  scheme: 'http:' | 'https:' | 'ws:' | 'wss:'
  /** Without brackets, as a resolver expects it. */
  host: string
  /** For the `Host` header. */
  authority: string
  port: string
  portNumber: number
  path: string
}

const known = new Map<string, Destination>()
const KNOWN_MAX = 1_000

function destinationOf(target: string | URL): Destination {
  const text = typeof target === 'string' ? target : target.href
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const to = parseDestination(text)
  // A query may contain a signature or a key, so it is not cached.
  if (!text.includes('?')) {
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, to)
  }
  return to
}

export function parseDestination(text: string, kind: 'http' | 'ws' = 'http'): Destination {
  const url = URL.parse(text)
  const scheme = url?.protocol === `${kind}s:` ? (`${kind}s:` as const) : (`${kind}:` as const)
  if (url === null || url.protocol !== scheme || url.username !== '' || url.password !== '') {
    const cause = new Error(`not a plain ${kind} or ${kind}s URL`)
    throw new GatewayError('outbound.refused_address', {}, { cause })
  }
  return {
    origin: url.origin,
    scheme,
    host: withoutFinalDot(bareHost(url)),
    authority: url.host,
    port: url.port === '' ? '' : `:${url.port}`,
    portNumber: url.port === '' ? (scheme.endsWith('s:') ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
  }
}

/** A proxy, with its checked addresses. */
export const checkedProxy = async (
  proxy: NetworkProxy,
  { hosts, ca }: { hosts: CheckedHosts; ca: string | undefined },
  signal: AbortSignal | undefined,
): Promise<CheckedProxy> => ({
  ...proxy,
  addresses: await orAborted(Promise.resolve(hosts(proxy.host, 'admin')), signal),
  tls: proxy.scheme === 'https' ? identity(proxy.host, ca) : undefined,
  key: JSON.stringify(proxy),
})

export const pinned = ({ scheme, port, path }: Destination, address: string) =>
  `${scheme}//${isIP(address) === 6 ? `[${address}]` : address}${port}${path}`

function wired(to: Destination, { method = 'GET', headers, body }: OutboundRequest): WireRequest {
  const sent = sentHeaders(headers, to.authority)
  sent.accept ??= '*/*'
  // Compression saves nothing between data centres, and delays streams.
  sent['accept-encoding'] = 'identity'
  return { method, path: to.path, headers: sent, body: body instanceof FormData ? undefined : body }
}

/** A form sets its own boundary. */
async function withForm(to: Destination, options: OutboundRequest, form: FormData): Promise<WireRequest> {
  const packed = new Response(form)
  const type = packed.headers.get('content-type') ?? ''
  const { headers, ...request } = wired(to, options)
  return { ...request, headers: { ...headers, 'content-type': type }, body: await packed.bytes() }
}

export function sentHeaders(headers: OutboundRequest['headers'] = {}, authority: string) {
  const sent: Record<string, string> = { 'user-agent': 'Tollgate' }
  const given = Symbol.iterator in headers ? headers : Object.entries(headers)
  for (const [name = '', value = ''] of given) sent[name.toLowerCase()] = value
  for (const name of NOT_FORWARDED) delete sent[name]
  sent.host = authority
  return sent
}

/** Hop-by-hop headers and others that must not be forwarded. */
const NOT_FORWARDED = ['cookie', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect', 'upgrade']

export function identity(host: string, ca: string | undefined) {
  return {
    rejectUnauthorized: true, // also where NODE_TLS_REJECT_UNAUTHORIZED=0 is in the environment
    ...(isIP(host) === 0 && { serverName: host }),
    ...(ca !== undefined && { ca }),
  }
}

/** Following it would send the caller's secrets to an unconfigured host. */
function refuseRedirect(reply: Reply) {
  if (reply.status < 300 || reply.status > 399) return reply
  reply.cancel()
  throw new Fault(`answered with a redirect (${reply.status})`)
}

/** The next address may be tried only if the first has not received a byte of the request. */
const NOTHING_WAS_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ETIMEDOUT'])

export function failure({ origin }: Destination, error: unknown) {
  const reason = error instanceof Fault ? error.message : codeOf(error)
  const known = error instanceof ProtocolError || error instanceof ProxyFault ? { cause: error } : {}
  return new GatewayError('outbound.failed', {}, { cause: new Error(`${origin}: ${reason}`, known) })
}

export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined) {
  if (signal === undefined) return work
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
