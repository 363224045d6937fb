import type { Redis } from '../common/redis.ts'
import type { Rule } from './rule.ts'

/** The same windows in Redis. `undefined` means that Redis did not answer and the caller counts alone. */
export interface RedisWindows {
  tryMove(key: string, shares: 1 | -1, rule: Rule): Promise<number | undefined>
}

/** Like `memory-windows.ts`, atomically for all nodes, by the clock of Redis: those of the nodes may differ. */
const MOVE = `local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local step, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local before = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local after = math.max(before + step, now)
local wait = after - now - window
if wait >= 1 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.3f', after), 'PX', math.max(1, math.ceil(after - now)))
return 0`

export const createRedisWindows = (redis: Redis): RedisWindows => ({
  async tryMove(key, shares, rule) {
    const windowMs = rule.windowSec * 1000
    const numbers = [(shares * windowMs) / rule.max, windowMs].map(String)
    const waited = await redis.ask('EVAL', [MOVE, '1', `tollgate:limit:${key}`, ...numbers])
    return waited === undefined ? undefined : Number(waited.answer)
  },
})
