import type { GroupRateLimits } from '@tollgate/contract'
import { inputTokens, outputTokens, type Usage } from '@tollgate/providers'
import type { Clock } from '../../common/clock.ts'
import type { CallCounts } from '../../limits/call-counts.ts'
import type { LimitClaim } from '../../limits/counter.ts'
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
  const enter = async (applied: readonly AppliedLimit[], tokens: number): Promise<LimitPass> => {
    const claims = applied.map((one) => claimOf(one, amountOf(one, tokens)))
    const { states, refused } = await counts.take(claims)
    const headers = (family: ApiFamily) =>
      limitHeaders({ claims, states, taken: refused === undefined, nowMs: clock.now() }, family)
    const reached = refused && claims[refused.at]
    if (reached !== undefined) throw new RateLimited(reached, refused?.waitMs ?? 0, headers)
    return { headers, ...endOf(claims) }
  }

  const endOf = (claims: readonly (AppliedLimit & LimitClaim)[]) => {
    /** What each of them has counted for this call; only those of tokens are corrected. */
    let counted = claims
    let over = false
    return {
      used(tokens: number) {
        const wrong: (AppliedLimit & LimitClaim)[] = []
        counted = counted.map((claim) => {
          if (claim.of !== 'tpm' || claim.amount === tokens) return claim
          wrong.push(claimOf(claim, tokens - claim.amount))
          return claimOf(claim, tokens)
        })
        if (wrong.length > 0) counts.correct(wrong)
      },
      release() {
        if (over) return
        over = true
        const open = claims.filter(({ kind }) => kind === 'open')
        if (open.length > 0) counts.release(open)
      },
    }
  }

  return {
    /** Undefined for callers without limits: then nothing is counted. Work for several models counts against the limits of each. */
    enter(caller: RelayCaller, models: readonly string[], estimate: Usage): Promise<LimitPass> | undefined {
      const { GroupRateLimits } = options.values()
      const group = caller.groups[0] ?? ''
      const ofGroup = GroupRateLimits.size === 0 ? undefined : GroupRateLimits.get(group)
      if (caller.limits === undefined && ofGroup === undefined) return undefined
      const applied = appliedLimits(limitsOf(caller, ofGroup && { group, limits: ofGroup }), models)
      if (applied.length === 0) return undefined
      return enter(applied, inputTokens(estimate) + outputTokens(estimate))
    },
  }
}

function limitsOf(caller: RelayCaller, ofGroup: { group: string; limits: GroupRateLimits } | undefined): LimitsOf[] {
  const { userId, tokenId, limits } = caller
  const found: LimitsOf[] = []
  if (limits !== undefined) {
    found.push({ scope: 'key', owner: keyOwner(tokenId), limits: limits.key })
    found.push({ scope: 'user', owner: userOwner(userId), limits: limits.user })
  }
  if (ofGroup !== undefined) {
    const owner = groupOwner(userId, ofGroup.group, ofGroup.limits)
    found.push({ scope: 'group', owner, limits: ofGroup.limits })
  }
  return found
}

/** Member by member, which costs a fraction of a spread: every limit of every call becomes two of these. */
const claimOf = ({ scope, model, of, limit, key, kind }: AppliedLimit, amount: number) => ({
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
function amountOf({ of, limit }: AppliedLimit, tokens: number) {
  return of === 'tpm' ? Math.min(tokens, limit) : 1
}
