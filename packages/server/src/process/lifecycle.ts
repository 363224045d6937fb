import { type Clock, systemClock } from '../common/clock.ts'

/** Whether this process accepts work. Load balancers query `/readyz` and redirect traffic before anything is refused. */
export type Lifecycle = ReturnType<typeof createLifecycle>

/** A balancer that has not queried for this long is not watching. */
const WATCHED_MS = 30_000

interface Needs {
  /** How long the port stays open after readiness ended. */
  noticeMs: number
  /** There are other nodes: traffic may arrive here without any readiness check. */
  hasPeers: boolean
  clock?: Clock
}

export const createLifecycle = ({ noticeMs, hasPeers, clock = systemClock }: Needs) => {
  let draining = false
  let askedAt = Number.NEGATIVE_INFINITY
  return {
    /** Whether work is accepted, recorded as a readiness check. */
    takesWork() {
      askedAt = clock.now()
      return !draining
    },
    /** Work is still accepted, and each answer asks for a new connection, which will reach another node. */
    isDraining: () => draining,
    /** Stops accepting work soon. Resolves when balancers had time to notice; at once when there are none. */
    async drain({ atOnce = false } = {}) {
      draining = true
      const isWatched = hasPeers || clock.now() - askedAt < WATCHED_MS
      if (!atOnce && isWatched) await Bun.sleep(noticeMs)
    },
  }
}
