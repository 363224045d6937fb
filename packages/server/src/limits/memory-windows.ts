import type { Windows } from './limiter.ts'

/** A flood of made-up addresses must not fill the memory: beyond this the least recently used keys go. */
const KEYS_MAX = 50_000

interface Counter {
  window: number
  current: number
  previous: number
}

/** Sliding windows from two counters: the last full window weighs less the further the present one has come. */
export const createMemoryWindows = (): Windows => {
  const counters = new Map<string, Counter>()

  return {
    async add(key, amount, rule, nowMs) {
      const position = nowMs / 1000 / rule.windowSec
      const window = Math.floor(position)
      const counter = moved(counters.get(key), window)
      counter.current = Math.max(0, counter.current + amount)
      counters.delete(key)
      counters.set(key, counter)
      if (counters.size > KEYS_MAX) counters.delete(counters.keys().next().value ?? '')
      return slidingCount(counter.current, counter.previous, position - window)
    },
  }
}

/** The previous window's share is rounded down, so that a whole allowance is there when a window was idle. */
export const slidingCount = (current: number, previous: number, passed: number) =>
  current + Math.floor(previous * (1 - passed))

function moved(counter: Counter | undefined, window: number): Counter {
  if (counter === undefined || counter.window < window - 1) return { window, current: 0, previous: 0 }
  if (counter.window < window) return { window, current: 0, previous: counter.current }
  return counter
}
