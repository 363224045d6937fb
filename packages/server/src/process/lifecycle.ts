import { type Clock, systemClock } from '../common/clock.ts'

/** Whether this process takes work. Load balancers ask `/readyz` and send it elsewhere before anything is refused. */
export type Lifecycle = ReturnType<typeof createLifecycle>

/** Who has not asked for so long does not watch. */
const WATCHED_MS = 30_000

interface Needs {
  /** How long the port stays open after readiness has gone. */
  noticeMs: number
  /** Others can take over: somebody may send calls here without ever asking whether we are ready. */
  hasPeers: boolean
  clock?: Clock
}

export const createLifecycle = ({ noticeMs, hasPeers, clock = systemClock }: Needs) => {
  let draining = false
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    /** Says whether work is taken, to one who will act upon it. */
    takesWork() {
      askedAt = clock.now()
      return !draining
    },
    /** Work is still done, and each answer asks for a new connection next time, which will go elsewhere. */
    isDraining: () => draining,
    /** Takes no more work soon. Resolves when whoever sends work has had time to notice; at once where nobody does. */
    async drain({ atOnce = false } = {}) {
      draining = true
      const isWatched = hasPeers || clock.now() - askedAt < WATCHED_MS
      if (!atOnce && isWatched) await Bun.sleep(noticeMs)
    },
  }
}
