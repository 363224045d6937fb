import type { Clock } from '../clock.ts'

/** The time-outs of a call that is being answered. */
export interface Watched {
  /** Something arrived. */
  alive(): void
  /** The call is over. */
  done(): void
}

export const SILENCE_MS = 60_000
export const TOTAL_MS = 900_000

export class TooSlow extends Error {}

export type Watchdog = ReturnType<typeof createWatchdog>

/**
 * Ends calls that have gone silent or have no end. One timer looks at all of them, because a timer for each chunk of
 * each stream would cost more than the chunks.
 */
export const createWatchdog = (clock: Clock, limits = { silenceMs: SILENCE_MS, totalMs: TOTAL_MS }) => {
  const calls = new Set<{ startedAt: number; lastAt: number; abort: AbortController }>()
  const look = () => {
    const now = clock.now()
    for (const call of calls) {
      if (now - call.lastAt > limits.silenceMs || now - call.startedAt > limits.totalMs) {
        call.abort.abort(new TooSlow('The upstream went silent'))
      }
    }
  }
  const timer = setInterval(look, Math.min(1000, limits.silenceMs / 4))
  timer.unref()

  return {
    watch(abort: AbortController): Watched {
      const call = { startedAt: clock.now(), lastAt: clock.now(), abort }
      calls.add(call)
      return {
        alive: () => {
          call.lastAt = clock.now()
        },
        done: () => calls.delete(call),
      }
    },
    running: () => calls.size,
    /** For tests that move the clock. */
    look,
    stop: () => clearInterval(timer),
  }
}
