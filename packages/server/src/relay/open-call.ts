import { failureOf, inputTokens, outputTokens, type UpstreamFailure } from '@tollgate/providers'
import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { Choice } from '../catalog/snapshot.ts'
import { type Clock, monotonicMs } from '../common/clock.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Health } from '../upstream/health.ts'
import { isOfKey, type KeyPools, mayFitOtherKey } from '../upstream/key-pools.ts'
import { AllFailed, type Deadline, type Retriable, type Upstream } from '../upstream/open.ts'
import { upstreamModel } from './answer.ts'
import { type Candidate, NO_USABLE_KEY, PRICE_NOT_COVERED } from './candidates.ts'
import { amountToHold, type QuoteCall } from './meter/call-quote.ts'
import { outcomeOfError } from './outcome.ts'
import type { ActiveCall, Settle } from './settlement.ts'
import { budgetClaims, type StartedCall } from './start-call.ts'
import type { Call } from './surfaces/call.ts'
import { statusOf } from './surfaces/render-error.ts'
import { startDeadline } from './timeouts/deadline.ts'
import type { Timeouts, Watchdog } from './timeouts/watchdog.ts'

/** How a channel is tried, for whom, and until when. */
export interface AttemptOptions<Answer> {
  client: AbortSignal
  attempt(route: Choice['route'], signal: AbortSignal, deadline: Deadline): Promise<Answer>
  timeouts?: Timeouts
}

/** A channel to try, with the key reserved for this call. */
interface Attemptable extends Candidate, Retriable<Attemptable> {}

interface Needs {
  options: OptionsService
  budgets: ActiveBudgets
  upstream: Upstream
  health: Health
  keyPools: KeyPools
  watchdog: Watchdog
  settle: Settle
  clock: Clock
  quoteCall: QuoteCall
}

/**
 * Opens the upstream; retries go to more expensive channels only when the hold can be extended to cover them. If no channel
 * answers, the call is settled as failed, which also releases its channel.
 */
export const createOpenCall = (needs: Needs) => {
  const { options, budgets, upstream, health, keyPools, watchdog, settle, clock, quoteCall } = needs

  /** For a channel with several keys, one that was not tried yet; undefined when none can be used now. */
  const withKey = async (
    active: ActiveCall,
    choice: Candidate,
    tried = keysWithoutFiles(choice.route, active.call),
  ): Promise<Attemptable | undefined> => {
    const tokens = inputTokens(active.estimate) + outputTokens(active.estimate)
    const taken = await keyPools.take(choice, {
      ...{ model: active.call.model, tokens, tried },
      preferred: active.candidates.keyOf(choice.route),
    })
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
      isOfKey(failure) || mayFitOtherKey(failure, tried.size)
        ? withKey(active, { ...choice, lease: health.take(choice.route.id, active.call.model) }, tried)
        : undefined
    return { ...choice, route, lease, withNextKey }
  }

  return <Answer>({ active, first }: StartedCall, attemptOptions: AttemptOptions<Answer>) => {
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
        const quote = quoteCall(choice, call)
        if (await hold.extend(amountToHold(active, quote), { budgets: budgetClaims(budgets, caller, call, choice) })) {
          active.route = choice.route
          active.quote = quote
          active.channelKey?.used(0)
          active.channelKey = undefined
          const attemptable = choice.route.pool === undefined ? choice : await withKey(active, choice)
          if (attemptable !== undefined) return attemptable
          candidates.passOver(choice, NO_USABLE_KEY)
          continue
        }
        choice.lease.release()
        candidates.passOver(choice, PRICE_NOT_COVERED)
      }
      return undefined
    }
    const retriesMax = caller.pinned === undefined ? options.values().RetryTimes : 0
    const { tokenId } = caller
    const start = ({ firstByteTimeoutMs: firstByteMs }: Choice['route']) =>
      startDeadline(watchdog, client, { startedAt, timeouts, firstByteMs, tokenId })
    const openFrom = (begin: Attemptable) =>
      upstream.open({ first: begin, next, isLate, retriesMax, attempt, attempts, client, startDeadline: start, trace })
    const noKey = (route: Choice['route']) => {
      const waitMs = Math.max(health.closedForMs(route.id, call.model), keyPools.waitMs(route, call.model))
      return { ...NO_KEY, retryAfterSec: Math.max(1, Math.ceil(waitMs / 1000)) }
    }
    const openWithKey = async () => {
      const begin = await withKey(active, first)
      if (begin !== undefined) return openFrom(begin)
      candidates.passOver(first, NO_USABLE_KEY)
      const other = await next()
      if (other === undefined) throw new AllFailed(noKey(first.route))
      return openFrom(other)
    }
    const opening = first.route.pool === undefined ? openFrom(first) : openWithKey()
    return opening.catch(async (error) => {
      await settle(active, () => ({
        ...{ reported: undefined, counted: undefined, outcome: outcomeOfError(error), error: reasonOf(error) },
        status: statusOf(error, call.operation.family),
        ...(error instanceof AllFailed && { stopped: error.stopped }),
      }))
      throw error instanceof AllFailed ? withWait(error, health.closedForMs(active.route.id, call.model)) : error
    })
  }
}

/** Files belong to the account of one key of a pool: the others are as good as tried. */
const keysWithoutFiles = ({ pool }: Choice['route'], { stored }: Call) =>
  new Set(stored === undefined ? [] : pool?.keys.flatMap(({ id }) => (id === stored.key ? [] : [id])))

/** All keys are at their own limits, or were set aside just now. */
const NO_KEY = failureOf('rate', 'No key of the channel can be used now')

/** A rate-limited caller gets a retry delay, even if the vendor did not give one. */
function withWait(error: AllFailed, waitMs: number) {
  const { failure } = error
  if (failure.retryAfterSec !== undefined || waitMs <= 0 || (failure.status !== 429 && failure.status !== 503))
    return error
  return new AllFailed({ ...failure, retryAfterSec: Math.ceil(waitMs / 1000) }, error.stopped)
}

function reasonOf(error: unknown) {
  if (error instanceof AllFailed) return error.failure.message
  return error instanceof Error ? error.message : 'unknown'
}
