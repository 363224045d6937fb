import { RATE_LIMIT_KINDS, type RateLimit } from '@tollgate/contract'
import type { RoutableKey } from '../catalog/routable-channel.ts'
import type { CallCounts } from '../limits/call-counts.ts'
import type { LimitClaim } from '../limits/counter.ts'

interface KeyClaim extends LimitClaim {
  of: keyof RateLimit
}

/** What a call has taken of its key's limits. */
export interface KeyPass {
  /** Replaces the estimate by the tokens actually used. */
  used(tokens: number): void
  release(): void
}

/** A call estimated above the whole limit takes all of it, as for a caller's limits. */
export const keyClaims = ({ id, limits }: Pick<RoutableKey, 'id' | 'limits'>, tokens: number): KeyClaim[] =>
  RATE_LIMIT_KINDS.flatMap((of) => {
    const limit = limits[of]
    if (limit === undefined) return []
    const amount = of === 'tpm' ? Math.min(tokens, limit) : 1
    return [{ of, key: `channel-key:${id}:${of}`, limit, kind: of === 'concurrency' ? 'open' : 'minute', amount }]
  })

export const keyPass = (counts: CallCounts, claims: readonly KeyClaim[]): KeyPass => ({
  used(tokens) {
    const wrong = claims
      .filter(({ of }) => of === 'tpm')
      .map((claim) => ({ ...claim, amount: tokens - claim.amount }))
      .filter(({ amount }) => amount !== 0)
    if (wrong.length > 0) counts.correct(wrong)
  },
  release() {
    const open = claims.filter(({ kind }) => kind === 'open')
    if (open.length > 0) counts.release(open)
  },
})
