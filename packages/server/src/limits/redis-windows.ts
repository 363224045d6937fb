import { RedisClient } from 'bun'
import type { Log } from '../log.ts'
import type { Rule } from './limiter.ts'

/** The same windows in Redis. `undefined` means that Redis did not answer and the caller counts by itself. */
export interface RedisWindows {
  tryMove(key: string, shares: 1 | -1, rule: Rule, nowMs: number): Promise<number | undefined>
  close(): void
}

const ANSWER_WITHIN_MS = 200
const LEAVE_ALONE_MS = 2000

/** As `memory-windows.ts`, in one step for all nodes. */
const MOVE = `local now, step, window = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local before = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local after = math.max(before + step, now)
local wait = after - now - window
if wait >= 1 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.max(1, math.ceil(after - now)))
return 0`

export const createRedisWindows = (url: string, log: Log): RedisWindows => {
  const client = new RedisClient(url, { connectionTimeout: 1000, maxRetries: 1_000_000, enableOfflineQueue: false })
  let quietUntil = 0
  client.onconnect = () => {
    quietUntil = 0
    log.info('Redis answers; the nodes limit together')
  }
  // It keeps trying by itself; until then `tryMove` says what is wrong.
  client.connect().catch(() => {})

  return {
    async tryMove(key, shares, rule, nowMs) {
      // After a failure Redis is left alone for a moment, so that a dead one does not slow every call.
      if (Date.now() < quietUntil) return undefined
      const windowMs = rule.windowSec * 1000
      const numbers = [nowMs, (shares * windowMs) / rule.max, windowMs].map(String)
      try {
        const answer = client.send('EVAL', [MOVE, '1', `tollgate:limit:${key}`, ...numbers])
        return Number(await within(ANSWER_WITHIN_MS, answer))
      } catch (error) {
        quietUntil = Date.now() + LEAVE_ALONE_MS
        log.warn('Redis does not answer; this node limits by itself', { error })
        return undefined
      }
    },
    close: () => client.close(),
  }
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
