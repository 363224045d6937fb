/** Where the product gets the time from, so that a test or the demo can give it another. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000)
