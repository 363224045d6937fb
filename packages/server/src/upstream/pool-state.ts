import type { RoutableKey, RoutablePool } from '../catalog/routable-channel.ts'
import type { Route } from '../catalog/snapshot.ts'
import { EVERY_MODEL } from './cooldowns.ts'
import { isWaiting } from './waits.ts'

/** The state of a key on this node. */
export interface KeyState {
  /** By model; milliseconds. */
  cooldowns: Map<string, number>
  /** Its own limits were reached. */
  fullUntil: number
  open: number
  isOut: boolean
  /** The route with the key, and the route it was made from. */
  keyed: { of: Route; route: Route | undefined } | undefined
}

/** The state of a channel's pool on this node. */
export interface PoolState {
  pool: RoutablePool
  keys: Map<number, KeyState>
  /** Where the next round-robin turn starts. */
  next: number
  /** Until when no key can be used for a model; under `EVERY_MODEL` when none is left at all. */
  poolCooldowns: Map<string, PoolCooldown>
}

interface PoolCooldown {
  until: number
  because: string
}

export const ALL_KEYS_COOLING = 'all keys are cooling down'
export const ALL_KEYS_SET_ASIDE = 'all keys are set aside'

/** How long a pool whose keys are all set aside is not tried. */
const OUT_MS = 60_000

/** Records until when no key of the pool can be used for the model. */
export function coolDownPool({ keys, poolCooldowns }: PoolState, model: string, now: number) {
  const left = [...keys.values()].filter(({ isOut }) => !isOut)
  if (left.length === 0) {
    poolCooldowns.set(EVERY_MODEL, { until: now + OUT_MS, because: ALL_KEYS_SET_ASIDE })
    return
  }
  const waits = left.map(({ cooldowns }) => cooldowns.get(model) ?? 0)
  if (waits.some((until) => !isWaiting(until, now))) return
  poolCooldowns.set(model, { until: Math.min(...waits), because: ALL_KEYS_COOLING })
}

/** Until the first key that is not set aside has cooled down for the model and is below its own limits; 0 when none is left. */
export function keyWaitMs({ keys }: PoolState, model: string, now: number): number {
  const waits = [...keys.values()]
    .filter(({ isOut }) => !isOut)
    .map(({ cooldowns, fullUntil }) => {
      const waiting = [cooldowns.get(model) ?? 0, fullUntil].filter((until) => isWaiting(until, now))
      return Math.max(0, ...waiting.map((until) => until - now))
    })
  return waits.length === 0 ? 0 : Math.min(...waits)
}

/** The state of a key in a reloaded pool: it may be used again, and its stored cool-downs apply. */
export function renewed(before: KeyState | undefined, { cooldowns }: RoutableKey): KeyState {
  const state = before ?? {
    cooldowns: new Map<string, number>(),
    fullUntil: 0,
    open: 0,
    isOut: false,
    keyed: undefined,
  }
  state.isOut = false
  state.keyed = undefined
  for (const [model, until] of cooldowns) {
    state.cooldowns.set(model, Math.max(state.cooldowns.get(model) ?? 0, until))
  }
  return state
}

/** One key, if it may be used. The round-robin position is unchanged. */
export function keyById(state: PoolState, { keys }: RoutablePool, usable: Usable, id: number | undefined) {
  if (id === undefined) return undefined
  const own = state.keys.get(id)
  const key = keys.find((each) => each.id === id)
  return own !== undefined && key !== undefined && usable(key, own) ? { key, own } : undefined
}

/**
 * The next key in the order of the call's pool, whose secrets fit its route. Round robin starts after the previous key;
 * so does least busy, among equals.
 */
export function nextKey(state: PoolState, { keys, order }: RoutablePool, usable: Usable) {
  const start = order === 'in_order' ? 0 : state.next % Math.max(1, keys.length)
  let best: { key: RoutableKey; own: KeyState; at: number } | undefined
  for (let step = 0; step < keys.length; step++) {
    const at = (start + step) % keys.length
    const key = keys[at]
    const own = key && state.keys.get(key.id)
    if (key === undefined || own === undefined || !usable(key, own)) continue
    if (best === undefined || own.open < best.own.open) best = { key, own, at }
    if (order !== 'least_busy' || own.open === 0) break
  }
  if (best !== undefined) state.next = best.at + 1
  return best
}

type Usable = (key: RoutableKey, own: KeyState) => boolean

export const isUsable = ({ limits }: RoutableKey, own: KeyState, model: string, now: number) =>
  !own.isOut &&
  (own.cooldowns.size === 0 || !isWaiting(own.cooldowns.get(model) ?? 0, now)) &&
  !isWaiting(own.fullUntil, now) &&
  (limits.concurrency === undefined || own.open < limits.concurrency)
