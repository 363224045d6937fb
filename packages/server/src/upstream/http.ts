import { isIP } from 'node:net'
import { GatewayError } from '../errors.ts'
import { type AddressPolicy, withoutFinalDot } from './addresses.ts'
import { type CheckedHosts, createCheckedHosts } from './checked-hosts.ts'
import { readText } from './read-text.ts'

export interface OutboundRequest {
  policy: AddressPolicy
  method?: string
  headers?: HeadersInit
  body?: BodyInit
  signal?: AbortSignal
  /** Time until the headers are here; with `text`, until the body is. */
  timeoutMs?: number
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

  async function open(url: URL, options: OutboundRequest, signal: AbortSignal) {
    const found = hosts(hostOf(url), options.policy)
    const addresses = found instanceof Promise ? await orAborted(found, signal) : found
    const init = { ...wire(url, options, ca), signal }
    // A streamed body can be read only once, so it has one try.
    const tries = options.body instanceof ReadableStream ? addresses.slice(0, 1) : addresses
    for (const [index, address] of tries.entries()) {
      try {
        return refuseRedirect(await session.fetch(pinned(url, address), init))
      } catch (error) {
        if (index === tries.length - 1 || !NOTHING_WAS_SENT.has(codeOf(error))) throw error
      }
    }
    throw new Fault('no address')
  }

  async function within<T>(target: string | URL, options: OutboundRequest, work: Work<T>) {
    const url = plainUrl(target)
    const timer = new AbortController()
    const alarm = setTimeout(() => timer.abort(new Fault('time-out')), options.timeoutMs ?? timeoutMs)
    const signal = options.signal === undefined ? timer.signal : AbortSignal.any([options.signal, timer.signal])
    try {
      return await work(url, signal)
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason
      throw error instanceof GatewayError ? error : failure(url, error)
    } finally {
      clearTimeout(alarm)
    }
  }

  return {
    request: (target, options) => within(target, options, (url, signal) => open(url, options, signal)),
    text: (target, options) =>
      within(target, options, async (url, signal) => {
        const response = await open(url, options, signal)
        const maxBytes = options.maxBytes ?? BODY_MAX_BYTES
        const text = await readText(response, maxBytes)
        if (text === undefined) throw new Fault(`the answer is longer than ${maxBytes} bytes`)
        return { status: response.status, text }
      }),
  }
}

type Work<T> = (url: URL, signal: AbortSignal) => Promise<T>

function plainUrl(target: string | URL) {
  const url = URL.parse(target)
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return url
  throw new GatewayError('outbound.refused_address', {}, { cause: new Error('not a plain http or https URL') })
}

const hostOf = (url: URL) => withoutFinalDot(url.hostname.replace(/^\[|\]$/g, ''))

function pinned(url: URL, address: string) {
  const host = isIP(address) === 6 ? `[${address}]` : address
  return `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}${url.pathname}${url.search}`
}

function wire(url: URL, { method, headers, body }: OutboundRequest, ca: string | undefined): BunFetchRequestInit {
  const sent = new Headers(headers)
  sent.set('host', url.host)
  sent.delete('cookie')
  if (!sent.has('user-agent')) sent.set('user-agent', 'Tollgate')
  return {
    ...(method !== undefined && { method }),
    ...(body !== undefined && { body }),
    headers: sent,
    redirect: 'manual',
    // Our timer ends a silent server; the runtime's would cut a model that thinks for more than five minutes.
    timeout: false,
    ...(url.protocol === 'https:' && { tls: identity(hostOf(url), ca) }),
  }
}

function identity(host: string, ca: string | undefined) {
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
class Fault extends Error {}

function failure(url: URL, error: unknown) {
  const reason = error instanceof Fault ? error.message : codeOf(error)
  return new GatewayError('outbound.failed', {}, { cause: new Error(`${url.origin}: ${reason}`) })
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'failed'

function orAborted<T>(work: Promise<T>, signal: AbortSignal) {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
