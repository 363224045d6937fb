import { type FallbackReason, ruleFor } from '@tollgate/contract'
import {
  failureOf,
  inputTokens,
  NO_USAGE,
  outputTokens,
  requestedServiceTier,
  type UpstreamFailure,
} from '@tollgate/providers'
import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { searchContextOf } from '../catalog/search-context.ts'
import type { Choice } from '../catalog/snapshot.ts'
import { monotonicMs } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { OpenFiles } from '../common/open-files.ts'
import { BudgetSpent, type CallLedger } from '../ledger/call-ledger.ts'
import type { OptionsService } from '../options/options-service.ts'
import { recordedStream } from '../recordings/recorded-stream.ts'
import type { Recorder } from '../recordings/recorder.ts'
import type { CallTrace } from '../telemetry/call-trace.ts'
import type { Health } from '../upstream/health.ts'
import { isOfKey, type KeyPools } from '../upstream/key-pools.ts'
import { AllFailed, type AttemptNeeds, type Deadline, type Retriable, type Upstream } from '../upstream/open.ts'
import { type Affinity, type CachedAt, conversationOf } from './affinity.ts'
import { underName, upstreamModel } from './answer.ts'
import { type Keys, keyParts, presentedKey, type RelayCaller } from './caller/keys.ts'
import {
  BUDGET_SPENT,
  type Candidate,
  type Candidates,
  findCandidates,
  NO_KEY_FREE,
  UNCOVERED,
  UNSUITED,
} from './candidates.ts'
import { attemptFor, laneOf, tellsServiceTier } from './lanes/lanes.ts'
import type { RecentItems } from './lanes/recent-items.ts'
import { advisorsOf } from './meter/advisors.ts'
import { countResponse } from './meter/count-response.ts'
import { estimateCall } from './meter/estimate.ts'
import { estimateImages, imageModelOf } from './meter/image-usage.ts'
import { createQuotes, type Quote, quoteAtServiceTier } from './meter/quote.ts'
import { priceOfUsage } from './meter/receipt.ts'
import { modelBehind } from './models/aliases.ts'
import { type FallbackModel, withFallbacks } from './models/fallbacks.ts'
import { outcomeOfError } from './outcome.ts'
import { withOwnLimits } from './rate-limits/limit-headers.ts'
import type { LimitPass, RateLimiting } from './rate-limits/rate-limits.ts'
import type { RequestContext } from './request-context.ts'
import type { ActiveCall, Charged, Settle } from './settlement.ts'
import { streamAnswer } from './stream-answer.ts'
import { type Call, readCall } from './surfaces/call.ts'
import { asJsonArray, wantsJsonArray } from './surfaces/json-array.ts'
import { listModels } from './surfaces/model-list.ts'
import type { Operation, PathHints } from './surfaces/operation.ts'
import { relayHeaders, statusOf } from './surfaces/render-error.ts'
import { unknownModel } from './surfaces/unknown-model.ts'
import { startDeadline } from './timeouts/deadline.ts'
import type { Timeouts, Watchdog } from './timeouts/watchdog.ts'

interface Needs extends AttemptNeeds {
  keys: Keys
  catalog: CatalogService
  options: OptionsService
  ledger: CallLedger
  budgets: ActiveBudgets
  rateLimiting: RateLimiting
  upstream: Upstream
  health: Health
  keyPools: KeyPools
  watchdog: Watchdog
  settle: Settle
  items: RecentItems
  affinity: Affinity
  openFiles: OpenFiles
  recorder: Pick<Recorder, 'begin'>
  /** Starts a background response; resolves when the vendor has accepted it. */
  startBackground(caller: RelayCaller, context: RequestContext, call: Call, askedModel: string): Promise<object>
}

/** The operation and what its path says. */
interface Endpoint {
  operation: Operation
  hints: PathHints
}

/** An authenticated call. */
interface AdmittedCall
  extends Pick<ActiveCall, 'context' | 'caller' | 'call' | 'askedModel' | 'startedAt' | 'startedMs'> {
  holdId: string
}

/** A call with its hold, and the first channel to try. */
interface StartedCall {
  active: ActiveCall
  first: Candidate
}

/** A channel to try, with the key reserved for this call. */
interface Attemptable extends Candidate, Retriable<Attemptable> {}

/** How a channel is tried, for whom, and until when. */
interface AttemptOptions<Answer> {
  client: AbortSignal
  attempt(route: Choice['route'], signal: AbortSignal, deadline: Deadline): Promise<Answer>
  timeouts?: Timeouts
}

export type Relay = ReturnType<typeof createRelay>

/**
 * A relayed call, in this order: authenticate, find channels, quote, count, hold, open, answer, settle. There is one way out:
 * whatever happens, the hold is settled once, with the actual usage; a failed call used 0.
 */
export const createRelay = (needs: Needs) => {
  const { keys, catalog, options, ledger, upstream, health, watchdog, settle, http, sockets, credentials } = needs
  const { items, clock, budgets, rateLimiting, affinity, keyPools, openFiles, recorder, startBackground } = needs

  const quotes = createQuotes(catalog)

  const quote = ({ route, group }: Choice, call: Call): Quote => {
    const { type } = route
    const free = call.operation.countBody !== undefined
    const searchContext = searchContextOf(call.body.web_search_options)
    const known = quotes({ model: upstreamModel(call, route), type, group, free, searchContext })
    const imageModel = imageModelOf(call)
    const priceOf = (model: string) => catalog.prices()(model, type)
    const drawing = imageModel === undefined ? known : { ...known, imagePrice: priceOf(imageModel) }
    const advisors = advisorsOf(call)
    const usual =
      advisors === undefined
        ? drawing
        : { ...drawing, advisorPrices: new Map(advisors.map((name) => [name, priceOf(name)])) }
    // A cheaper tier may turn out to be unavailable.
    const serviceTier = tellsServiceTier(call, route) ? requestedServiceTier(call.body) : undefined
    return serviceTier === 'flex' ? usual : quoteAtServiceTier(usual, serviceTier)
  }

  /** The channel and key of the call's conversation, if a rule keeps its calls together. */
  const affinityOf = ({ userId, groups }: RelayCaller, call: Call) => {
    const { RoutingPolicies } = options.values()
    if (!groups.some((group) => ruleFor(RoutingPolicies, group, call.model)?.affinity)) return undefined
    const conversation = conversationOf(userId, call)
    if (conversation === undefined) return undefined
    return {
      cachedAt: affinity.cachedAt(conversation),
      keep: (at: CachedAt) => affinity.keep(conversation, at),
    }
  }

  const candidatesFor = (caller: RelayCaller, call: Call): Candidates => {
    const { RoutingPolicies } = options.values()
    const wanted = {
      groups: caller.groups,
      model: call.model,
      suits: (route: Choice['route']) => laneOf(call, route) !== undefined,
      kind: call.operation.name,
      ...(RoutingPolicies.size > 0 && {
        policies: { rules: RoutingPolicies, prices: catalog.prices() },
        affinity: affinityOf(caller, call),
      }),
    }
    if (caller.pinned === undefined) return findCandidates(catalog.snapshot(), health, wanted)
    const route = catalog.snapshot().routes.get(caller.pinned)
    if (route?.status !== 1) throw new GatewayError('relay.pin_unknown')
    return onlyCandidate({ route, group: caller.groups[0] ?? 'default' }, health)
  }

  const claimsFor = ({ tokenId, userId }: RelayCaller, { model }: Call, { route, group }: Choice) =>
    budgets.claims({ tokenId, userId, group, channel: route.id, model })

  const isOffered = ({ groups }: RelayCaller, model: string) =>
    groups.some((group) => catalog.snapshot().offers(group, model).length > 0)

  const behindAlias = (caller: RelayCaller, asked: Call) => {
    const { ModelAliases } = options.values()
    return underName(
      asked,
      modelBehind(asked.model, ModelAliases, (model) => isOffered(caller, model)),
    )
  }

  const fallbacksOf = ({ caller, call }: AdmittedCall, reason: FallbackReason) => {
    const fallback = caller.fallback ? options.values().ModelFallbacks.get(call.model) : undefined
    if (fallback === undefined || !fallback.on.includes(reason)) return []
    return fallback.to.filter((other) => caller.models?.has(other) !== false && isOffered(caller, other))
  }

  const unknownModelFor = (caller: RelayCaller, { model, operation }: Call) =>
    unknownModel(model, listModels(catalog, caller), operation.family)

  /** No channel offers the model, none that does can answer such a call, or all of them are cooling down. */
  const noChannelError = (candidates: Candidates, caller: RelayCaller, call: Call) => {
    const { model } = call
    const { considered, excluded } = candidates.explain()
    if (considered.length === 0) {
      const isOut = catalog.snapshot().isOut(caller.groups, model)
      return isOut
        ? new GatewayError('relay.no_channel', { model, seconds: OUT_SEC })
        : new GatewayError('relay.unknown_model', unknownModelFor(caller, call))
    }
    const resting = excluded.filter(({ excluded: reason }) => reason !== UNSUITED)
    if (resting.length === 0) {
      const isCompaction = call.operation.name === 'responses/compact'
      return new GatewayError(isCompaction ? 'relay.no_compaction' : 'relay.unsupported')
    }
    const restMs = Math.min(...resting.map(({ channel }) => health.closedForMs(channel)))
    return new GatewayError('relay.channels_resting', { model, seconds: Math.max(1, Math.ceil(restMs / 1000)) })
  }

  /** The amount to hold: an upper estimate, and at least 1 for anything that is not free. */
  const amountFor = ({ call, estimate }: Pick<ActiveCall, 'call' | 'estimate'>, quoted: Quote) => {
    if (quoted.free) return 0
    const amount = Math.max(1, priceOfUsage(estimate, quoted))
    if (quoted.imagePrice === undefined) return amount
    return amount + priceOfUsage(estimateImages(call), { ...quoted, price: quoted.imagePrice })
  }

  /** For a channel with several keys, one that was not tried yet; undefined when none can be used now. */
  const withKey = async (
    active: ActiveCall,
    choice: Candidate,
    tried = new Set<number>(),
  ): Promise<Attemptable | undefined> => {
    const tokens = inputTokens(active.estimate) + outputTokens(active.estimate)
    const taken = await keyPools.take(choice, { tokens, tried, preferred: active.candidates.keyOf(choice.route) })
    if (taken === undefined) {
      choice.lease.release()
      return undefined
    }
    const { route, lease, pass } = taken
    active.channelKey?.used(0)
    active.route = route
    active.lease = lease
    active.channelKey = pass
    const withNextKey = async (failure: UpstreamFailure) =>
      isOfKey(failure) ? withKey(active, { ...choice, lease: health.take(choice.route.id) }, tried) : undefined
    return { ...choice, route, lease, withNextKey }
  }

  /**
   * Opens the upstream; retries go to more expensive channels only when the hold can be extended to cover them. If no channel
   * answers, the call is settled as failed, which also releases its channel.
   */
  const open = <Answer>({ active, first }: StartedCall, attemptOptions: AttemptOptions<Answer>) => {
    const { call, candidates, caller, attempts, hold, startedAt } = active
    const { client, timeouts } = attemptOptions
    const { trace } = active.context
    const attempt: typeof attemptOptions.attempt =
      trace === undefined
        ? attemptOptions.attempt
        : (route, ...within) => {
            trace.attempt(route, upstreamModel(call, route))
            return attemptOptions.attempt(route, ...within)
          }
    const isLate = () => {
      const { RetrySeconds } = options.values()
      return RetrySeconds > 0 && monotonicMs(clock) - active.startedMs >= RetrySeconds * 1000
    }
    const next = async (): Promise<Attemptable | undefined> => {
      for (let choice = candidates.next(); choice !== undefined; choice = candidates.next()) {
        active.lease = choice.lease
        const quoted = quote(choice, call)
        if (await hold.extend(amountFor(active, quoted), claimsFor(caller, call, choice))) {
          active.route = choice.route
          active.quote = quoted
          active.channelKey?.used(0)
          active.channelKey = undefined
          const attemptable = choice.route.pool === undefined ? choice : await withKey(active, choice)
          if (attemptable !== undefined) return attemptable
          candidates.passOver(choice, NO_KEY_FREE)
          continue
        }
        choice.lease.release()
        candidates.passOver(choice, UNCOVERED)
      }
      return undefined
    }
    const retriesMax = caller.pinned === undefined ? options.values().RetryTimes : 0
    const start = ({ firstByteTimeoutMs }: Choice['route']) =>
      startDeadline(watchdog, client, startedAt, timeouts, firstByteTimeoutMs)
    const openFrom = (begin: Attemptable) =>
      upstream.open({ first: begin, next, isLate, retriesMax, attempt, attempts, client, startDeadline: start, trace })
    const openWithKey = async () => {
      const begin = await withKey(active, first)
      if (begin !== undefined) return openFrom(begin)
      candidates.passOver(first, NO_KEY_FREE)
      const other = await next()
      if (other === undefined) throw new AllFailed(NO_KEY)
      return openFrom(other)
    }
    const opening = first.route.pool === undefined ? openFrom(first) : openWithKey()
    return opening.catch(async (error) => {
      await settle(active, {
        ...{ reported: undefined, counted: undefined, outcome: outcomeOfError(error), error: reasonOf(error) },
        status: statusOf(error, call.operation.family),
        ...(error instanceof AllFailed && { stopped: error.stopped }),
      })
      throw error instanceof AllFailed ? withWait(error, health.closedForMs(active.route.id)) : error
    })
  }

  const record = (caller: RelayCaller, { requestId }: RequestContext, { name }: Operation, presented = '') => {
    const { userId, tokenId, recording: settings } = caller
    const { key } = keyParts(presented)
    return settings && recorder.begin({ requestId, userId, tokenId, operation: name, key, settings })
  }

  /** Authenticates the caller and resolves the model. */
  const admit = async (
    context: RequestContext,
    key: string | undefined,
    read: (caller: RelayCaller) => Call | Promise<Call>,
  ): Promise<AdmittedCall> => {
    const startedAt = clock.now()
    const startedMs = monotonicMs(clock)
    const stale = catalog.stale()
    if (stale !== undefined) await stale
    const caller = await keys.authenticate(key, context)
    const asked = await read(caller)
    context.call = asked
    const call = behindAlias(caller, asked)
    // A key that allows the alias allows its target.
    if (caller.models?.has(asked.model) === false && !caller.models.has(call.model)) {
      throw new GatewayError('relay.model_refused', unknownModelFor(caller, asked))
    }
    return { context, caller, call, askedModel: asked.model, holdId: context.requestId, startedAt, startedMs }
  }

  const inBackground = async ({ caller, context, call, askedModel }: AdmittedCall) => {
    context.setIdleTimeout(0)
    const begun = await startBackground(caller, context, call, askedModel)
    // Its log entry is written when the answer is fetched, perhaps by another node: there is nothing to record.
    context.recording?.entered('success', false)
    context.recording?.end(200)
    context.setIdleTimeout(IDLE_TIMEOUT_SEC)
    return Response.json(begun, { headers: relayHeaders(context.requestId) })
  }

  const startCall = async (admitted: AdmittedCall): Promise<StartedCall> => {
    const { context, caller, call, askedModel, holdId, startedAt, startedMs } = admitted
    if (!openFiles.take()) throw new GatewayError('server.busy')
    const candidates = candidatesFor(caller, call)
    let pass: LimitPass | undefined
    const activate = async (first: Candidate): Promise<ActiveCall> => {
      const quoted = quote(first, call)
      const estimate = quoted.free
        ? NO_USAGE
        : estimateCall(underName(call, quoted.model), options.values().PreConsumedQuota)
      const entering = pass === undefined ? rateLimiting.enter(caller, call.model, estimate) : undefined
      if (entering !== undefined) pass = await entering
      const amount = amountFor({ call, estimate }, quoted)
      const claims = claimsFor(caller, call, first)
      const hold = await ledger.hold(caller, holdId, amount, quoted.frozen, claims)
      context.isHeld = true
      return {
        ...{
          context,
          caller,
          call,
          askedModel,
          estimate,
          candidates,
          attempts: [],
          hold,
          pass,
          startedAt,
          startedMs,
          firstByteMs: undefined,
          dropped: undefined,
        },
        ...{ route: first.route, lease: first.lease, quote: quoted, channelKey: undefined },
      }
    }
    let spent: BudgetSpent | undefined
    for (let first = candidates.next(); first !== undefined; first = candidates.next()) {
      try {
        return { active: await activate(first), first }
      } catch (error) {
        first.lease.release()
        if (!(error instanceof BudgetSpent)) {
          giveBack(pass)
          throw error
        }
        spent = error
        // Another channel may still have budget left.
        if (budgets.scopeOf(error.budget) !== 'channel') break
        candidates.passOver(first, BUDGET_SPENT)
      }
    }
    giveBack(pass)
    context.candidates = candidates
    throw spent === undefined ? noChannelError(candidates, caller, call) : budgets.refusal(spent.budget)
  }

  return {
    /** For conversations: held and opened like any call, and settled by the caller of this function. */
    async openConversation<Answer>(
      context: RequestContext,
      key: string | undefined,
      call: Call,
      attemptOptions: AttemptOptions<Answer>,
    ) {
      const started = await startCall(await admit(context, key, () => call))
      context.setIdleTimeout(0)
      return { active: started.active, ...(await open(started, attemptOptions)) }
    },

    async handle(request: Request, context: RequestContext, { operation, hints }: Endpoint): Promise<Response> {
      const key = presentedKey(request)
      const admitted = await admit(context, key, (caller) => {
        if (caller.recording !== undefined) context.recording = record(caller, context, operation, key)
        return readCall(request, operation, hints, context.recording)
      })
      if (isBackground(admitted.call)) return inBackground(admitted)
      const client = request.signal
      // From here on the watchdog decides; a model may think for minutes before its first output.
      context.setIdleTimeout(0)
      const { requestId, trace } = context
      const own = items.of(admitted.caller.userId)
      const lane = { clock, http, sockets, requestId, credentials, items: own, trace }
      /** A client that has seen the end of an answer may refer to it at once, on any node. */
      const settleAndTell: Settle = async (...ended) => {
        const charged = await settle(...ended)
        await own.shared()
        return charged
      }
      const begin = async (instead?: FallbackModel) => {
        const started = await startCall(instead === undefined ? admitted : insteadOf(admitted, instead))
        const { active } = started
        return { active, ...(await open(started, { client, attempt: attemptFor(active.call, lane) })) }
      }
      const { active, answer, deadline } = await withFallbacks(begin, (reason) =>
        client.aborted ? [] : fallbacksOf(admitted, reason),
      )
      active.firstByteMs = monotonicMs(clock) - active.startedMs
      active.dropped = answer.dropped
      active.candidates.answered(active.route)
      const vendorHeaders =
        active.pass === undefined
          ? answer.headers
          : withOwnLimits(answer.headers, active.pass.headers(operation.family))
      const headers = {
        ...vendorHeaders,
        ...relayHeaders(context.requestId, operation.family),
        ...(active.call.model === active.askedModel ? {} : { 'x-tollgate-model': active.call.model }),
      }
      if (answer.kind === 'stream') {
        const { keepAlive } = operation.stream
        const showsCost = keepAlive !== undefined && !answer.bare && request.headers.get('x-tollgate-cost') === 'stream'
        const { ReadOnSeconds: readOnSeconds } = options.values()
        const ends = { settle: settleAndTell, upstream, deadline, client, readOnSeconds }
        const events = seenBy(trace, streamAnswer(answer, { active, ...ends, showsCost, now: () => clock.now() }))
        const isArray = wantsJsonArray(operation, request.url)
        // Bun accepts an async iterator as a body and ends it when the client disconnects; the DOM's types do not know
        // that.
        const shown = isArray ? asJsonArray(events) : events
        const type = isArray ? 'application/json; charset=UTF-8' : answer.type
        const { recording } = context
        const body = (recording === undefined
          ? shown
          : recordedStream(shown, recording, { type, client })) as unknown as BodyInit
        // Without keep-alives, only the watchdog can tell a working vendor from a dead one.
        context.setIdleTimeout(keepAlive === undefined ? 0 : STREAM_IDLE_TIMEOUT_SEC)
        return new Response(body, { headers: { ...headers, ...STREAM_HEADERS, 'content-type': type } })
      }
      deadline.clear()
      trace?.see(answer.bytes)
      if (!answer.ours) active.lease.succeeded()
      const charged = await settleAndTell(active, {
        outcome: 'success',
        reported: answer.usage,
        serviceTier: answer.serviceTier,
        imageUsage: answer.imageUsage,
        advisors: answer.advisors,
        counted: () => countResponse(underName(active.call, active.quote.model), answer.bytes),
      })
      context.setIdleTimeout(IDLE_TIMEOUT_SEC)
      context.recording?.answered(answer.bytes, answer.type)
      context.recording?.end(200)
      return new Response(answer.bytes, {
        headers: { ...headers, ...costHeaders(charged), 'content-type': answer.type },
      })
    },
  }
}

/** Each attempt has a hold of its own: that of the previous model is already settled. */
const insteadOf = (admitted: AdmittedCall, { model, number }: FallbackModel): AdmittedCall => ({
  ...admitted,
  call: underName(admitted.call, model),
  holdId: `${admitted.context.requestId}~${number}`,
})

/** A response that is fetched later. A streamed one arrives at once. */
const isBackground = ({ operation, body, stream }: Call) =>
  operation.name === 'responses' && body.background === true && !stream

/** The chunks, observed if the call is traced. */
function seenBy(trace: CallTrace | undefined, events: AsyncIterableIterator<Uint8Array>) {
  if (trace === undefined) return events
  const seen: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => seen,
    next: async () => {
      const next = await events.next()
      if (!next.done) trace.see(next.value)
      return next
    },
    return: () => events.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  }
  return seen
}

/** A channel disabled after failures is not back before somebody looks at it. */
const OUT_SEC = 60

/** All keys are at their own limits, or were set aside just now. */
const NO_KEY = failureOf('rate', 'No key of the channel can be used now')

const IDLE_TIMEOUT_SEC = 60
/** The watchdog ends a silent vendor first; a client that reads nothing for this long is gone. */
const STREAM_IDLE_TIMEOUT_SEC = 120

const STREAM_HEADERS = { 'x-accel-buffering': 'no' }

/** A failed call still counts as a request, with no usage. */
function giveBack(pass: LimitPass | undefined) {
  pass?.release()
  pass?.used(0)
}

function costHeaders({ cost, usage, source }: Charged) {
  return {
    'x-tollgate-cost': String(cost),
    'x-tollgate-usage': JSON.stringify(usage),
    'x-tollgate-cost-source': source,
  }
}

/** An administrator chose the channel: that one or none. */
function onlyCandidate(choice: Choice, health: Health): Candidates {
  let given = false
  return {
    next() {
      if (given) return undefined
      given = true
      return { ...choice, lease: health.take(choice.route.id) }
    },
    passOver: () => {},
    answered: () => {},
    keyOf: () => undefined,
    explain: () => ({
      considered: [{ channel: choice.route.id, name: choice.route.name, group: choice.group, priority: 0, weight: 0 }],
      excluded: [],
    }),
  }
}

/** A rate-limited caller gets a retry delay, even if the vendor did not give one. */
function withWait(error: AllFailed, restMs: number) {
  const { failure } = error
  if (failure.retryAfterSec !== undefined || restMs <= 0 || (failure.status !== 429 && failure.status !== 503))
    return error
  return new AllFailed({ ...failure, retryAfterSec: Math.ceil(restMs / 1000) }, error.stopped)
}

function reasonOf(error: unknown) {
  if (error instanceof AllFailed) return error.failure.message
  return error instanceof Error ? error.message : 'unknown'
}
