import { LogType, type Outcome } from '@tollgate/contract'
import { type AdvisorUsage, BUCKETS, inputTokens, NO_USAGE, outputTokens, type Usage } from '@tollgate/providers'
import type { Route } from '../catalog/snapshot.ts'
import { type Clock, monotonicMs } from '../common/clock.ts'
import type { Log } from '../common/log.ts'
import { storableText } from '../common/storable-text.ts'
import type { CallLog } from '../ledger/books.ts'
import type { OpenHold } from '../ledger/call-ledger.ts'
import type { BudgetChange } from '../ledger/commands.ts'
import { recoveredLog } from '../ledger/recovered-log.ts'
import { CHARGE_MAX } from '../ledger/reducer.ts'
import { TOOLS } from '../ledger/rounding.ts'
import type { Attempt, CostSource } from '../logs/call-detail.ts'
import type { KeyPass } from '../upstream/key-limits.ts'
import type { Lease } from '../upstream/lease.ts'
import type { Stopped } from '../upstream/open.ts'
import { type Dropped, underName } from './answer.ts'
import type { RelayCaller } from './caller/keys.ts'
import type { Candidates } from './candidates.ts'
import { withBothSides } from './meter/one-sided-usage.ts'
import { isPlausible, type Reported } from './meter/plausible-usage.ts'
import { priceOfOtherModel, type Quote, quoteAtServiceTier, quoteOfServingModel } from './meter/quote.ts'
import { callLog, priceOfUsage } from './meter/receipt.ts'
import { inSoldUnits, isSoldByCharacter, lacksSoldUnits } from './meter/sold-units.ts'
import type { LimitPass } from './rate-limits/rate-limits.ts'
import type { RequestContext } from './request-context.ts'
import type { Call } from './surfaces/call.ts'

/** Everything known of a running call. */
export interface ActiveCall {
  context: RequestContext
  caller: RelayCaller
  call: Call
  /** The model by the caller's name, which may be an alias or one that could not answer. */
  requestedModel: string
  /** The estimate used for the hold. */
  estimate: Usage
  candidates: Candidates
  attempts: Attempt[]
  hold: OpenHold
  /** What it has taken of rate limits; undefined for a caller without limits. */
  pass: LimitPass | undefined
  startedAt: number
  /** Monotonic time. */
  startedMs: number
  /** Time to first byte; undefined without an answer. */
  firstByteMs: number | undefined
  dropped: Dropped | undefined
  /** The last channel and its price. The settlement ends the lease, whatever the outcome. */
  route: Route
  lease: Lease
  quote: Quote
  /** What it has taken of the key's limits; undefined when the channel has a single key. */
  channelKey: KeyPass | undefined
}

/** How a call ended. */
export interface CallEnd {
  outcome: Outcome
  /** The vendor's usage; undefined when there is none. */
  reported: Reported | undefined
  /** Our own count when usage is missing or implausible; undefined when nothing was delivered. */
  counted: (() => Usage) | undefined
  /** The cost of other models that worked for this call, at their own prices. */
  beside?: number
  /** The service tier that the vendor reports. */
  serviceTier?: string | undefined
  /** The usage of generated images, at the price of the image model. */
  imageUsage?: Usage | undefined
  /** The usage of advisor models, each at its own price. */
  advisors?: AdvisorUsage[] | undefined
  /** The model that wrote the answer in place of the called one, at its own price. */
  servingModel?: string | undefined
  flag?: string
  /** Why a billed answer was not completed. */
  reason?: string
  error?: string
  /** The status sent to the caller of a failed call. */
  status?: number | undefined
  /** Why an unanswered call was not tried elsewhere. */
  stopped?: Stopped | undefined
}

export interface Charged {
  cost: number
  usage: Usage
  source: CostSource
  /** Part of the cost: other models. */
  beside: number | undefined
}

interface Needs {
  clock: Clock
  log: Log
  keepLogs(): boolean
  /** Called for each recorded call, with its log row. */
  onSettled(log: CallLog): void
  onBalance(change: { userId: number; from: number; to: number }): void
  /** Called for charges that count against budgets. */
  onBudgets(changes: readonly BudgetChange[]): void
  /** Called for implausible usage. */
  onAnomaly(call: { channel: { id: number; name: string }; model: string; requestId: string }): void
  /** Counts charged and failed calls; undefined without metrics. */
  count?: ((row: CallLog) => void) | undefined
}

/**
 * Settles the hold of a call. The end is computed here, because whatever fails on the way, even by a bug, must not leave the hold open
 * for as long as the process lives. Rejects if no price could be computed.
 */
export type Settle = (active: ActiveCall, end: () => CallEnd | Promise<CallEnd>) => Promise<Charged>

/** A vendor's message is written to the log. */
const ERROR_MAX = 500
const storable = (text: string) => storableText(text, ERROR_MAX)

/** Settles the hold of a call at its actual cost. */
export const createSettle = (needs: Needs): Settle => {
  const { clock, log, keepLogs, onSettled, onBalance, onBudgets, onAnomaly, count } = needs
  const notice = ({ context, route, quote, pass, channelKey }: ActiveCall, charged: Charged, end: CallEnd) => {
    const tokens = inputTokens(charged.usage) + outputTokens(charged.usage)
    pass?.used(tokens)
    channelKey?.used(tokens)
    if (charged.source !== 'usage_anomaly') return
    const { requestId } = context
    const { id, name } = route
    log.warn('A vendor reported a usage that cannot be', { channel: id, requestId, ...end })
    onAnomaly({ channel: { id, name }, model: quote.model, requestId })
  }

  const post = async (active: ActiveCall, charged: Charged, end: CallEnd) => {
    const { hold, caller, route, quote, firstByteMs, attempts, candidates, dropped } = active
    notice(active, charged, end)
    const done = end.error === undefined
    const keepLog = done ? keepLogs() : true
    const row = callLog({
      caller,
      quote,
      firstByteMs,
      attempts,
      candidates,
      dropped,
      requestId: active.context.requestId,
      channel: route.id,
      requestedModel: active.requestedModel,
      session: active.call.agent?.id,
      stream: active.call.stream,
      usage: charged.usage,
      source: charged.source,
      cost: charged.cost,
      endedAt: clock.now(),
      elapsedMs: monotonicMs(clock) - active.startedMs,
      outcome: end.outcome,
      status: end.status,
      stopped: end.stopped,
      flag: end.flag,
      reason: end.reason === undefined ? undefined : storable(end.reason),
      beside: charged.beside,
      error: end.error === undefined ? undefined : storable(end.error),
      recorded: active.context.recording?.entered(end.outcome, keepLog),
    })
    count?.(row)
    const { context, requestedModel, call } = active
    context.trace?.settled(row, { hasAnswer: active.firstByteMs !== undefined, requestedModel, model: call.model })
    const { balance, budgets } = await hold.settle({
      actual: charged.cost,
      done,
      channelId: route.id,
      channelKeyId: route.poolKey?.id,
      log: row,
      keepLog,
    })
    onSettled(row)
    if (balance !== undefined && balance.to < balance.from) onBalance({ userId: caller.userId, ...balance })
    if (budgets !== undefined) onBudgets(budgets)
  }

  /** By the amount that is known. If the hold is settled already, or is missing, this changes nothing. */
  const settleWithoutReceipt = async (active: ActiveCall, known: number, error: unknown) => {
    const { hold, caller, quote, route, context } = active
    const { requestId } = context
    log.error('A call was not settled as usual', { error, requestId, charged: known })
    const paid = known > 0
    const row = recoveredLog({ ...caller, id: requestId, price: quote.frozen }, clock, NOT_SETTLED)
    await hold
      .settle({
        ...{ actual: known, done: paid, channelId: route.id, channelKeyId: route.poolKey?.id, keepLog: true },
        log: { ...row, channel: route.id, quota: known, type: paid ? LogType.consume : LogType.failed },
      })
      .catch((missing) => log.error('A charge could not be written', { error: missing, requestId }))
  }

  return async (call, endOf) => {
    try {
      const end = await endOf()
      release(call)
      const quote = quoteFor(call.quote, end)
      const active = quote === call.quote ? call : { ...call, quote }
      const charged = priced(active, end)
      await post(active, charged, end).catch((error) => settleWithoutReceipt(call, charged.cost, error))
      return charged
    } catch (error) {
      release(call)
      // As after a crash of the process.
      await settleWithoutReceipt(call, Math.min(call.hold.used(), call.hold.amount()), error)
      throw error
    }
  }
}

function release({ lease, pass }: ActiveCall) {
  lease.release()
  pass?.release()
}

const NOT_SETTLED = {
  zh: '网关内部错误，无法正常结算：按已知用量计费',
  en: 'An error in the gateway prevented the usual settlement: charged by the known usage',
}

const nothing = () => NO_USAGE

/** The reported service tier counts; without usage, the requested one. */
const quoteFor = (quote: Quote, { serviceTier, reported, servingModel }: CallEnd) =>
  quoteOfServingModel(
    serviceTier === undefined && reported === undefined ? quote : quoteAtServiceTier(quote, serviceTier),
    servingModel,
  )

/** Without plausible usage, our own count is charged; never more than any price can be. */
function priced(active: ActiveCall, end: CallEnd): Charged {
  const charged = pricedAlone(active, end)
  const beside = (end.beside ?? 0) + pictures(active, end) + advice(active, end)
  if (beside === 0) return { ...charged, beside: undefined }
  return { ...charged, cost: Math.min(charged.cost + beside, CHARGE_MAX), beside }
}

function pictures({ quote }: ActiveCall, { imageUsage }: CallEnd) {
  if (imageUsage === undefined || quote.imagePrice === undefined || !isPlausible(imageUsage, undefined, () => 0))
    return 0
  return priceOfUsage(imageUsage, { ...quote, price: quote.imagePrice })
}

/** A model that the call does not name costs the same as the call's own model. */
function advice({ quote }: ActiveCall, { advisors = [] }: CallEnd) {
  const prices = advisors
    .filter(({ usage }) => isPlausible(usage, undefined, () => 0))
    .map(({ model, usage }) => priceOfUsage(usage, { ...quote, price: priceOfOtherModel(quote, model) }))
  return prices.reduce((sum, price) => sum + price, 0)
}

const isUsage = (reported: Reported | undefined): reported is Usage =>
  reported !== undefined && reported !== 'implausible' && reported !== 'free'

/** Some vendors fill in zeros where they do not count; that is not usage of an answer. */
const isNothing = (usage: Usage) => BUCKETS.every((bucket) => usage[bucket] === 0)

function pricedAlone(
  { quote, call, estimate }: ActiveCall,
  { reported, counted: countHere, error }: CallEnd,
): Omit<Charged, 'beside'> {
  if (error !== undefined && reported === undefined && countHere === undefined) {
    return { cost: 0, usage: NO_USAGE, source: 'reported' }
  }
  if (reported === 'free') return { cost: 0, usage: NO_USAGE, source: 'reported' }
  const count = countHere ?? nothing
  const byCharacter = estimate.characters > 0 && isSoldByCharacter(quote.price)
  const isUnsold =
    byCharacter ||
    (isUsage(reported) &&
      (lacksSoldUnits(reported, underName(call, quote.model), quote.price) ||
        (isNothing(reported) && !isNothing(count()))))
  const isReport = reported !== undefined && !isUnsold
  if (isReport && reported !== 'implausible' && isPlausible(reported, call, () => inputTokens(count()))) {
    const usage = call.operation.writes ? withBothSides(reported, count) : reported
    const cost = priceOfUsage(usage, quote)
    if (cost <= CHARGE_MAX) return { cost, usage, source: usage === reported ? 'reported' : 'estimated' }
  }
  const counted = atMost(count(), quote)
  if (!isReport) return { ...counted, source: 'estimated' }
  const bound = reported === 'implausible' ? counted : atMost(boundOf(estimate, reported), quote)
  return { ...(bound.cost > counted.cost ? bound : counted), source: 'usage_anomaly' }
}

const atMost = (usage: Usage, quote: Quote) => ({
  cost: Math.min(priceOfUsage(usage, quote), CHARGE_MAX),
  usage: inSoldUnits(usage, quote.price),
})

/**
 * A vendor that reports impossible usage has done some work, of unknown size: it is charged at the hold's estimate, or at our own
 * count if that is more, but no bucket is charged that the report does not contain.
 */
function boundOf(estimate: Usage, reported: Usage): Usage {
  const input = inputTokens(reported) < inputTokens(estimate) ? reported : estimate
  return {
    ...input,
    output: Math.min(estimate.output, outputTokens(reported) - reported.imageOutput),
    reasoning: 0,
    audioOutput: 0,
    imageOutput: Math.min(estimate.imageOutput, reported.imageOutput),
    ...Object.fromEntries(TOOLS.map((tool) => [tool, Math.min(estimate[tool], reported[tool])])),
  }
}
