/** The source of time, replaceable in tests and the demo. */
export interface Clock {
  now(): number
  /** Monotonic milliseconds for durations; falls back to the wall clock. */
  monotonic?(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** Milliseconds since its creation, even if the wall clock is changed meanwhile. */
export const stopwatch = (clock: Clock) => {
  const startedMs = monotonicMs(clock)
  return () => monotonicMs(clock) - startedMs
}

export const monotonicMs = (clock: Clock) => clock.monotonic?.() ?? clock.now()

export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000)
