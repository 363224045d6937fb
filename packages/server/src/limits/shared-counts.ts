import type { Redis } from '../common/redis.ts'
import {
  type Counter,
  type CounterState,
  DEBT_MAX_MS,
  type LimitClaim,
  MINUTE_MS,
  OPEN_WAIT_MS,
  shareMs,
  type TakeResult,
  TOLERANCE_MS,
} from './counter.ts'

type OpenOf = (key: string) => number

/** The counters of all nodes. `undefined` means that Redis did not answer and the caller counts alone. */
export interface SharedCounts {
  answers(): boolean
  take(claims: readonly LimitClaim[], openOf: OpenOf): Promise<TakeResult | undefined>
  correct(claims: readonly LimitClaim[]): void
  tellOpen(counters: readonly Counter[], openOf: OpenOf): void
  read(counters: readonly Counter[], openOf: OpenOf): Promise<CounterState[] | undefined>
}

/** A node's open calls count for this long: a dead node leaves nothing behind. */
const LEASE_MS = 6000
const RENEW_MS = 2000
/** More keys need more than one command. */
const KEYS_AT_ONCE = 500

/**
 * By the clock of Redis, because those of the nodes may differ. Under each key of open calls every node has a number of its own,
 * written with an expiry; so a lost number is soon right again.
 */
const COMMON = `local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local node, lease = ARGV[1], tonumber(ARGV[2])
local function ahead(key) return math.max(0, tonumber(redis.call('GET', key) or '0') - now) end
local function keep(key, ms)
  if ms <= 0 then return redis.call('DEL', key) end
  local kept = math.min(ms, ${DEBT_MAX_MS})
  redis.call('SET', key, string.format('%.3f', now + kept), 'PX', math.max(1, math.ceil(kept)))
end
local function others(key)
  local sum, fields = 0, redis.call('HGETALL', key)
  for i = 1, #fields, 2 do
    local count, ends = string.match(fields[i + 1], '(%d+):(%d+)')
    if tonumber(ends) <= now then redis.call('HDEL', key, fields[i])
    elseif fields[i] ~= node then sum = sum + tonumber(count) end
  end
  return sum
end
local function announce(key, count)
  if count <= 0 then return redis.call('HDEL', key, node) end
  redis.call('HSET', key, node, string.format('%d:%d', count, now + lease))
  redis.call('PEXPIRE', key, lease)
end
`

/** For each key its kind, the wanted milliseconds of the minute or this node's open calls, and the limit. */
const TAKE = `${COMMON}
local states, worst, longest = {}, 0, 0
for i, key in ipairs(KEYS) do
  local kind, given, limit = ARGV[3 * i], tonumber(ARGV[3 * i + 1]), tonumber(ARGV[3 * i + 2])
  local wait
  if kind == 'open' then
    states[i] = others(key) + given - 1
    wait = states[i] + 1 > limit and ${OPEN_WAIT_MS} or 0
  else
    states[i] = ahead(key)
    wait = states[i] + given - ${MINUTE_MS}
    if wait < math.min(${TOLERANCE_MS}, ${MINUTE_MS / 2} / limit) then wait = 0 end
  end
  if wait > longest then worst, longest = i, wait end
end
if worst == 0 then
  for i, key in ipairs(KEYS) do
    local given = tonumber(ARGV[3 * i + 1])
    if ARGV[3 * i] == 'open' then announce(key, given) else keep(key, states[i] + given) end
  end
end
for i, state in ipairs(states) do states[i] = string.format('%.3f', state) end
return { worst, string.format('%.3f', longest), states }`

const CORRECT = `${COMMON}
for i, key in ipairs(KEYS) do keep(key, ahead(key) + tonumber(ARGV[i + 2])) end`

const TELL_OPEN = `${COMMON}
for i, key in ipairs(KEYS) do announce(key, tonumber(ARGV[i + 2])) end`

const READ = `${COMMON}
local states = {}
for i, key in ipairs(KEYS) do
  local kind, own = ARGV[2 * i + 1], tonumber(ARGV[2 * i + 2])
  states[i] = string.format('%.3f', kind == 'open' and others(key) + own or ahead(key))
end
return states`

export const createSharedCounts = (redis: Redis): SharedCounts => {
  const node = Bun.randomUUIDv7()
  /** The keys for which this node has reported open calls. */
  const announced = new Set<string>()
  let renewing: Timer | undefined
  let known: OpenOf = () => 0

  const evaluate = (script: string, keys: readonly string[], given: readonly (string | number)[]) =>
    redis.ask('EVAL', [script, String(keys.length), ...keys.map(nameOf), node, String(LEASE_MS), ...given.map(String)])

  const announce = (keys: readonly string[]) => {
    for (const key of keys) {
      if (known(key) > 0) announced.add(key)
      else announced.delete(key)
    }
    void evaluate(TELL_OPEN, keys, keys.map(known))
    if (announced.size > 0) renewing ??= setInterval(renew, RENEW_MS).unref()
    else stopRenewing()
  }

  const stopRenewing = () => {
    clearInterval(renewing)
    renewing = undefined
  }

  const renew = () => {
    for (const keys of chunksOf([...announced])) announce(keys)
  }

  return {
    answers: redis.answers,

    async take(claims, openOf) {
      known = openOf
      const keys = claims.map(({ key }) => key)
      const given = claims.flatMap((claim) => {
        if (claim.kind === 'minute') return ['minute', shareMs(claim), claim.limit]
        // Added before the answer, so that it is renewed even if the answer is lost.
        announced.add(claim.key)
        renewing ??= setInterval(renew, RENEW_MS).unref()
        return ['open', openOf(claim.key), claim.limit]
      })
      const result = await evaluate(TAKE, keys, given)
      return result && takeResultOf(result.answer)
    },

    correct(claims) {
      const keys = claims.map(({ key }) => key)
      void evaluate(CORRECT, keys, claims.map(shareMs))
    },

    tellOpen(counters, openOf) {
      known = openOf
      const keys = counters.filter(({ kind }) => kind === 'open').map(({ key }) => key)
      if (keys.length > 0) announce(keys)
    },

    async read(counters, openOf) {
      const states: CounterState[] = []
      for (const chunk of chunksOf(counters)) {
        const keys = chunk.map(({ key }) => key)
        const given = chunk.flatMap(({ kind, key }) => [kind, openOf(key)])
        const result = await evaluate(READ, keys, given)
        if (result === undefined) return undefined
        states.push(...numbersIn(result.answer))
      }
      return states
    },
  }
}

const nameOf = (key: string) => `tollgate:calls:${key}`

function takeResultOf(answer: unknown): TakeResult {
  const [at, waitMs, states] = Array.isArray(answer) ? answer : []
  const refused = Number(at) === 0 ? undefined : { at: Number(at) - 1, waitMs: Number(waitMs) }
  return { states: numbersIn(states), refused }
}

const numbersIn = (answer: unknown) => (Array.isArray(answer) ? answer.map(Number) : [])

function chunksOf<T>(items: readonly T[]) {
  const count = Math.ceil(items.length / KEYS_AT_ONCE)
  return Array.from({ length: count }, (_, at) => items.slice(at * KEYS_AT_ONCE, (at + 1) * KEYS_AT_ONCE))
}
