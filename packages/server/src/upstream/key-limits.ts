import { RATE_LIMIT_KINDS, type RateLimit } from '@tollgate/contract'
import type { RoutableKey } from '../catalog/routable-channel.ts'
import type { CallCounts } from '../limits/call-counts.ts'
import type { Demand } from '../limits/counter.ts'

interface KeyDemand extends Demand {
  of: keyof RateLimit
}

/** What a call has taken of its key's limits. */
export interface KeyPass {
  /** Replaces the estimate by the tokens actually used. */
  used(tokens: number): void
  release(): void
}

/** A call estimated above the whole limit takes all of it, as for a caller's limits. */
export const keyDemands = ({ id, limits }: Pick<RoutableKey, 'id' | 'limits'>, tokens: number): KeyDemand[] =>
  RATE_LIMIT_KINDS.flatMap((of) => {
    const limit = limits[of]
    if (limit === undefined) return []
    const amount = of === 'tpm' ? Math.min(tokens, limit) : 1
    return [{ of, key: `channel-key:${id}:${of}`, limit, kind: of === 'concurrency' ? 'open' : 'minute', amount }]
  })

export const keyPass = (counts: CallCounts, demands: readonly KeyDemand[]): KeyPass => ({
  used(tokens) {
    const wrong = demands
      .filter(({ of }) => of === 'tpm')
      .map((demand) => ({ ...demand, amount: tokens - demand.amount }))
      .filter(({ amount }) => amount !== 0)
    if (wrong.length > 0) counts.correct(wrong)
  },
  release() {
    const open = demands.filter(({ kind }) => kind === 'open')
    if (open.length > 0) counts.release(open)
  },
})
