import { type Clock, systemClock } from '../common/clock.ts'
import { withTimeout } from '../common/with-timeout.ts'

/** Whether this process takes work. Load balancers ask `/readyz` and send it elsewhere before anything is refused. */
export type Lifecycle = ReturnType<typeof createLifecycle>

/** Who has not asked for so long does not watch. */
const WATCHED_MS = 30_000
/** A balancer asks every few seconds; no stop waits for one longer than this. */
const NOTICE_MAX_MS = 5000

export const createLifecycle = (clock: Clock = systemClock) => {
  const balancerKnows = Promise.withResolvers<void>()
  let draining = false
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    /** Says whether work is taken, to one who will act upon it. */
    takesWork() {
      askedAt = clock.now()
      if (draining) balancerKnows.resolve()
      return !draining
    },
    /** Takes no more work soon. Resolves when whoever watches has been told; at once where nobody does. */
    async drain() {
      draining = true
      if (clock.now() - askedAt < WATCHED_MS) await withTimeout(NOTICE_MAX_MS, balancerKnows.promise)
    },
  }
}
