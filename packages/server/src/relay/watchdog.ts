import type { Clock } from '../clock.ts'

/** The time-outs of a call that is being answered. */
export interface Watched {
  /** Something arrived. */
  alive(): void
  /** It is the client's turn to read, and nobody's fault that nothing arrives until it is `alive` again. */
  pause(): void
  /** The call is over. */
  done(): void
}

/** Until the vendor says anything at all; a model that thinks before it answers may take minutes. */
const OPENING_MS = 300_000
const SILENCE_MS = 60_000
const TOTAL_MS = 900_000

export interface Patience {
  openingMs: number
  silenceMs: number
  totalMs: number
}

class TooSlow extends Error {}

interface Look {
  startedAt: number
  lastAt: number
  answered: boolean
  abort: AbortController
  patience: Patience
}

export type Watchdog = ReturnType<typeof createWatchdog>

/**
 * Ends calls that have gone silent or have no end. One timer looks at all of them, because a timer for each chunk of
 * each stream would cost more than the chunks.
 */
export const createWatchdog = (
  clock: Clock,
  limits: Patience = { openingMs: OPENING_MS, silenceMs: SILENCE_MS, totalMs: TOTAL_MS },
) => {
  const calls = new Set<Look>()
  const look = () => {
    const now = clock.now()
    for (const call of calls) {
      const silenceMs = call.answered ? call.patience.silenceMs : call.patience.openingMs
      if (now - call.lastAt > silenceMs || now - call.startedAt > call.patience.totalMs) {
        call.abort.abort(new TooSlow('The upstream went silent'))
      }
    }
  }
  const timer = setInterval(look, Math.min(1000, limits.silenceMs / 4))
  timer.unref()

  return {
    /** `startedAt` is the call's: several tries together must not take longer than one may. */
    watch(abort: AbortController, startedAt: number, patience: Patience = limits): Watched {
      const call: Look = { startedAt, lastAt: clock.now(), answered: false, abort, patience }
      calls.add(call)
      return {
        alive: () => {
          call.lastAt = clock.now()
          call.answered = true
        },
        pause: () => {
          call.lastAt = Number.POSITIVE_INFINITY
        },
        done: () => calls.delete(call),
      }
    },
    running: () => calls.size,
    /** The process is going down: what still runs is ended, and settles what it delivered. */
    endAll() {
      for (const call of calls) call.abort.abort(new TooSlow('The server is restarting'))
    },
    /** For tests that move the clock. */
    look,
    stop: () => clearInterval(timer),
  }
}
