import { type Clock, monotonicMs } from '../common/clock.ts'
import { createLateness, type Lateness } from '../common/lateness.ts'

/** Proxies close connections that are silent for half a minute. */
export const QUIET_MS = 15_000
const CHECK_MS = 1000

/** Notices that a caller has heard nothing for a while. */
export type Quiet = Lateness

export const createQuietTimes = (clock: Clock): Quiet =>
  createLateness({ afterMs: QUIET_MS, checkMs: CHECK_MS, now: () => monotonicMs(clock) })
