import { RedisClient } from 'bun'
import type { Log } from '../log.ts'
import type { Rule } from './limiter.ts'
import { slidingCount } from './memory-windows.ts'

/** The same two counters in Redis. `undefined` means that Redis did not answer and the caller counts by itself. */
export interface RedisWindows {
  tryAdd(key: string, amount: number, rule: Rule, nowMs: number): Promise<number | undefined>
  close(): void
}

const ANSWER_WITHIN_MS = 200
const LEAVE_ALONE_MS = 2000

const ADD = `local now = redis.call('INCRBY', KEYS[1], ARGV[1])
if now < 0 then redis.call('SET', KEYS[1], 0) now = 0 end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return {now, tonumber(redis.call('GET', KEYS[2]) or '0')}`

export const createRedisWindows = (url: string, log: Log): RedisWindows => {
  const client = new RedisClient(url, { connectionTimeout: 1000, maxRetries: 1_000_000, enableOfflineQueue: false })
  client.connect().catch(() => {})
  let quietUntil = 0

  return {
    async tryAdd(key, amount, rule, nowMs) {
      // After a failure Redis is left alone for a moment, so that a dead one does not slow every call.
      if (Date.now() < quietUntil) return undefined
      const position = nowMs / 1000 / rule.windowSec
      const window = Math.floor(position)
      const keys = [`tollgate:limit:${key}:${window}`, `tollgate:limit:${key}:${window - 1}`]
      try {
        const answer = client.send('EVAL', [ADD, '2', ...keys, String(amount), String(rule.windowSec * 2)])
        const [current, previous] = counts(await within(ANSWER_WITHIN_MS, answer))
        return slidingCount(current, previous, position - window)
      } catch (error) {
        quietUntil = Date.now() + LEAVE_ALONE_MS
        log.warn('Redis does not answer; this node limits by itself', { error })
        return undefined
      }
    },
    close: () => client.close(),
  }
}

function counts(answer: unknown): [number, number] {
  if (!Array.isArray(answer)) throw new Error('Unexpected answer from Redis')
  return [Number(answer[0]), Number(answer[1])]
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
