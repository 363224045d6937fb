import { isIP } from 'node:net'
import { GatewayError } from '../errors.ts'
import { type AddressPolicy, withoutFinalDot } from './addresses.ts'
import { type CheckedHosts, createCheckedHosts } from './checked-hosts.ts'
import { readText } from './read-text.ts'

export interface OutboundRequest {
  policy: AddressPolicy
  method?: string
  headers?: Headers | Record<string, string>
  body?: BodyInit
  signal?: AbortSignal
  /** Time until the headers are here; with `text`, until the body is. False where `signal` alone decides. */
  timeoutMs?: number | false
}

/** The server's only way out. Every failure is `outbound.refused_address` or `outbound.failed`. */
export interface Http {
  /** The answer as soon as its headers are here. From then on the body is the caller's, with `signal` to end it. */
  request(url: string | URL, options: OutboundRequest): Promise<Response>
  /** The whole answer, for those who read it at once. */
  text(url: string | URL, options: OutboundRequest & { maxBytes?: number }): Promise<{ status: number; text: string }>
}

interface HttpNeeds {
  hosts?: CheckedHosts
  timeoutMs?: number
  /** Certificates to trust instead of the system's. */
  ca?: string
}

const BODY_MAX_BYTES = 1024 * 1024

/**
 * How a connection is tied to the checked address: `fetch` gets a URL with the literal address; the name goes into
 * the `Host` header and into `tls.serverName`, which is both the SNI and the name the certificate must carry. Bun
 * keeps warm connections apart by that name, so one to the same address never serves another name unchecked.
 */
export function createHttp({ hosts = createCheckedHosts(), timeoutMs = 30_000, ca }: HttpNeeds = {}): Http {
  // A proxy from the environment would resolve and connect in our place, past the check.
  const session = new Bun.FetchSession({ proxy: false })

  async function open(to: Destination, options: OutboundRequest, signal: AbortSignal | undefined) {
    const found = hosts(to.host, options.policy)
    const addresses = found instanceof Promise ? await orAborted(found, signal) : found
    const init = wire(to, options, signal, ca)
    // A streamed body can be read only once, so it has one try.
    const last = options.body instanceof ReadableStream ? 0 : addresses.length - 1
    for (const [index, address] of addresses.entries()) {
      try {
        return refuseRedirect(await session.fetch(pinned(to, address), init))
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
        const response = await open(to, options, signal)
        const maxBytes = options.maxBytes ?? BODY_MAX_BYTES
        const text = await readText(response, maxBytes)
        if (text === undefined) throw new Fault(`the answer is longer than ${maxBytes} bytes`)
        return { status: response.status, text }
      }),
  }
}

type Work<T> = (to: Destination, signal: AbortSignal | undefined) => Promise<T>

/** A signal that is also aborted when the time is up. */
export function timeLimit(ms: number, signal: AbortSignal | undefined) {
  const timer = new AbortController()
  const alarm = setTimeout(() => timer.abort(new Fault('time-out')), ms)
  return {
    signal: signal === undefined ? timer.signal : AbortSignal.any([signal, timer.signal]),
    lift: () => clearTimeout(alarm),
  }
}

/** A URL taken apart: most calls go to the same few, and parsing is dear. */
export interface Destination {
  origin: string
  scheme: 'http:' | 'https:' | 'ws:' | 'wss:'
  /** Bare, as a resolver wants it. */
  host: string
  /** As the `Host` header has it. */
  authority: string
  port: string
  path: string
}

const known = new Map<string, Destination>()
const KNOWN_MAX = 1_000

function destinationOf(target: string | URL): Destination {
  const text = typeof target === 'string' ? target : target.href
  const kept = known.get(text)
  if (kept !== undefined) return kept
  const to = takenApart(text)
  // A query may carry a signature or a key: it is neither used twice nor to be kept.
  if (!text.includes('?')) {
    if (known.size >= KNOWN_MAX) known.clear()
    known.set(text, to)
  }
  return to
}

export function takenApart(text: string, kind: 'http' | 'ws' = 'http'): Destination {
  const url = URL.parse(text)
  const scheme = url?.protocol === `${kind}s:` ? (`${kind}s:` as const) : (`${kind}:` as const)
  if (url === null || url.protocol !== scheme || url.username !== '' || url.password !== '') {
    const cause = new Error(`not a plain ${kind} or ${kind}s URL`)
    throw new GatewayError('outbound.refused_address', {}, { cause })
  }
  return {
    origin: url.origin,
    scheme,
    host: withoutFinalDot(url.hostname.replace(/^\[|\]$/g, '')),
    authority: url.host,
    port: url.port === '' ? '' : `:${url.port}`,
    path: url.pathname + url.search,
  }
}

export const pinned = ({ scheme, port, path }: Destination, address: string) =>
  `${scheme}//${isIP(address) === 6 ? `[${address}]` : address}${port}${path}`

function wire(
  to: Destination,
  { method, headers, body }: OutboundRequest,
  signal: AbortSignal | undefined,
  ca: string | undefined,
): BunFetchRequestInit {
  return {
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
    headers: sentHeaders(headers, to.authority),
    redirect: 'manual',
    // Our timer ends a silent server; the runtime's would cut a model that thinks for more than five minutes.
    timeout: false,
    ...(to.scheme === 'https:' && { tls: identity(to.host, ca) }),
  }
}

export function sentHeaders(headers: OutboundRequest['headers'] = {}, authority: string) {
  const sent: Record<string, string> = { 'user-agent': 'Tollgate' }
  const given = Symbol.iterator in headers ? headers : Object.entries(headers)
  for (const [name = '', value = ''] of given) sent[name.toLowerCase()] = value
  delete sent.cookie
  sent.host = authority
  return sent
}

export function identity(host: string, ca: string | undefined) {
  return {
    rejectUnauthorized: true, // also where NODE_TLS_REJECT_UNAUTHORIZED=0 is in the environment
    ...(isIP(host) === 0 && { serverName: host }),
    ...(ca !== undefined && { ca }),
  }
}

/** Following it would carry the caller's secrets to a place that nobody configured. */
function refuseRedirect(response: Response) {
  if (response.status < 300 || response.status > 399) return response
  void response.body?.cancel()
  throw new Fault(`answered with a redirect (${response.status})`)
}

/** The next address may be tried only when the first has not seen a byte of the request. */
const NOTHING_WAS_SENT = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])

/** A failure in our own words. The runtime's texts repeat the whole URL, and some services take a key in the query. */
export class Fault extends Error {}

export function failure({ origin }: Destination, error: unknown) {
  const reason = error instanceof Fault ? error.message : codeOf(error)
  return new GatewayError('outbound.failed', {}, { cause: new Error(`${origin}: ${reason}`) })
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'

export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined) {
  if (signal === undefined) return work
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
