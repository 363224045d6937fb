import type { FailureEnd, Text } from '@tollgate/contract'
import type { UpstreamFailure } from '@tollgate/providers'
import type { Clock } from '../common/clock.ts'
import { upstreamText } from '../common/upstream-sentences.ts'
import { ASKED_TO_WAIT, type Cooldowns, EVERY_MODEL, RATE_LIMITED } from './cooldowns.ts'
import { failureEndOf } from './failure-end.ts'
import { type FailureVerdict, KEEP_ENABLED, type Lease } from './lease.ts'
import { isFatal, isWaiting, longerWait, waitAfter } from './waits.ts'

/** A channel is judged by its last calls, once there are enough of them. */
const WINDOW = 20
const SAMPLES_MIN = 10
const FAILURE_SHARE_MAX = 0.6

/** The weight of the newest answer in the moving average. */
const NEWEST_WEIGHT = 0.2

/** What is known of a channel from its calls. */
export interface ChannelState {
  outcomes: boolean[]
  /** Moving average of the time to first byte; 0 before the first. */
  firstByteMs: number
  cooldowns: Cooldowns
  /** The channel was reset since. */
  isOver: boolean
  /** Open calls; the same object as long as there are any, also after a reset. */
  use: { open: number }
}

/** Failures that the operator does not count against a channel; undefined when all count. */
export type IgnoredFailures = (channel: number) => ReadonlySet<FailureEnd> | undefined

export const freshState = (use: ChannelState['use']): ChannelState => ({
  ...{ outcomes: [], firstByteMs: 0, cooldowns: new Map(), isOver: false },
  use,
})

/** What the leases of all channels share. */
export interface LeaseNeeds {
  clock: Clock
  /** Channels that cooled down and have not answered since. */
  closed: Map<number, ChannelState>
  ignoredOf: IgnoredFailures
}

/** A class instead of closures: every call has one for as long as it runs. */
export class ChannelLease implements Lease {
  private ended = false

  constructor(
    private readonly channel: number,
    private readonly model: string,
    private readonly state: ChannelState,
    private readonly needs: LeaseNeeds,
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
      if (!isWaiting(cooldowns.get(name)?.until ?? 0, this.needs.clock.now())) cooldowns.delete(name)
    }
    if (cooldowns.size === 0 && !this.state.isOver) this.needs.closed.delete(this.channel)
  }

  failed(failure: UpstreamFailure): FailureVerdict {
    const { state } = this
    const now = this.needs.clock.now()
    if (!this.end() || state.isOver || isAboutCall(failure) || this.isIgnored(failure)) return KEEP_ENABLED
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
      this.needs.closed.set(this.channel, state)
    }
    if (failure.class === 'rate') return KEEP_ENABLED
    const failures = state.outcomes.filter((good) => !good).length
    const bad = state.outcomes.length >= SAMPLES_MIN && failures / state.outcomes.length >= FAILURE_SHARE_MAX
    return bad ? { disable: true, reason: mostlyFailed(failures, state.outcomes.length) } : KEEP_ENABLED
  }

  private isIgnored(failure: UpstreamFailure) {
    const end = failureEndOf(failure)
    return end !== undefined && this.needs.ignoredOf(this.channel)?.has(end) === true
  }

  answered(ms: number) {
    const { firstByteMs } = this.state
    this.state.firstByteMs = firstByteMs === 0 ? ms : firstByteMs + (ms - firstByteMs) * NEWEST_WEIGHT
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

/** Another channel may have the model, or take a request of this size: that says nothing about what else this one does. */
const isAboutCall = ({ blame, class: kind }: UpstreamFailure) => blame === 'request' || kind === 'client'

const mostlyFailed = (failures: number, calls: number): Text => ({
  zh: `最近 ${calls} 次调用中有 ${failures} 次失败`,
  en: `${failures} of the last ${calls} calls failed`,
})

function note(state: ChannelState, good: boolean) {
  state.outcomes.push(good)
  if (state.outcomes.length > WINDOW) state.outcomes.shift()
}
