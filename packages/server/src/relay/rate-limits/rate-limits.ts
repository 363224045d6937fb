import type { GroupRateLimits } from '@tollgate/contract'
import { inputTokens, outputTokens, type Usage } from '@tollgate/providers'
import type { Clock } from '../../common/clock.ts'
import type { CallCounts } from '../../limits/call-counts.ts'
import type { TakeResult } from '../../limits/counter.ts'
import type { OptionsService } from '../../options/options-service.ts'
import type { RelayCaller } from '../caller/keys.ts'
import type { ApiFamily } from '../surfaces/api-family.ts'
import { type AppliedLimit, appliedLimits, groupOwner, keyOwner, type LimitsOf, userOwner } from './applied-limits.ts'
import { limitHeaders } from './limit-headers.ts'
import { RateLimited } from './rate-limited.ts'

/** What an allowed call has taken of its limits. */
export interface LimitPass {
  headers(family: ApiFamily): Record<string, string>
  /** Replaces the estimate by the tokens actually used so far. */
  used(tokens: number): void
  /** The call has ended. Idempotent. */
  release(): void
}

interface Needs {
  counts: CallCounts
  options: OptionsService
  clock: Clock
}

export type RateLimiting = ReturnType<typeof createRateLimiting>

/** Enforces the rate limits of key, user and group. Callers without limits are not counted. */
export const createRateLimiting = ({ counts, options, clock }: Needs) => {
  /** Made once for each caller, until the limits of its group change. */
  const known = new WeakMap<RelayCaller, CallerLimits>()

  const limitsOf = (caller: RelayCaller, ofGroup: GroupRateLimits | undefined) => {
    const found = known.get(caller)
    if (found !== undefined && found.ofGroup === ofGroup) return found
    const limits = callerLimits(caller, ofGroup)
    known.set(caller, limits)
    return limits
  }

  const enter = (applied: readonly AppliedLimit[], tokens: number, isCounted: boolean) => {
    const claims = applied.map((one) => {
      if (one.of === 'tpm') return withAmount(one, amountOf(one, tokens))
      return isCounted && one.of === 'rpm' && one.model === '' ? withAmount(one, 0) : one
    })
    const taken = counts.take(claims)
    return taken instanceof Promise ? taken.then((known) => passOf(claims, known)) : passOf(claims, taken)
  }

  const passOf = (claims: readonly AppliedLimit[], { states, refused }: TakeResult): LimitPass => {
    const headers = (family: ApiFamily) =>
      limitHeaders({ claims, states, taken: refused === undefined, nowMs: clock.now() }, family)
    const reached = refused && claims[refused.at]
    if (reached !== undefined) throw new RateLimited(reached, refused?.waitMs ?? 0, headers)
    return { headers, ...endOf(claims) }
  }

  const endOf = (claims: readonly AppliedLimit[]) => {
    /** The tokens that replaced the estimate. */
    let corrected: number | undefined
    let over = false
    return {
      used(tokens: number) {
        const wrong: AppliedLimit[] = []
        for (const claim of claims) {
          const counted = corrected ?? claim.amount
          if (claim.of === 'tpm' && counted !== tokens) wrong.push(withAmount(claim, tokens - counted))
        }
        corrected = tokens
        if (wrong.length > 0) counts.correct(wrong)
      },
      release() {
        if (over) return
        over = true
        counts.release(claims)
      },
    }
  }

  return {
    /**
     * Undefined for callers without limits: then nothing is counted. Work for several models counts against the limits of each. A request
     * that is counted already, because it was made to another model first, counts only against those of its model.
     */
    enter(
      caller: RelayCaller,
      models: readonly string[],
      estimate: Usage,
      isCounted = false,
    ): LimitPass | Promise<LimitPass> | undefined {
      const { GroupRateLimits } = options.values()
      const ofGroup = GroupRateLimits.size === 0 ? undefined : GroupRateLimits.get(caller.groups[0] ?? '')
      if (caller.limits === undefined && ofGroup === undefined) return undefined
      const { ofAllModels, owners } = limitsOf(caller, ofGroup)
      const applied = ofAllModels ?? appliedLimits(owners, models)
      if (applied.length === 0) return undefined
      return enter(applied, inputTokens(estimate) + outputTokens(estimate), isCounted)
    },
  }
}

interface CallerLimits {
  ofGroup: GroupRateLimits | undefined
  owners: readonly LimitsOf[]
  /** The same for every call; undefined if there are limits for single models. */
  ofAllModels: readonly AppliedLimit[] | undefined
}

function callerLimits(caller: RelayCaller, ofGroup: GroupRateLimits | undefined): CallerLimits {
  const { userId, tokenId, limits, groups } = caller
  const owners: LimitsOf[] = []
  if (limits !== undefined) {
    owners.push({ scope: 'key', owner: keyOwner(tokenId), limits: limits.key })
    owners.push({ scope: 'user', owner: userOwner(userId), limits: limits.user })
  }
  if (ofGroup !== undefined) {
    owners.push({ scope: 'group', owner: groupOwner(userId, groups[0] ?? '', ofGroup), limits: ofGroup })
  }
  const ofAllModels = owners.every((one) => one.limits.models === undefined) ? appliedLimits(owners, []) : undefined
  return { ofGroup, owners, ofAllModels }
}

/** Member by member, which costs a fraction of a spread: every call with a limit of tokens makes two of these. */
const withAmount = ({ scope, model, of, limit, key, kind }: AppliedLimit, amount: number): AppliedLimit => ({
  scope,
  model,
  of,
  limit,
  key,
  kind,
  amount,
})

/**
 * A call estimated above the whole limit takes all of it, and its actual usage is counted afterwards: an estimate is an upper
 * bound, and would otherwise lock out callers who request long answers.
 */
function amountOf({ limit }: AppliedLimit, tokens: number) {
  return Math.min(tokens, limit)
}
