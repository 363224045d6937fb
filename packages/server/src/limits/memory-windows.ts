import type { Rule } from './rule.ts'

/** A flood of made-up addresses must not fill the memory: beyond this the least recently used keys go. */
const KEYS_MAX = 50_000

/** Clocks are corrected by as much without anybody having set them. */
const SLACK_MS = 1000

/**
 * A window that slides exactly, from one number per key: the time at which its whole allowance will be there again.
 * One more moves that time on by a share of the window, and is refused if it would lie more than a window ahead.
 */
export const createMemoryWindows = () => {
  const wholeAt = new Map<string, number>()

  return {
    /** Moves a key on by one share, or back. Answers 0, or the milliseconds until one share is free. */
    move(key: string, shares: 1 | -1, rule: Rule, nowMs: number) {
      const windowMs = rule.windowSec * 1000
      const known = wholeAt.get(key) ?? 0
      // It is never more than a window ahead, unless the clock was set back; then it means nothing any more.
      const before = known > nowMs + windowMs + SLACK_MS ? nowMs : Math.max(known, nowMs)
      const after = Math.max(before + (shares * windowMs) / rule.max, nowMs)
      const waitMs = after - nowMs - windowMs
      // Shares are fractions, and their sum may miss the window by a hair.
      if (waitMs >= 1) return waitMs
      wholeAt.delete(key)
      wholeAt.set(key, after)
      if (wholeAt.size > KEYS_MAX) wholeAt.delete(wholeAt.keys().next().value ?? '')
      return 0
    },
  }
}
