/** Where the product gets the time from, so that a test or the demo can give it another. */
export interface Clock {
  now(): number
  /** Milliseconds that nobody can set, for how long something took; where there are none, the time has to do. */
  monotonic?(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

/** Says how many milliseconds have passed since it was made, though the clock be set meanwhile. */
export const stopwatch = (clock: Clock) => {
  const startedMs = monotonicMs(clock)
  return () => monotonicMs(clock) - startedMs
}

export const monotonicMs = (clock: Clock) => clock.monotonic?.() ?? clock.now()

export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000)
