import type { UpstreamFailure } from '@tollgate/providers'
import type { RoutableKey, RoutablePool } from '../catalog/routable-channel.ts'
import { type Route, routeWithKey } from '../catalog/snapshot.ts'
import type { Clock } from '../common/clock.ts'
import type { CallCounts } from '../limits/call-counts.ts'
import { EVERY_MODEL } from './cooldowns.ts'
import { type KeyPass, keyClaims, keyPass } from './key-limits.ts'
import { type FailureVerdict, KEEP_ENABLED, type Lease } from './lease.ts'
import {
  coolDownPool,
  isUsable,
  type KeyState,
  keyById,
  keyWaitMs,
  nextKey,
  type PoolState,
  renewed,
} from './pool-state.ts'
import { isFatal, isWaiting, longerWait, waitAfter } from './waits.ts'

/** What happened to a key: it is set aside, cools down, or merely had an error. */
export interface KeyFailure {
  channel: number
  key: number
  kind: 'set_aside' | 'cooling' | 'error'
  /** The model that was asked for, under the callers' name: a key cools down for it alone. */
  model: string
  /** Milliseconds, for a key that cools down. */
  until: number
  failure: UpstreamFailure
}

interface Needs {
  clock: Clock
  counts: CallCounts
  /** The current pool of a channel. */
  poolOf(channel: number): RoutablePool | undefined
  /** Called for each failure of a key, to store it and notify other nodes. */
  onFailure(failure: KeyFailure): void
}

/** A key reserved for this call, until the lease ends. */
export interface TakenKey {
  route: Route
  lease: Lease
  pass: KeyPass
}

/** The key that a call needs. */
interface KeyQuery {
  /** Under the callers' name. */
  model: string
  /** Estimated. */
  tokens: number
  /** Keys that the call has used already; the one it gets is added. */
  tried: Set<number>
  preferred?: number | undefined
}

interface KeyUse {
  channel: number
  key: number
  model: string
}

/** How long a key at its concurrency limit is skipped: calls end all the time. */
const FULL_MS = 100

export type KeyPools = ReturnType<typeof createKeyPools>

/** Whether the key failed, so that another key of the same channel may answer. */
export const isOfKey = (failure: UpstreamFailure) => isFatal(failure) || failure.class === 'rate'

/** Keys tried for a model that the first did not have. Vendors give their models to accounts, and nobody needs to ask a thousand of them. */
const OTHER_KEYS_MAX = 3

/** Whether another key may take the call although nothing is wrong with this one: its account lacks the model, or has a low limit. */
export const mayFitOtherKey = (failure: UpstreamFailure, triedKeys: number) =>
  failure.class === 'client' && failure.blame === 'transient' && triedKeys <= OTHER_KEYS_MAX

/**
 * The keys of channels with several: which one a call uses, and which are skipped for a while. What happens to one key does not count
 * against its channel as long as another one is left.
 */
export const createKeyPools = ({ clock, counts, poolOf, onFailure }: Needs) => {
  const states = new Map<number, PoolState>()

  /**
   * A reloaded pool keeps the state of its keys here, except that a re-enabled key may be used. A call that started with an older pool
   * uses the current state.
   */
  const stateOf = (channel: number, pool: RoutablePool) => {
    const before = states.get(channel)
    if (before !== undefined && before.pool.version >= pool.version) return before
    const keys = new Map(pool.keys.map((key) => [key.id, renewed(before?.keys.get(key.id), key)]))
    const state: PoolState = { pool, keys, next: before?.next ?? 0, poolCooldowns: new Map() }
    states.set(channel, state)
    const [first] = keys.values()
    // A model for which all keys cool down is among those of the first.
    for (const model of [EVERY_MODEL, ...(first?.cooldowns.keys() ?? [])]) coolDownPool(state, model, clock.now())
    return state
  }

  const failed = ({ channel, key, model }: KeyUse, lease: Lease, failure: UpstreamFailure): FailureVerdict => {
    const pool = states.get(channel)
    const state = pool?.keys.get(key)
    const now = clock.now()
    const report = (kind: KeyFailure['kind'], until = 0) => onFailure({ channel, key, model, kind, until, failure })
    if (isFatal(failure)) {
      if (state !== undefined) state.isOut = true
      report('set_aside')
      const isLast = pool === undefined || [...pool.keys.values()].every(({ isOut }) => isOut)
      if (isLast) return lease.failed(failure)
      lease.release()
      return KEEP_ENABLED
    }
    if (failure.class === 'rate') {
      const until = longerWait(state?.cooldowns.get(model) ?? 0, waitAfter(failure) ?? 0, now)
      if (state !== undefined) {
        for (const [other, over] of state.cooldowns) if (!isWaiting(over, now)) state.cooldowns.delete(other)
        state.cooldowns.set(model, until)
      }
      report('cooling', until)
      lease.release()
      return KEEP_ENABLED
    }
    if (failure.blame !== 'request') report('error')
    return lease.failed(failure)
  }

  const leaseOf = (use: KeyUse, state: KeyState, lease: Lease, pass: KeyPass): Lease => {
    let ended = false
    const end = () => {
      if (ended) return false
      ended = true
      state.open--
      pass.release()
      return true
    }
    return {
      answered: (ms) => lease.answered(ms),
      succeeded() {
        if (end()) lease.succeeded()
      },
      failed: (failure) => (end() ? failed(use, lease, failure) : KEEP_ENABLED),
      release() {
        if (end()) lease.release()
      },
    }
  }

  return {
    /**
     * A key for a call, other than those it has `tried`; undefined when there is none now. The channel's lease goes with it, and is
     * ended by the returned one. The `preferred` key comes first if it may be used, whatever the order.
     */
    async take(
      { route, lease }: { route: Route; lease: Lease },
      { model, tokens, tried, preferred }: KeyQuery,
    ): Promise<TakenKey | undefined> {
      const { pool } = route
      if (pool === undefined) return undefined
      const state = stateOf(route.id, pool)
      for (;;) {
        const now = clock.now()
        const usable = (key: RoutableKey, own: KeyState) => !tried.has(key.id) && isUsable(key, own, model, now)
        const found = keyById(state, pool, usable, preferred) ?? nextKey(state, pool, usable)
        if (found === undefined) {
          coolDownPool(state, model, now)
          return undefined
        }
        const { key, own } = found
        tried.add(key.id)
        if (own.keyed?.of !== route) own.keyed = { of: route, route: routeWithKey(route, key) }
        const { route: keyed } = own.keyed
        if (keyed === undefined) {
          own.isOut = true
          continue
        }
        own.open++
        const claims = keyClaims(key, tokens)
        const refused = claims.length === 0 ? undefined : (await counts.take(claims)).refused
        if (refused === undefined) {
          const pass = keyPass(counts, claims)
          return { route: keyed, lease: leaseOf({ channel: route.id, key: key.id, model }, own, lease, pass), pass }
        }
        own.open--
        own.fullUntil = clock.now() + (claims[refused.at]?.kind === 'open' ? FULL_MS : refused.waitMs)
      }
    },

    /** Until a key may be used for the model; 0 when one may be now, or without a pool. Keys at their own limits wait too. */
    waitMs({ id, pool }: Pick<Route, 'id' | 'pool'>, model: string): number {
      return pool === undefined ? 0 : keyWaitMs(stateOf(id, pool), model, clock.now())
    },

    /** Another lease for the same key, which is judged separately. */
    again(route: Route, model: string, lease: Lease): Lease {
      const { poolKey, pool } = route
      const own = poolKey && pool && stateOf(route.id, pool).keys.get(poolKey.id)
      if (poolKey === undefined || own === undefined) return lease
      own.open++
      return leaseOf({ channel: route.id, key: poolKey.id, model }, own, lease, NO_PASS)
    },

    /** Channels whose pools were used by a call. */
    channels: (): readonly number[] => (states.size === 0 ? NO_CHANNELS : [...states.keys()]),

    /** Why no key can be used for the model; undefined when one can. */
    cooldown(channel: number, model: string) {
      if (states.size === 0 || !states.has(channel)) return undefined
      const pool = poolOf(channel)
      if (pool === undefined) {
        states.delete(channel)
        return undefined
      }
      const { poolCooldowns } = stateOf(channel, pool)
      if (poolCooldowns.size === 0) return undefined
      const now = clock.now()
      for (const [name, { until }] of poolCooldowns) if (!isWaiting(until, now)) poolCooldowns.delete(name)
      const found = poolCooldowns.get(EVERY_MODEL) ?? poolCooldowns.get(model)
      return found && { because: found.because, forMs: found.until - now }
    },
  }
}

const NO_CHANNELS: readonly number[] = []

const NO_PASS: KeyPass = { used() {}, release() {} }
