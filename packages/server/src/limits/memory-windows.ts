import type { Rule } from './rule.ts'

/** A flood of made-up addresses must not fill the memory: above this the least recently used keys are dropped. */
const KEYS_MAX = 50_000

/** Clock corrections of this size are normal. */
const SLACK_MS = 1000

/**
 * An exact sliding window from one number per key: the time at which its whole allowance will be available again. Each request
 * moves that time by a share of the window, and is refused if it would be more than a window ahead.
 */
export const createMemoryWindows = () => {
  const wholeAt = new Map<string, number>()

  return {
    /** Moves a key by one share, or back. Returns 0, or the milliseconds until one share is free. */
    move(key: string, shares: 1 | -1, rule: Rule, nowMs: number) {
      const windowMs = rule.windowSec * 1000
      const known = wholeAt.get(key) ?? 0
      // It is never more than a window ahead, unless the clock was set back; then it is meaningless.
      const before = known > nowMs + windowMs + SLACK_MS ? nowMs : Math.max(known, nowMs)
      const after = Math.max(before + (shares * windowMs) / rule.max, nowMs)
      const waitMs = after - nowMs - windowMs
      // Shares are fractions whose sum may slightly miss the window.
      if (waitMs >= 1) return waitMs
      wholeAt.delete(key)
      wholeAt.set(key, after)
      if (wholeAt.size > KEYS_MAX) wholeAt.delete(wholeAt.keys().next().value ?? '')
      return 0
    },
  }
}
