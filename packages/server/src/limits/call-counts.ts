import { type Clock, monotonicMs } from '../common/clock.ts'
import type { Counter, CounterState, LimitClaim, TakeResult } from './counter.ts'
import { createLocalCounts } from './local-counts.ts'
import type { SharedCounts } from './shared-counts.ts'

export type CallCounts = ReturnType<typeof createCallCounts>

/**
 * Rate limit counters of the relay's callers. With Redis the nodes share them; while Redis does not answer, each node counts
 * alone. Each node publishes its own open calls.
 */
export const createCallCounts = (clock: Clock, shared?: SharedCounts) => {
  const local = createLocalCounts()
  const nowMs = () => monotonicMs(clock)

  const take = (claims: readonly LimitClaim[], taken = local.take(claims, nowMs())) => {
    if (taken.refused !== undefined) local.close(claims)
    return taken
  }

  return {
    /** Whether the counters of all nodes are included right now. */
    isShared: () => shared?.answers() ?? false,

    /** Counts a call against all of its limits, or none of them. A node that counts alone answers at once. */
    take(claims: readonly LimitClaim[]): TakeResult | Promise<TakeResult> {
      local.open(claims)
      const taken = shared?.take(claims, local.openOf)
      return taken === undefined ? take(claims) : taken.then((known) => take(claims, known))
    },

    /** Corrects the counted amount. The call is not refused for it, but later ones wait longer. */
    correct(claims: readonly LimitClaim[]) {
      if (shared?.answers() === true) shared.correct(claims)
      else local.correct(claims, nowMs())
    },

    /** A call has ended. */
    release(counters: readonly Counter[]) {
      local.close(counters)
      shared?.tellOpen(counters, local.openOf)
    },

    async read(counters: readonly Counter[]): Promise<CounterState[]> {
      return (await shared?.read(counters, local.openOf)) ?? local.read(counters, nowMs())
    },
  }
}
