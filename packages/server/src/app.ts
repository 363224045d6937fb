import { ENDPOINTS } from '@tollgate/contract'
import type { Clock } from './common/clock.ts'
import type { Config } from './common/config.ts'
import { GatewayError } from './common/errors.ts'
import type { Log } from './common/log.ts'
import { createRequestId } from './common/request-id.ts'
import type { Database } from './database/client.ts'
import { docsPage } from './docs/docs-page.ts'
import { createGuide } from './docs/guide.ts'
import { openApiDocument } from './docs/openapi.ts'
import { clientAddress, isTrustedAddress } from './http/client-address.ts'
import { createConsoleFiles } from './http/console-files.ts'
import { allowConsoleOrigin, preflight } from './http/cors.ts'
import { apiHeaders } from './http/headers.ts'
import { languageOf } from './http/language.ts'
import { renderError } from './http/render-error.ts'
import type { Incoming } from './http/serve.ts'
import { metricsAnswer, noMetrics } from './metrics/metrics-answer.ts'
import { defaultLanguage } from './options/default-language.ts'
import type { Parts } from './parts/parts.ts'
import type { Lifecycle } from './process/lifecycle.ts'
import { readiness } from './process/readiness.ts'
import type { RequestContext } from './relay/request-context.ts'

interface Needs {
  config: Config
  clock: Clock
  database: Database
  parts: Parts
  log: Log
  lifecycle: Lifecycle
  consoleFolder: string
  /** The folder with the guide and its images. */
  docsFolder: string
}

/** The client's connection. */
export interface Socket {
  address(): string
  /** Idle timeout in seconds from now on; 0 for none. */
  setIdleTimeout(seconds: number): void
  upgrade: RequestContext['upgrade']
}

export interface App {
  /** Undefined when the request has become a WebSocket. */
  fetch(request: Request, socket: Socket): Promise<Response | undefined>
}

/** Dispatches a request to the management API, the documentation, the health checks or the console. */
export const createApp = ({
  config,
  clock,
  database,
  parts,
  log,
  lifecycle,
  consoleFolder,
  docsFolder,
}: Needs): App => {
  refuseGaps(parts)
  const consoleFiles = createConsoleFiles(consoleFolder, {
    looksForReleases: config.releasesRepository !== '',
    languageFor(request) {
      const value = parts.options.values()
      if (value.DefaultLocale !== 'browser') return defaultLanguage(value)
      return languageOf(request.headers.get('accept-language'))
    },
  })
  // Built on first use: together they take as long as the rest of the start.
  const openApi = once(() => JSON.stringify(openApiDocument()))
  const docs = once(docsPage)
  const guide = createGuide({
    folder: docsFolder,
    languageFor: (acceptLanguage) => languageOf(acceptLanguage, defaultLanguage(parts.options.values())),
  })

  const addressOf = (request: Request, socketAddress: string) =>
    clientAddress(socketAddress, request.headers.get('x-forwarded-for'), config.trustedProxies)

  /** Address and language are computed lazily, as hardly any call needs them. A class, because every call creates one. */
  class RelayRequest implements RequestContext {
    readonly requestId = createRequestId(clock)
    caller: RequestContext['caller'] = undefined
    call: RequestContext['call'] = undefined
    candidates: RequestContext['candidates'] = undefined
    isCounted = false
    isHeld = false
    recording: RequestContext['recording'] = undefined
    trace: RequestContext['trace'] = undefined

    constructor(
      private readonly request: Request,
      private readonly socket: Socket,
    ) {}

    get ip() {
      return addressOf(this.request, this.socket.address())
    }

    get language() {
      // Developers search for these messages, so the default is English rather than the site's language.
      return languageOf(this.request.headers.get('accept-language'), 'en')
    }

    setIdleTimeout(seconds: number) {
      this.socket.setIdleTimeout(seconds)
    }

    upgrade(...other: Parameters<RequestContext['upgrade']>) {
      return this.socket.upgrade(...other)
    }
  }

  const incomingOf = (request: Request, socketAddress: string): Incoming => {
    const requestId = createRequestId(clock)
    const answerHeaders = apiHeaders(requestId)
    allowConsoleOrigin(answerHeaders, request.headers.get('origin'), config.consoleOrigins)
    const forwardedProto =
      isTrustedAddress(socketAddress, config.trustedProxies) && request.headers.get('x-forwarded-proto')
    return {
      requestId,
      ip: addressOf(request, socketAddress),
      language: languageOf(request.headers.get('accept-language'), defaultLanguage(parts.options.values())),
      secure: request.url.startsWith('https:') || forwardedProto === 'https',
      crossSite: config.consoleOrigins.length > 0,
      answerHeaders,
    }
  }

  const answer = async (request: Request, incoming: Incoming): Promise<Response> => {
    // Null when the Host header is not a valid host name.
    const { pathname } = URL.parse(request.url) ?? { pathname: '//' }
    if (/\/\/|%2f|%5c/i.test(pathname)) throw new GatewayError('input.bad_path')
    if (pathname === '/healthz') return new Response('ok', { headers: incoming.answerHeaders })
    if (pathname === '/readyz') return readiness({ database, parts, lifecycle }, incoming.answerHeaders)
    if (pathname === '/metrics') {
      const text = config.metricsPort === undefined ? parts.metrics : undefined
      return text === undefined ? noMetrics() : metricsAnswer(request, config.metricsToken, text)
    }
    if (pathname === '/docs') return documentation(docs(), 'text/html; charset=utf-8', incoming)
    if (pathname === '/api/openapi.json') return documentation(openApi(), 'application/json; charset=utf-8', incoming)
    if (!isApi(pathname)) {
      await parts.limits.web(incoming.ip)
      return guide.owns(pathname) ? guide.fetch(request, incoming.answerHeaders) : consoleFiles(request)
    }
    if (request.method === 'OPTIONS') return preflight(incoming.answerHeaders)
    await parts.options.refresh()
    const answered = await parts.router.app.fetch(request, incoming)
    // Changes made here apply here before the answer is sent; other nodes are notified by the database, or poll.
    if (request.method !== 'GET') parts.changedHere()
    return answered
  }

  /** A client that kept its connection to a stopping process would find it closed with its next call. */
  const closingWhenDraining = <R extends Response | undefined>(response: R) => {
    if (lifecycle.isDraining()) response?.headers.set('connection', 'close')
    return response
  }

  return {
    async fetch(request, socket) {
      // Duplicate Host headers, which Bun joins: a proxy in front may have used the other one. Of an absolute-form
      // target Bun keeps only the path, so nothing here depends on its host.
      if (request.headers.get('host')?.includes(',')) {
        return renderError(new GatewayError('input.bad_host'), incomingOf(request, socket.address()), log)
      }
      const path = pathOf(request.url)
      if (parts.surface.owns(path, request)) {
        return closingWhenDraining(await parts.surface.fetch(request, new RelayRequest(request, socket), path))
      }
      const incoming = incomingOf(request, socket.address())
      try {
        return closingWhenDraining(await answer(request, incoming))
      } catch (error) {
        return closingWhenDraining(renderError(error, incoming, log))
      }
    },
  }
}

/** The path of an absolute URL, without parsing the rest of it. */
function pathOf(url: string) {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const end = url.indexOf('?', start)
  return url.slice(start, end === -1 ? undefined : end)
}

function once<T>(make: () => T) {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

function isApi(pathname: string) {
  return pathname === '/api' || pathname.startsWith('/api/')
}

/** An endpoint of the contract without a handler is found at the start, not by a user. */
function refuseGaps({ router }: Parts) {
  const missing = ENDPOINTS.filter(({ endpoint }) => !router.served.includes(endpoint)).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`The contract names calls that have no handler: ${missing.join(', ')}`)
}

/** As strict as every other answer, except for the page's inline style. */
function documentation(content: string, type: string, { answerHeaders: headers }: Incoming) {
  headers.set('content-type', type)
  headers.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  return new Response(content, { headers })
}
