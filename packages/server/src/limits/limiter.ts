import type { Clock } from '../clock.ts'
import { createMemoryWindows } from './memory-windows.ts'
import type { RedisWindows } from './redis-windows.ts'

/** At most `max` per `windowSec`, for each key. A maximum of 0 switches the rule off. */
export interface Rule {
  name: string
  max: number
  windowSec: number
}

export interface Limiter {
  /** Counts one more for the key and says whether that was still allowed. A refused one is not counted. */
  take(rule: Rule, key: string): Promise<Verdict>
  /** Takes one back: the thing turned out not to be what the rule counts. */
  giveBack(rule: Rule, key: string): Promise<void>
}

export type Verdict = { allowed: true } | { allowed: false; retryAfterSec: number }

/** Counters that survive one node, or live in its memory. `add` answers the count over the sliding window. */
export interface Windows {
  add(key: string, amount: number, rule: Rule, nowMs: number): Promise<number>
}

/** With Redis the nodes count together; while Redis does not answer, each node counts for itself. */
export const createLimiter = (clock: Clock, shared?: RedisWindows): Limiter => {
  const local = createMemoryWindows()

  const add = async (rule: Rule, key: string, amount: number) => {
    const name = `${rule.name}:${key}`
    const nowMs = clock.now()
    return (await shared?.tryAdd(name, amount, rule, nowMs)) ?? (await local.add(name, amount, rule, nowMs))
  }

  return {
    async take(rule, key) {
      if (rule.max === 0) return { allowed: true }
      const count = await add(rule, key, 1)
      if (count <= rule.max) return { allowed: true }
      await add(rule, key, -1)
      return { allowed: false, retryAfterSec: Math.max(1, Math.ceil(rule.windowSec / Math.max(1, rule.max))) }
    },
    async giveBack(rule, key) {
      if (rule.max > 0) await add(rule, key, -1)
    },
  }
}
