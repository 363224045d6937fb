import type { Clock } from '../common/clock.ts'
import { ChannelLease, type ChannelState, freshState, type IgnoredFailures, type LeaseNeeds } from './channel-lease.ts'
import { COOLDOWN_KEPT_MS, closingCooldown, cooldownsFor, cooldownUntil, dropOldCooldowns } from './cooldowns.ts'
import type { Lease } from './lease.ts'

export type Health = ReturnType<typeof createHealth>

/** The score penalty of a channel that always fails. */
const FAILURE_PENALTY = 10
const NEVER_ANSWERED_MS = 10_000

/** The state of channels with several keys. */
export interface PooledKeys {
  /** Why no key of a channel can be used for the model now, and for how long; undefined when one can, or there is no pool. */
  cooldown(channel: number, model: string): { because: string; forMs: number } | undefined
  /** Channels whose pools were used by a call; nearly always none. */
  channels(): readonly number[]
}

/**
 * The health of the channels, from real traffic. A channel that asked us to wait is skipped that long and then probed with one call;
 * after a rate limit only for the model that reached it, because vendors count by model (decision 040). Whether to disable it is
 * returned as advice, and decided by the caller.
 */
export const createHealth = (clock: Clock, keyPools?: PooledKeys, ignoredOf: IgnoredFailures = () => undefined) => {
  const states = new Map<number, ChannelState>()
  const shared: LeaseNeeds = { clock, closed: new Map(), ignoredOf }
  let sweptAt = clock.now()

  const stateOf = (channel: number) => {
    const state = states.get(channel) ?? freshState({ open: 0 })
    states.set(channel, state)
    return state
  }

  return {
    /** Undefined when the channel may be used for the model. */
    closedBecause(channel: number, model: string): string | undefined {
      const state = states.get(channel)
      return (
        (state && closingCooldown(state.cooldowns, model, clock.now())?.reason) ??
        keyPools?.cooldown(channel, model)?.because
      )
    },

    /** Time until a closed channel may be tried; one that is being probed may be back at any moment. */
    closedForMs(channel: number, model: string): number {
      const state = states.get(channel)
      const until = state && cooldownUntil(state.cooldowns, model, clock.now())
      const ownMs = until === undefined ? 0 : until - clock.now()
      return Math.max(ownMs, keyPools?.cooldown(channel, model)?.forMs ?? 0)
    },

    /** Which channels may not be used for the model now, and why. Nearly always none. */
    closed(model: string): ReadonlyMap<number, string> {
      const pooled = keyPools?.channels() ?? NO_CHANNELS
      if (shared.closed.size === 0 && pooled.length === 0) return NONE_CLOSED
      const now = clock.now()
      if (Math.abs(now - sweptAt) >= COOLDOWN_KEPT_MS) {
        sweptAt = now
        dropOldCooldowns(shared.closed, now)
      }
      const closed = new Map<number, string>()
      for (const channel of pooled) {
        const because = keyPools?.cooldown(channel, model)?.because
        if (because !== undefined) closed.set(channel, because)
      }
      for (const [channel, state] of shared.closed) {
        const cooldown = closingCooldown(state.cooldowns, model, now)
        if (cooldown !== undefined) closed.set(channel, cooldown.reason)
      }
      return closed
    },

    /**
     * The expected time to first byte plus a penalty for failures; less is better. An unknown channel scores as well as the best, so
     * that it is tried.
     */
    score(channel: number): number {
      const state = states.get(channel)
      if (state === undefined || state.outcomes.length === 0) return 0
      let failures = 0
      for (const good of state.outcomes) if (!good) failures++
      const usual = state.firstByteMs === 0 && failures > 0 ? NEVER_ANSWERED_MS : state.firstByteMs
      return usual * (1 + FAILURE_PENALTY * (failures / state.outcomes.length))
    },

    /** For display. */
    status(channel: number, model: string): { open: number; closedUntil: number | undefined } {
      const state = states.get(channel)
      if (state === undefined) return { open: 0, closedUntil: undefined }
      return { open: state.use.open, closedUntil: cooldownUntil(state.cooldowns, model, clock.now()) }
    },

    /** A call for the model is sent to the channel. The first after a cool-down is its probe, and others wait for it. */
    take(channel: number, model: string): Lease {
      const state = stateOf(channel)
      const lease = new ChannelLease(channel, model, state, shared)
      if (state.cooldowns.size > 0) {
        for (const cooldown of cooldownsFor(state.cooldowns, model)) cooldown.probe = { lease, since: clock.now() }
      }
      return lease
    },

    /** A person or a test confirmed the channel: it starts afresh, and calls that began before do not count. */
    reset(channel: number) {
      const state = states.get(channel)
      states.delete(channel)
      if (state === undefined) return
      state.isOver = true
      shared.closed.delete(channel)
      if (state.use.open > 0) states.set(channel, freshState(state.use))
    },
  }
}

const NONE_CLOSED: ReadonlyMap<number, string> = new Map()
const NO_CHANNELS: readonly number[] = []
