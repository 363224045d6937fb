import { type Clock, monotonicMs } from '../common/clock.ts'
import type { Counter, Demand, Standing, Taken } from './counter.ts'
import { createLocalCounts } from './local-counts.ts'
import type { SharedCounts } from './shared-counts.ts'

export type CallCounts = ReturnType<typeof createCallCounts>

/**
 * How much of its limits each caller of the relay uses. With Redis the nodes count together; while Redis does not answer,
 * each counts for itself. Open calls are known to the node that has them, which tells the others.
 */
export const createCallCounts = (clock: Clock, shared?: SharedCounts) => {
  const local = createLocalCounts()
  const nowMs = () => monotonicMs(clock)

  return {
    /** Whether all nodes are counted at this moment. */
    isShared: () => shared?.answers() ?? false,

    /** Counts a call by all of its limits, or by none of them. */
    async take(demands: readonly Demand[]): Promise<Taken> {
      local.open(demands)
      const taken = (await shared?.take(demands, local.openOf)) ?? local.take(demands, nowMs())
      if (taken.refused !== undefined) local.close(demands)
      return taken
    },

    /** A call used more than was counted, or less. It is not refused for it; the next ones wait longer. */
    correct(demands: readonly Demand[]) {
      if (shared?.answers() === true) shared.correct(demands)
      else local.correct(demands, nowMs())
    },

    /** A call is over. */
    release(counters: readonly Counter[]) {
      local.close(counters)
      shared?.tellOpen(counters, local.openOf)
    },

    async read(counters: readonly Counter[]): Promise<Standing[]> {
      return (await shared?.read(counters, local.openOf)) ?? local.read(counters, nowMs())
    },
  }
}
