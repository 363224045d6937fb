import type { FailureClass, UpstreamFailure } from '@tollgate/providers'
import type { Clock } from '../clock.ts'

export type Health = ReturnType<typeof createHealth>

/** Failures of these kinds do not go away by themselves. */
const FATAL: ReadonlySet<FailureClass> = new Set(['auth', 'quota'])

/** A channel is judged by its last calls, once there are enough of them. */
const WINDOW = 20
const SAMPLES_MIN = 10
const FAILURES_MAX = 0.6

const COOLDOWN_MS = 10_000
const COOLDOWN_MAX_MS = 600_000

interface State {
  outcomes: boolean[]
  /** Until then nothing is sent; afterwards one real call is let through to try. */
  closedUntil: number
  reason: string
  probing: boolean
}

export interface Judgement {
  disable: boolean
  reason: string
}

/**
 * How the channels are doing, from real traffic. A channel that asked us to wait is left alone that long and then tried
 * with one call; whether it should be disabled altogether is answered, and decided by whoever may do so.
 */
export const createHealth = (clock: Clock) => {
  const states = new Map<number, State>()

  const stateOf = (channel: number) => {
    const state = states.get(channel) ?? { outcomes: [], closedUntil: 0, reason: '', probing: false }
    states.set(channel, state)
    return state
  }

  return {
    /** Undefined when the channel may be used. */
    closedBecause(channel: number): string | undefined {
      const state = states.get(channel)
      if (state === undefined || state.closedUntil === 0) return undefined
      return isResting(state, clock.now()) || state.probing ? state.reason : undefined
    },

    /**
     * A call is on its way to the channel. The first after a cooldown is its probe, and the others wait for what
     * becomes of it: whoever takes a channel says `succeeded`, `failed` or `abandoned` in the end.
     */
    taken(channel: number) {
      const state = states.get(channel)
      if (state !== undefined && state.closedUntil !== 0) state.probing = true
    },

    succeeded(channel: number) {
      const state = states.get(channel)
      if (state === undefined) return
      note(state, true)
      // A call that began before the channel asked us to wait says nothing about whether the wait is over.
      if (isResting(state, clock.now())) return
      state.closedUntil = 0
      state.probing = false
    },

    failed(channel: number, failure: UpstreamFailure): Judgement {
      const state = stateOf(channel)
      state.probing = false
      if (failure.blame === 'request') return { disable: false, reason: '' }
      note(state, false)
      if (FATAL.has(failure.class)) return { disable: true, reason: `${failure.status} ${failure.message}` }
      if (failure.class === 'rate') {
        const waitMs = failure.retryAfterSec === undefined ? COOLDOWN_MS : failure.retryAfterSec * 1000
        state.closedUntil = clock.now() + Math.min(waitMs, COOLDOWN_MAX_MS)
        state.reason = 'cooling down after a rate limit'
        return { disable: false, reason: '' }
      }
      const failures = state.outcomes.filter((good) => !good).length
      const bad = state.outcomes.length >= SAMPLES_MIN && failures / state.outcomes.length >= FAILURES_MAX
      return { disable: bad, reason: bad ? `${failures} of the last ${state.outcomes.length} calls failed` : '' }
    },

    /** A call that ended without telling anything about the channel. */
    abandoned(channel: number) {
      const state = states.get(channel)
      if (state !== undefined) state.probing = false
    },

    /** A person or a test vouched for the channel: it starts afresh. */
    reset: (channel: number) => states.delete(channel),
  }
}

/** Nobody is left alone for longer than the longest wait: then the clock was set back meanwhile. */
function isResting({ closedUntil }: State, now: number) {
  return now < closedUntil && closedUntil - now <= COOLDOWN_MAX_MS
}

function note(state: State, good: boolean) {
  state.outcomes.push(good)
  if (state.outcomes.length > WINDOW) state.outcomes.shift()
}
