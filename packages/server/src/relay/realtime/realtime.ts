import { embeddedError, failureOf, VendorError } from '@tollgate/providers'
import type { CatalogService } from '../../catalog/catalog-service.ts'
import type { Route } from '../../catalog/snapshot.ts'
import { type Clock, monotonicMs } from '../../common/clock.ts'
import { GatewayError } from '../../common/errors.ts'
import type { Credentials } from '../../upstream/credentials.ts'
import type { Health } from '../../upstream/health.ts'
import type { KeyPools } from '../../upstream/key-pools.ts'
import { createMask, type Mask } from '../../upstream/mask.ts'
import type { Upstream } from '../../upstream/open.ts'
import { withHeaderRules } from '../../upstream/request-rules.ts'
import { type SocketEnd, type Sockets, UpgradeRefused, type UpstreamSocket } from '../../upstream/sockets.ts'
import { vendorRefusal } from '../../upstream/vendor-refusal.ts'
import { upstreamModel } from '../answer.ts'
import { presentedKey } from '../caller/keys.ts'
import { createRealtimeMeter } from '../meter/realtime-meter.ts'
import { priceOfUsage } from '../meter/receipt.ts'
import type { Relay } from '../relay.ts'
import type { RequestContext } from '../request-context.ts'
import type { Settle } from '../settlement.ts'
import type { Call } from '../surfaces/call.ts'
import { forwardedHeaders } from '../surfaces/forwarded-headers.ts'
import { REALTIME } from '../surfaces/operations.ts'
import { relayHeaders } from '../surfaces/render-error.ts'
import type { Timeouts } from '../timeouts/watchdog.ts'
import { startConversation } from './conversation.ts'

interface Needs {
  relay: Relay
  catalog: CatalogService
  sockets: Sockets
  credentials: Credentials
  settle: Settle
  health: Health
  keyPools: KeyPools
  upstream: Upstream
  clock: Clock
}

export type Realtime = ReturnType<typeof createRealtime>

/** Vendors end a conversation after an hour; after a quarter of an hour of silence it is considered dead. */
const TIMEOUTS: Timeouts = { openingMs: 60_000, silenceMs: 15 * 60_000, totalMs: 65 * 60_000 }
const HEARTBEAT_MS = 30_000
/** The first event comes at once; a vendor without one is accepted after its handshake. */
const GREETING_MS = 5_000

/**
 * A conversation over WebSockets: authenticated, held, routed and retried like any call, before the client's upgrade is answered,
 * which requires that a vendor has opened the session.
 */
export const createRealtime = (needs: Needs) => {
  const { relay, catalog, sockets, credentials, settle, health, keyPools, upstream, clock } = needs

  const attempt =
    (call: Call, beta: Record<string, string>, { trace }: RequestContext) =>
    async (route: Route, signal: AbortSignal) => {
      const { provider } = route
      const model = upstreamModel(call, route)
      return credentials.withAccess(route, async (access) => {
        const address = provider && REALTIME.native.address(provider, access, model)
        if (provider === undefined || address === undefined)
          throw new VendorError(failureOf('client', 'This channel has no realtime conversations'))
        const headers = withHeaderRules({ ...beta, ...address.headers, ...trace?.headers() }, route.rules)
        const mask = createMask(route.access, { url: address.url, headers })
        try {
          const { proxy } = route.network
          const heartbeatMs = HEARTBEAT_MS
          const socket = await sockets(address.url, { policy: 'admin', headers, signal, proxy, heartbeatMs })
          return withoutSecrets(await greeted(socket), mask)
        } catch (error) {
          if (!(error instanceof UpgradeRefused)) throw mask.error(error)
          const refused = { status: error.status, body: mask.text(error.body), headers: new Headers() }
          throw mask.error(vendorRefusal(provider, refused, clock.now()))
        }
      })
    }

  return async (request: Request, context: RequestContext): Promise<Response | undefined> => {
    const url = new URL(request.url)
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw new GatewayError('relay.needs_socket')
    const model = url.searchParams.get('model') ?? ''
    if (model === '') throw new GatewayError('relay.no_model')
    if (model.length > 256) throw new GatewayError('relay.bad_body', { reason: 'model' })
    const call = callFor(model)
    // The request's own signal no longer works after the upgrade.
    const client = new AbortController()
    const leave = () => client.abort()
    request.signal.addEventListener('abort', leave)
    const key = keyIn(request) ?? presentedKey(request)
    const attemptOptions = {
      client: client.signal,
      attempt: attempt(call, betaOf(request), context),
      timeouts: TIMEOUTS,
    }
    const opened = relay.openConversation(context, key, call, attemptOptions)
    const {
      active,
      answer: vendor,
      deadline,
    } = await opened.finally(() => request.signal.removeEventListener('abort', leave))
    active.firstByteMs = monotonicMs(clock) - active.startedMs
    // The open session counts as a success; the rest of the conversation is judged separately.
    active.lease.succeeded()
    const answered = active.call.model
    active.lease = keyPools.again(active.route, answered, health.take(active.route.id, answered))
    // A price tier depends on the length of one call; the sum over a conversation has none.
    active.quote = { ...active.quote, price: { ...active.quote.price, tiers: [] } }
    // An unnamed transcription model is the model of the conversation itself.
    const priceOf = (name: string, usage: Parameters<typeof priceOfUsage>[0]) => {
      const price = name === '' ? active.quote.price : catalog.prices()(name, active.route.type)
      return priceOfUsage(usage, { ...active.quote, price })
    }
    const conversation = startConversation({
      ...{ active, vendor, deadline, settle, meter: createRealtimeMeter(priceOf) },
      brokeOff: (failure) => upstream.brokeOff(active, failure),
    })
    const headers = {
      ...active.pass?.headers('openai'),
      ...relayHeaders(context.requestId),
      ...chosenProtocol(request),
    }
    if (!client.signal.aborted && context.upgrade(conversation, headers)) return undefined
    conversation.left(1006)
    throw new GatewayError('relay.client_left')
  }
}

function callFor(model: string): Call {
  return {
    ...{ operation: REALTIME, model, stream: true, wantsUsage: true },
    ...{ body: {}, form: undefined, audioSeconds: 0, headers: {}, upstreamBody: () => '' },
  }
}

/** Browsers cannot set headers on a socket; OpenAI's client puts the key into the subprotocols. */
const KEY_PROTOCOL = 'openai-insecure-api-key.'

const protocolsOf = ({ headers }: Request) =>
  (headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const keyIn = (request: Request) =>
  protocolsOf(request)
    .find((name) => name.startsWith(KEY_PROTOCOL))
    ?.slice(KEY_PROTOCOL.length)

/** One of the offered subprotocols must be answered, and never the one with the key. */
function chosenProtocol(request: Request): Record<string, string> {
  const offered = protocolsOf(request)
  if (offered.length === 0) return {}
  const harmless = offered.filter((name) => !name.startsWith(KEY_PROTOCOL))
  return { 'sec-websocket-protocol': harmless.find((name) => name === 'realtime') ?? harmless[0] ?? '' }
}

/** The beta protocol is requested by a header, or by a subprotocol. */
function betaOf(request: Request): Record<string, string> {
  if (request.headers.has('openai-beta')) return forwardedHeaders(request.headers, ['openai-beta'])
  return protocolsOf(request).includes('openai-beta.realtime-v1') ? { 'openai-beta': 'realtime=v1' } : {}
}

/** Waits for the first event, so that an error in it can still be tried elsewhere; it is delivered afterwards. */
async function greeted(socket: UpstreamSocket): Promise<UpstreamSocket> {
  const early: (string | Uint8Array)[] = []
  let end: SocketEnd | undefined
  const { promise: greeting, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, GREETING_MS)
  socket.listen({
    message(data) {
      early.push(data)
      resolve()
    },
    closed(how) {
      end = how
      resolve()
    },
  })
  await greeting
  clearTimeout(timer)
  // The vendor waits until the client is connected.
  socket.pause()
  const refusal = refusalIn(early[0])
  if (refusal !== undefined) socket.close()
  if (refusal !== undefined || end !== undefined) {
    throw refusal ?? new VendorError(failureOf('server', 'The upstream closed the conversation at once'))
  }
  return {
    ...socket,
    listen(listener) {
      for (const data of early.splice(0)) listener.message(data)
      if (end === undefined) socket.listen(listener)
      else listener.closed(end)
    },
  }
}

/** Audio and text pass unchanged; error messages may contain the key. */
const withoutSecrets = (socket: UpstreamSocket, mask: Mask): UpstreamSocket => ({
  ...socket,
  listen: ({ message, closed }) =>
    socket.listen({
      message: (data) => message(typeof data === 'string' && data.includes('"error"') ? mask.text(data) : data),
      closed,
    }),
})

function refusalIn(message: string | Uint8Array | undefined): VendorError | undefined {
  if (typeof message !== 'string' || !message.includes('"error"')) return undefined
  const event: unknown = JSON.parse(message)
  const isRefusal = typeof event === 'object' && event !== null && 'type' in event && event.type === 'error'
  return isRefusal && 'error' in event ? embeddedError({ error: event.error }) : undefined
}
