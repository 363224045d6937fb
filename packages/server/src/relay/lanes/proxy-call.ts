import { LogType, type Outcome } from '@tollgate/contract'
import { NO_USAGE } from '@tollgate/providers'
import type { ActiveBudgets } from '../../budgets/active-budgets.ts'
import type { CatalogService } from '../../catalog/catalog-service.ts'
import type { Route } from '../../catalog/snapshot.ts'
import { bodyFailure } from '../../common/body-failure.ts'
import { bodyRoom } from '../../common/body-room.ts'
import { boundedBody } from '../../common/bounded-body.ts'
import { type Clock, stopwatch } from '../../common/clock.ts'
import { GatewayError } from '../../common/errors.ts'
import { upstreamText } from '../../common/upstream-sentences.ts'
import type { CallLog } from '../../ledger/books.ts'
import type { CallLedger } from '../../ledger/call-ledger.ts'
import type { OptionsService } from '../../options/options-service.ts'
import { notHttpFailure, protocolErrorIn } from '../../upstream/fault.ts'
import type { Http } from '../../upstream/http.ts'
import { asHeaders } from '../../upstream/http1/header-lines.ts'
import { createMask } from '../../upstream/mask.ts'
import { maskedBody } from '../../upstream/masked-body.ts'
import type { Reply } from '../../upstream/reply.ts'
import { withHeaderRules } from '../../upstream/request-rules.ts'
import { type Keys, presentedKey, type RelayCaller } from '../caller/keys.ts'
import { outcomeOfError } from '../outcome.ts'
import { withOwnLimits } from '../rate-limits/limit-headers.ts'
import type { RateLimiting } from '../rate-limits/rate-limits.ts'
import type { RequestContext } from '../request-context.ts'
import { inFirstGroup, sharedGroups } from '../spent-budgets.ts'
import { relayHeaders } from '../surfaces/render-error.ts'
import { startDeadline } from '../timeouts/deadline.ts'
import type { Watchdog } from '../timeouts/watchdog.ts'
import { watchedReply } from '../timeouts/watched-reply.ts'

interface Needs {
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  ledger: CallLedger
  budgets: ActiveBudgets
  rateLimiting: RateLimiting
  http: Http
  watchdog: Watchdog
  clock: Clock
}

export type ProxyCall = ReturnType<typeof createProxyCall>

const PATH = /^\/v1\/(?:oneapi\/)?proxy\/(\d+)(\/.*)?$/
const QUIET_SEC = 120
/** The request has a timeout of its own until the headers arrive; from then on only silence ends it. */
const TIMEOUTS = {
  openingMs: Number.POSITIVE_INFINITY,
  silenceMs: QUIET_SEC * 1000,
  totalMs: Number.POSITIVE_INFINITY,
}

/** `/v1/oneapi/proxy/12/any/path` → channel 12 and what follows. */
export const proxyTarget = (path: string) => {
  const [, channel, rest = ''] = PATH.exec(path) ?? []
  return channel === undefined ? undefined : { channel: Number(channel), rest }
}

/**
 * A call through a channel of type Proxy: any path, forwarded unchanged. It is open to the groups of the channel, has a flat price
 * that is held first, and is charged unless the upstream answered with a server error.
 */
export const createProxyCall = (needs: Needs) => {
  const { keys, catalog, options, ledger, budgets, rateLimiting, http, watchdog, clock } = needs
  const routeFor = (caller: RelayCaller, id: number) => {
    const route = catalog.snapshot().routes.get(id)
    const open = route?.status === 1 && route.provider?.forward !== undefined
    // A channel of another group is answered like one that does not exist.
    const groups = open ? sharedGroups(caller, route) : undefined
    if (!open || groups === undefined) throw new GatewayError('relay.pin_unknown')
    return { route, groups }
  }

  return async (
    request: Request,
    context: RequestContext,
    target: { channel: number; rest: string },
  ): Promise<Response> => {
    const elapsed = stopwatch(clock)
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const url = new URL(request.url)
    const presented = presentedKey(request)
    const caller = await keys.authenticate(presented, context)
    const { route, groups } = routeFor(caller, target.channel)
    // Before anything is held: a caller may take as long as it likes to send it.
    const body = await bodyRoom.receive(caller, request, () => sentBody(request))
    const price = options.values().ProxyCallPrice
    const pass = await rateLimiting.enter(caller, [], NO_USAGE)
    const hold = await inFirstGroup(groups, budgets, (group) => {
      const claims = budgets.claims({ ...caller, group, channel: route.id, model: '' })
      return ledger.hold(caller, context.requestId, price, JSON.stringify({ proxy: price }), claims)
    }).catch((error) => {
      pass?.release()
      throw error
    })
    context.isHeld = true
    const settle = (outcome: Outcome, cost: number, error?: string) => {
      const log = proxyLog(caller, route, context, {
        outcome,
        cost,
        error,
        path: target.rest,
        elapsedMs: elapsed(),
        endedAt: clock.now(),
      })
      return hold.settle({ actual: cost, done: error === undefined, channelId: route.id, log, keepLog: true })
    }
    // Until the upstream answers, or `forward` gives up.
    context.setIdleTimeout(0)
    const watched = { startedAt: clock.now(), timeouts: TIMEOUTS, tokenId: caller.tokenId }
    const deadline = startDeadline(watchdog, request.signal, watched)
    try {
      const rest = target.rest + withoutCredentials(url.search, presented)
      const response = await forward(http, { request, body, rest, signal: deadline.signal }, route)
      const { status } = response.reply
      if (status >= 500) await settle('upstream_error', 0, `status ${status}`)
      else await settle(status >= 400 ? 'client_error' : 'success', price)
      context.setIdleTimeout(QUIET_SEC)
      const reply = watchedReply(response.reply, deadline, () => pass?.release())
      return response.answer(reply, relayHeaders(context.requestId), pass?.headers('openai'))
    } catch (error) {
      deadline.abort()
      pass?.release()
      const failure = request.signal.aborted ? new GatewayError('relay.client_left') : error
      await settle(outcomeOfError(failure), 0, reasonOf(failure)).catch(() => {})
      throw failure instanceof GatewayError && failure.code === 'outbound.failed'
        ? new GatewayError('relay.upstream_failed')
        : failure
    }
  }
}

function reasonOf(error: unknown) {
  const invalid = protocolErrorIn(error)
  if (invalid !== undefined) return notHttpFailure(invalid).message
  const isOurs = error instanceof GatewayError && !error.code.startsWith('outbound.')
  return isOurs ? error.message : 'The upstream cannot be reached'
}

/** Query parameters that contain keys. */
const CREDENTIALS = /^(key|api[-_]?key|access[-_]token|auth[-_]token)$/i

/** The caller's key is for us alone: neither a parameter of such a name is forwarded, nor the key under another one. */
function withoutCredentials(search: string, presented = '') {
  const kept = search
    .slice(1)
    .split('&')
    .filter((member) => {
      const [[name, value] = ['', '']] = new URLSearchParams(member)
      return member !== '' && !CREDENTIALS.test(name) && (presented === '' || value !== presented)
    })
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

async function forward(http: Http, { request, body, rest, signal }: Forwarded, route: Route) {
  const { provider, access, rules, network } = route
  const adapter = provider?.forward
  if (adapter === undefined) throw new GatewayError('relay.unsupported')
  // TRACE echoes the request, including the channel's key.
  if (request.method === 'TRACE') throw new GatewayError('relay.unsupported')
  const url = adapter.url(rest, access)
  const headers = withHeaderRules(Object.fromEntries(adapter.requestHeaders(request.headers, access)), rules)
  const reply = await http.request(url, {
    policy: 'admin',
    method: request.method,
    headers,
    ...(body === undefined ? {} : { body }),
    ...network,
    signal,
    timeoutMs: 120_000,
  })
  return {
    reply,
    answer(watched: Reply, ours: Record<string, string>, limits: Record<string, string> | undefined) {
      const mask = createMask(access)
      const kept = new Headers()
      const answered = Object.fromEntries(adapter.answerHeaders(asHeaders(reply.headers)))
      for (const [name, value] of Object.entries(withOwnLimits(answered, limits))) kept.set(name, mask.text(value))
      for (const [name, value] of Object.entries(ours)) kept.set(name, value)
      return new Response(maskedBody(watched, mask), { status: reply.status, headers: kept })
    },
  }
}

interface Forwarded {
  request: Request
  body: Uint8Array<ArrayBuffer> | undefined
  /** The path after the channel, and the query. */
  rest: string
  signal: AbortSignal
}

async function sentBody(request: Request) {
  if (request.body === null) return undefined
  try {
    return await boundedBody(request).bytes()
  } catch (error) {
    throw bodyFailure(error)
  }
}

interface ProxyEnd {
  outcome: Outcome
  cost: number
  error: string | undefined
  path: string
  elapsedMs: number
  endedAt: number
}

function proxyLog(caller: RelayCaller, route: Route, context: RequestContext, end: ProxyEnd): CallLog {
  const { cost, error, path, outcome } = end
  return {
    user_id: caller.userId,
    created_at: Math.floor(end.endedAt / 1000),
    type: error === undefined ? LogType.consume : LogType.failed,
    channel: route.id,
    username: caller.username,
    token_name: caller.tokenName,
    model_name: '',
    prompt_tokens: 0,
    completion_tokens: 0,
    quota: cost,
    content: error === undefined ? `代理调用 ${path.slice(0, 200)}` : `代理调用失败：${upstreamText(error).zh}`,
    content_en: error === undefined ? `Proxy call ${path.slice(0, 200)}` : `The proxy call failed: ${error}`,
    request_id: context.requestId,
    elapsed_time: Math.max(0, Math.round(end.elapsedMs)),
    first_byte_time: 0,
    is_stream: 0,
    detail: JSON.stringify({ flag: 'proxy', source: 'reported' }),
    session: null,
    outcome,
    cached_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  }
}
