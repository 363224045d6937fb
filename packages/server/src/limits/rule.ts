/** A burst of `max` per key, refilled evenly over the window. A maximum of 0 means no limit. */
export interface Rule {
  name: string
  max: number
  windowSec: number
}

export type Verdict = { allowed: true } | { allowed: false; retryAfterSec: number }
