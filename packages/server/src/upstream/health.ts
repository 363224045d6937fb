import type { FailureEnd, Text } from '@tollgate/contract'
import type { UpstreamFailure } from '@tollgate/providers'
import type { Clock } from '../common/clock.ts'
import { upstreamText } from '../common/upstream-sentences.ts'
import { failureEndOf } from './failure-end.ts'
import { isFatal, isWaiting, longerWait, waitAfter } from './waits.ts'

export type Health = ReturnType<typeof createHealth>

/** A channel is judged by its last calls, once there are enough of them. */
const WINDOW = 20
const SAMPLES_MIN = 10
const FAILURES_MAX = 0.6

/** Why a channel is skipped for a while, as written to the log. */
export const RATE_LIMITED = 'cooling down after a rate limit'
export const ASKED_TO_WAIT = 'the vendor asked to wait'

/** The score penalty of a channel that always fails. */
const FAILURE_COST = 10
const NEVER_ANSWERED_MS = 10_000
const NEWEST_COUNTS = 0.2

/** A probe without a result for this long no longer blocks others. */
const PROBE_MAX_MS = 60_000

/** A cool-down that has been over for this long, without a call that tried the channel, needs no probe any more. */
const COOLDOWN_KEPT_MS = 60_000

interface State {
  outcomes: boolean[]
  /** Moving average of the time to first byte; 0 before the first. */
  firstByteMs: number
  /** By the model that reached a rate limit; under `EVERY_MODEL` what the vendor asked for without regard to the model. */
  cooldowns: Map<string, Cooldown>
  /** The channel was reset since. */
  isOver: boolean
  /** Open calls; the same object as long as there are any, also after a reset. */
  use: { open: number }
}

interface Cooldown {
  /** Until then nothing is sent; afterwards one real call is let through as a probe. */
  until: number
  reason: string
  probe: { lease: Lease; since: number } | undefined
}

const EVERY_MODEL = ''

export interface FailureVerdict {
  disable: boolean
  reason: Text
}

export const KEEP_ENABLED: FailureVerdict = { disable: false, reason: { zh: '', en: '' } }

/**
 * One call's use of a channel. It ends once, with the first of `succeeded`, `failed` and `release`; later calls change nothing, so
 * whoever may be last simply releases it.
 */
export interface Lease {
  /** The answer started, after this time. */
  answered(ms: number): void
  succeeded(): void
  failed(failure: UpstreamFailure): FailureVerdict
  /** The call says nothing about the channel. */
  release(): void
}

/** Failures that the operator does not count against a channel; undefined when all count. */
export type IgnoredFailures = (channel: number) => ReadonlySet<FailureEnd> | undefined

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
  const states = new Map<number, State>()
  const shared: Shared = { clock, closed: new Map(), ignoredOf }
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
        (state && closingCooldown(state, model, clock.now())?.reason) ?? keyPools?.cooldown(channel, model)?.because
      )
    },

    /** Time until a closed channel may be tried; one that is being probed may be back at any moment. */
    closedForMs(channel: number, model: string): number {
      const state = states.get(channel)
      const until = state && cooldownUntil(state, model, clock.now())
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
        const cooldown = closingCooldown(state, model, now)
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
      return usual * (1 + FAILURE_COST * (failures / state.outcomes.length))
    },

    /** For display. */
    status(channel: number, model: string): { open: number; closedUntil: number | undefined } {
      const state = states.get(channel)
      if (state === undefined) return { open: 0, closedUntil: undefined }
      return { open: state.use.open, closedUntil: cooldownUntil(state, model, clock.now()) }
    },

    /** A call for the model is sent to the channel. The first after a cool-down is its probe, and others wait for it. */
    take(channel: number, model: string): Lease {
      const state = stateOf(channel)
      const lease = new LeaseOfCall(channel, model, state, shared)
      if (state.cooldowns.size > 0) {
        for (const cooldown of cooldownsOf(state, model)) cooldown.probe = { lease, since: clock.now() }
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

const freshState = (use: State['use']): State => ({
  ...{ outcomes: [], firstByteMs: 0, cooldowns: new Map(), isOver: false },
  use,
})

interface Shared {
  clock: Clock
  /** Channels that cooled down and have not answered since. */
  closed: Map<number, State>
  ignoredOf: IgnoredFailures
}

/** A class instead of closures: every call has one for as long as it runs. */
class LeaseOfCall implements Lease {
  private ended = false

  constructor(
    private readonly channel: number,
    private readonly model: string,
    private readonly state: State,
    private readonly shared: Shared,
  ) {
    state.use.open++
  }

  succeeded() {
    if (!this.end()) return
    note(this.state, true)
    const { cooldowns } = this.state
    if (cooldowns.size === 0) return
    // A call that started before the cool-down says nothing about whether it is over.
    for (const name of [EVERY_MODEL, this.model]) {
      if (!isWaiting(cooldowns.get(name)?.until ?? 0, this.shared.clock.now())) cooldowns.delete(name)
    }
    if (cooldowns.size === 0 && !this.state.isOver) this.shared.closed.delete(this.channel)
  }

  failed(failure: UpstreamFailure): FailureVerdict {
    const { state } = this
    const now = this.shared.clock.now()
    if (!this.end() || state.isOver || failure.blame === 'request' || this.isIgnored(failure)) return KEEP_ENABLED
    note(state, false)
    if (isFatal(failure)) {
      return { disable: true, reason: upstreamText(`${failure.status} ${failure.message}`) }
    }
    const waitMs = waitAfter(failure)
    if (waitMs !== undefined) {
      const isRate = failure.class === 'rate'
      const name = isRate ? this.model : EVERY_MODEL
      const before = state.cooldowns.get(name)
      const until = longerWait(before?.until ?? 0, waitMs, now)
      state.cooldowns.set(name, { until, reason: isRate ? RATE_LIMITED : ASKED_TO_WAIT, probe: before?.probe })
      this.shared.closed.set(this.channel, state)
    }
    if (failure.class === 'rate') return KEEP_ENABLED
    const failures = state.outcomes.filter((good) => !good).length
    const bad = state.outcomes.length >= SAMPLES_MIN && failures / state.outcomes.length >= FAILURES_MAX
    return bad ? { disable: true, reason: mostlyFailed(failures, state.outcomes.length) } : KEEP_ENABLED
  }

  private isIgnored(failure: UpstreamFailure) {
    const end = failureEndOf(failure)
    return end !== undefined && this.shared.ignoredOf(this.channel)?.has(end) === true
  }

  answered(ms: number) {
    const { firstByteMs } = this.state
    this.state.firstByteMs = firstByteMs === 0 ? ms : firstByteMs + (ms - firstByteMs) * NEWEST_COUNTS
  }

  release() {
    this.end()
  }

  /** True the first time. */
  private end() {
    if (this.ended) return false
    this.ended = true
    this.state.use.open--
    if (this.state.cooldowns.size === 0) return true
    for (const cooldown of this.state.cooldowns.values()) if (cooldown.probe?.lease === this) cooldown.probe = undefined
    return true
  }
}

const mostlyFailed = (failures: number, calls: number): Text => ({
  zh: `最近 ${calls} 次调用中有 ${failures} 次失败`,
  en: `${failures} of the last ${calls} calls failed`,
})

/** Models that nobody calls any more would keep their channels among the closed ones. */
function dropOldCooldowns(closed: Map<number, State>, now: number) {
  for (const [channel, { cooldowns }] of closed) {
    for (const [model, cooldown] of cooldowns) {
      const isOld = !isWaiting(cooldown.until, now) && Math.abs(now - cooldown.until) >= COOLDOWN_KEPT_MS
      if (isOld && !isProbed(cooldown, now)) cooldowns.delete(model)
    }
    if (cooldowns.size === 0) closed.delete(channel)
  }
}

/** What may keep a call for the model from the channel. */
function cooldownsOf({ cooldowns }: State, model: string): Cooldown[] {
  const [ofAll, ofModel] = [cooldowns.get(EVERY_MODEL), model === EVERY_MODEL ? undefined : cooldowns.get(model)]
  return [ofAll, ofModel].filter((cooldown) => cooldown !== undefined)
}

const closingCooldown = (state: State, model: string, now: number) =>
  cooldownsOf(state, model).find((cooldown) => isWaiting(cooldown.until, now) || isProbed(cooldown, now))

/** Undefined when it may be tried. */
function cooldownUntil(state: State, model: string, now: number) {
  const waits = cooldownsOf(state, model).filter(({ until }) => isWaiting(until, now))
  return waits.length === 0 ? undefined : Math.max(...waits.map(({ until }) => until))
}

const NONE_CLOSED: ReadonlyMap<number, string> = new Map()
const NO_CHANNELS: readonly number[] = []

const isProbed = ({ probe }: Cooldown, now: number) => probe !== undefined && Math.abs(now - probe.since) < PROBE_MAX_MS

function note(state: State, good: boolean) {
  state.outcomes.push(good)
  if (state.outcomes.length > WINDOW) state.outcomes.shift()
}
