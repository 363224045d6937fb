/** For each key `max` at once, and one more each time a share of the window has passed. A maximum of 0 is no limit. */
export interface Rule {
  name: string
  max: number
  windowSec: number
}

export type Verdict = { allowed: true } | { allowed: false; retryAfterSec: number }
