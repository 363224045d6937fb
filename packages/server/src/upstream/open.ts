import { type Access, failureOf, type UpstreamFailure, type UpstreamRequest, VendorError } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, stopwatch } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { Attempt } from '../logs/call-detail.ts'
import type { CallTrace } from '../telemetry/call-trace.ts'
import type { Credentials } from './credentials.ts'
import { notHttpFailure, protocolErrorIn, proxyFailure, proxyFaultIn } from './fault.ts'
import type { Http } from './http.ts'
import { withIdleTimeout } from './idle-timeout.ts'
import type { Lease } from './lease.ts'
import { createMask, type Mask } from './mask.ts'
import { type Reply, readText } from './reply.ts'
import { withRules } from './request-rules.ts'
import type { Sockets } from './sockets.ts'
import { vendorRefusal } from './vendor-refusal.ts'
import { sendOverWebSocket } from './websocket-reply.ts'

/** How a lane sends a call to a route, and when an answer counts as one. */
export interface UpstreamCall<Answer> {
  request(route: Route, access: Access): UpstreamRequest | Promise<UpstreamRequest>
  /** Reads the answer as long as it can still be tried elsewhere. Throws a `VendorError` for an error inside a 200. */
  accept(reply: Reply, route: Route, signal: AbortSignal, mask: Mask): Promise<Answer>
}

/** The transports to a vendor. */
export interface Transports {
  http: Http
  sockets: Sockets
}

/** The deadline of one attempt. */
export interface Deadline {
  /** Aborted when the client disconnects or the vendor is silent for too long. */
  signal: AbortSignal
  /** Data arrived. */
  extend(): void
  /** Restarts the waiting time for the next answer, or for a vendor that thinks. */
  reopen(): void
  /** The client has to read first; the vendor's silence does not count until `alive`. */
  pause(): void
  /** From here on a client that disconnects ends nothing: the reader of the answer decides. */
  outliveClient(): void
  /** The reader of the answer ends it when the caller's key is revoked; without one, the signal is aborted. */
  onRevoked(end: (reason: GatewayError) => void): void
  /** Aborts what the vendor may still be sending. */
  abort(): void
  /** Everything has arrived; there is nothing to abort. */
  clear(): void
}

/** What one attempt needs. */
export interface AttemptNeeds extends Transports {
  credentials: Credentials
  clock: Clock
  /** Absent when the call is not traced. */
  trace?: Pick<CallTrace, 'headers'> | undefined
}

/** A channel that a call may use now. */
export interface LeasedRoute {
  route: Route
  lease: Lease
}

/** A channel with another key to continue with if a key failed. Only channels with several keys have it. */
export interface Retriable<Taken> extends LeasedRoute {
  withNextKey?: ((failure: UpstreamFailure) => Promise<Taken | undefined>) | undefined
}

interface Needs {
  clock: Clock
  /** Called for every failure of a channel. */
  onFailure(failed: LeasedRoute, failure: UpstreamFailure): void
}

export type Upstream = ReturnType<typeof createUpstream>

/** All channels failed; the last failure is sent to the caller. */
export class AllFailed extends Error {
  constructor(
    readonly failure: UpstreamFailure,
    /** Why no other channel was tried; undefined when there was none left. */
    readonly stopped?: Stopped,
  ) {
    super(failure.message)
  }
}

/** The request was at fault, or its time or its retries were used up. */
export type Stopped = 'request' | 'time' | 'retries'

const ERROR_BODY_MAX = 64 * 1024
const MESSAGE_MAX = 500

const TOO_SLOW = failureOf('timeout', 'The upstream did not answer in time')

/** One attempt at a channel, bounded by the signal. Throws whatever went wrong. */
export const attemptOnce = <Answer>(
  needs: AttemptNeeds,
  route: Route,
  call: UpstreamCall<Answer>,
  signal: AbortSignal,
  deadline?: Deadline,
) =>
  needs.credentials.withAccess(route, async (access) => {
    const encoded = await call.request(route, access)
    const request = withRules(needs.trace === undefined ? encoded : withTrace(encoded, needs.trace), route.rules)
    const mask = createMask(route.access, request)
    try {
      const sent = await send(needs, route, request, signal)
      const reply = deadline === undefined ? sent : withIdleTimeout(sent, deadline)
      if (!reply.ok) throw await refusalIn(reply, { route, mask, nowMs: needs.clock.now() })
      return await call.accept(reply, route, signal, mask).catch((error) => {
        // The call may continue at another channel or with another token; nobody reads this answer any more.
        reply.cancel()
        throw error
      })
    } catch (error) {
      throw mask.error(error)
    }
  })

/** Before the channel's own rules, which may remove it again. */
const withTrace = (request: UpstreamRequest, trace: Pick<CallTrace, 'headers'>): UpstreamRequest => ({
  ...request,
  headers: { ...request.headers, ...trace.headers() },
})

async function refusalIn(reply: Reply, { route, mask, nowMs }: { route: Route; mask: Mask; nowMs: number }) {
  const { status, headers } = reply
  const body = mask.text((await readText(reply, ERROR_BODY_MAX)) ?? '')
  if (route.provider !== undefined && isFailure(reply))
    return vendorRefusal(route.provider, { status, headers, body }, nowMs)
  return new VendorError(failureOf('server', `The upstream answered with status ${status}`))
}

/** Other statuses are invalid, and could not be passed to a client. */
const isFailure = ({ status }: Reply) => status >= 400 && status <= 599

function send({ http, sockets }: Transports, { network }: Route, request: UpstreamRequest, signal: AbortSignal) {
  const { url, method, headers, body } = request
  if (/^wss?:/.test(url)) return sendOverWebSocket(sockets, request, { proxy: network.proxy, signal })
  const payload = body === undefined ? {} : { body }
  return http.request(url, { policy: 'admin', method, headers, ...payload, ...network, signal, timeoutMs: false })
}

/** Why the gateway itself ended the call: it stops, or the caller's key was revoked. Undefined for every other end. */
export const endedByUs = ({ reason }: AbortSignal): GatewayError | undefined =>
  reason instanceof GatewayError ? reason : undefined

/** Tries channel after channel, each once or once per key, until one answers. After that the caller has seen bytes we cannot take back. */
export const createUpstream = ({ clock, onFailure }: Needs) => {
  return {
    async open<Taken extends Retriable<Taken>, Answer>({
      first,
      next,
      isLate,
      retriesMax,
      attempt,
      attempts,
      client,
      startDeadline,
      trace,
    }: {
      first: Taken
      /** The next channel, or undefined when none is left that may be used at this price. */
      next(): Promise<Taken | undefined>
      /** Whether it is too late to try another one. */
      isLate(): boolean
      retriesMax: number
      /** One attempt at a channel. Throws whatever went wrong. */
      attempt(route: Route, signal: AbortSignal, deadline: Deadline): Promise<Answer>
      attempts: Attempt[]
      client: AbortSignal
      startDeadline(route: Route): Deadline
      trace?: CallTrace | undefined
    }): Promise<{ answer: Answer; deadline: Deadline }> {
      let choice: Taken | undefined = first
      let last = failureOf('server', 'No channel was tried')
      let stopped: Stopped | undefined
      for (let tries = 0; choice !== undefined && tries <= retriesMax; ) {
        const { route }: Taken = choice
        const elapsed = stopwatch(clock)
        const tried: Attempt = { channel: route.id, name: route.name, status: 200, ms: 0, ...keyHint(route) }
        const note = (status: number, error?: string) => {
          tried.status = status
          tried.ms = Math.round(elapsed())
          if (error !== undefined) tried.error = error.slice(0, MESSAGE_MAX)
          attempts.push(tried)
        }
        const deadline = startDeadline(route)
        try {
          const answer = await attempt(route, deadline.signal, deadline)
          note(200)
          choice.lease.answered(elapsed())
          deadline.extend()
          return { answer, deadline }
        } catch (error) {
          const tooSlow = deadline.signal.aborted
          deadline.abort()
          if (client.aborted) throw new GatewayError('relay.client_left')
          // We end the call ourselves: the channel is not to blame, and no other one has more time.
          const ended = endedByUs(deadline.signal)
          if (ended !== undefined) throw ended
          last = tooSlow ? TOO_SLOW : failureIn(error)
          note(last.status, last.message)
          onFailure(choice, last)
          trace?.attemptFailed(last)
          if (last.blame === 'request') stopped = 'request'
        }
        const again: Taken | undefined =
          stopped === undefined && !isLate() ? await choice.withNextKey?.(last) : undefined
        if (again !== undefined) {
          tried.passed = true
          choice = again
          continue
        }
        stopped ??= tries >= retriesMax ? 'retries' : isLate() ? 'time' : undefined
        choice = stopped === undefined ? await next() : undefined
        tries++
      }
      throw new AllFailed(last, stopped)
    },

    /** The channel answered and then broke off. */
    brokeOff: (failed: LeasedRoute, failure: UpstreamFailure) => onFailure(failed, cutOff(failure)),
  }
}

const NO_POOL = {}
const keyHint = ({ poolKey }: Route) => (poolKey === undefined ? NO_POOL : { key: poolKey.hint })

/** In any case the answer had started. */
const cutOff = (failure: UpstreamFailure): UpstreamFailure =>
  failure.class === 'server' ? { ...failure, end: 'cut_off' } : failure

/** Nothing was sent: mostly a key that was pasted with other text. */
const UNSENDABLE = /a header that cannot be sent: (\S+)$/
const unsendable = (header: string) =>
  `The request was not sent: its header ${header} has a character that no header may have. Check the channel's key and header rules`

/** Mostly a channel's address with another scheme or host than its vendor has. */
const REDIRECT = /answered with a redirect \((\d{3})\)$/
const redirected = (status: string) =>
  `The upstream answered with a redirect (${status}), which is not followed. Check the channel's address`

/** Normalises a failure of the vendor, the network, or anything else. */
export function failureIn(error: unknown): UpstreamFailure {
  if (error instanceof VendorError) return error.failure
  if (error instanceof GatewayError && error.code === 'outbound.refused_address') {
    return { ...failureOf('server', error.message), blame: 'channel', status: 502 }
  }
  const proxyFault = proxyFaultIn(error)
  if (proxyFault !== undefined) return proxyFailure(proxyFault)
  const invalid = protocolErrorIn(error)
  if (invalid !== undefined) return notHttpFailure(invalid)
  if (error instanceof GatewayError) {
    const reason = error.cause instanceof Error ? error.cause.message : ''
    if (reason.includes('time-out')) return TOO_SLOW
    const [, header] = UNSENDABLE.exec(reason) ?? []
    if (header !== undefined) return { ...failureOf('server', unsendable(header)), blame: 'channel', status: 502 }
    const [, redirect] = REDIRECT.exec(reason) ?? []
    const message = redirect === undefined ? 'The upstream cannot be reached' : redirected(redirect)
    return failureOf('server', message, { end: 'unreachable' })
  }
  return failureOf('server', 'The upstream broke off its answer', { status: 502, end: 'cut_off' })
}
