import type { Clock } from '../common/clock.ts'
import { createMemoryWindows } from './memory-windows.ts'
import type { RedisWindows } from './redis-windows.ts'
import type { Rule, Verdict } from './rule.ts'

export interface Limiter {
  /** Takes one for the key and says whether that was allowed. A refused one is not counted. */
  take(rule: Rule, key: string): Promise<Verdict>
  /** Gives one back: it turned out not to be what the rule counts. */
  giveBack(rule: Rule, key: string): Promise<void>
}

/** With Redis the nodes share their counters; while Redis does not answer, each node counts alone. */
export const createLimiter = (clock: Clock, shared?: RedisWindows): Limiter => {
  const local = createMemoryWindows()

  const move = async (rule: Rule, key: string, shares: 1 | -1) => {
    const name = `${rule.name}:${key}`
    const nowMs = clock.now()
    return (await shared?.tryMove(name, shares, rule)) ?? local.move(name, shares, rule, nowMs)
  }

  return {
    async take(rule, key) {
      if (rule.max === 0) return { allowed: true }
      const waitMs = await move(rule, key, 1)
      return waitMs === 0 ? { allowed: true } : { allowed: false, retryAfterSec: Math.ceil(waitMs / 1000) }
    },
    async giveBack(rule, key) {
      if (rule.max > 0) await move(rule, key, -1)
    },
  }
}
