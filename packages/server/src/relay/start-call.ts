import { NO_USAGE } from '@tollgate/providers'
import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { Choice } from '../catalog/snapshot.ts'
import { GatewayError } from '../common/errors.ts'
import type { OpenFiles } from '../common/open-files.ts'
import { BudgetSpent, type CallLedger } from '../ledger/call-ledger.ts'
import type { OptionsService } from '../options/options-service.ts'
import { underName } from './answer.ts'
import type { CallCandidates } from './call-candidates.ts'
import type { RelayCaller } from './caller/keys.ts'
import type { Candidate } from './candidates.ts'
import { amountToHold, type QuoteCall } from './meter/call-quote.ts'
import { estimateCall } from './meter/estimate.ts'
import type { LimitPass, RateLimiting } from './rate-limits/rate-limits.ts'
import type { ActiveCall } from './settlement.ts'
import { continueWithoutBudget } from './spent-budgets.ts'
import type { Call } from './surfaces/call.ts'

/** An authenticated call. */
export interface AdmittedCall
  extends Pick<ActiveCall, 'context' | 'caller' | 'call' | 'requestedModel' | 'startedAt' | 'startedMs'> {
  holdId: string
}

/** A call with its hold, and the first channel to try. */
export interface StartedCall {
  active: ActiveCall
  first: Candidate
}

interface Needs {
  options: OptionsService
  ledger: CallLedger
  budgets: ActiveBudgets
  rateLimiting: RateLimiting
  openFiles: OpenFiles
  candidates: CallCandidates
  quoteCall: QuoteCall
}

/** Finds channels for a call, quotes it, counts it against rate limits, and holds its price. */
export const createStartCall = (needs: Needs) => {
  const { options, ledger, budgets, rateLimiting, openFiles, candidates: finder, quoteCall } = needs

  return async (admitted: AdmittedCall): Promise<StartedCall> => {
    const { context, caller, call, requestedModel, holdId, startedAt, startedMs } = admitted
    if (!openFiles.take()) throw new GatewayError('server.busy')
    const candidates = finder.find(caller, call)
    let pass: LimitPass | undefined
    const activate = async (first: Candidate): Promise<ActiveCall> => {
      const quote = quoteCall(first, call)
      const estimate = quote.free
        ? NO_USAGE
        : estimateCall(underName(call, quote.model), options.values().PreConsumedQuota)
      const entering =
        pass === undefined ? rateLimiting.enter(caller, [call.model], estimate, context.isCounted) : undefined
      if (entering !== undefined) pass = entering instanceof Promise ? await entering : entering
      context.isCounted = true
      const amount = amountToHold({ call, estimate }, quote)
      const claims = budgetClaims(budgets, caller, call, first)
      const hold = await ledger.hold(caller, holdId, amount, quote.frozen, claims)
      context.isHeld = true
      const { route, lease } = first
      return {
        context,
        caller,
        call,
        requestedModel,
        estimate,
        candidates,
        attempts: [],
        hold,
        pass,
        startedAt,
        startedMs,
        firstByteMs: undefined,
        dropped: undefined,
        route,
        lease,
        quote,
        channelKey: undefined,
      }
    }
    let spent: BudgetSpent | undefined
    let isCallers = false
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
        isCallers = !continueWithoutBudget(first, error, { budgets, candidates })
        if (isCallers) break
      }
    }
    giveBack(pass)
    context.candidates = candidates
    if (spent === undefined) throw finder.noneError(candidates, caller, call)
    // A channel that is cooling down is back sooner than the budget of another one.
    const resting = isCallers ? undefined : finder.restingError(candidates, call)
    throw resting ?? budgets.refusal(spent.budget)
  }
}

/** What a call on this channel counts against. */
export const budgetClaims = (
  budgets: ActiveBudgets,
  { tokenId, userId }: RelayCaller,
  { model }: Call,
  { route, group }: Choice,
) => budgets.claims({ tokenId, userId, group, channel: route.id, model })

/** A failed call still counts as a request, with no usage. */
function giveBack(pass: LimitPass | undefined) {
  pass?.release()
  pass?.used(0)
}
