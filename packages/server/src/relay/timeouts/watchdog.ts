import type { Clock } from '../../common/clock.ts'
import { GatewayError } from '../../common/errors.ts'

/** The timeouts of a running call. */
export interface Watched {
  /** Data arrived. */
  alive(): void
  /** Data arrived after which the vendor may take as long as before its answer. */
  reopen(): void
  /** The client has to read first; the vendor's silence does not count until `alive`. */
  pause(): void
  /** Called instead of an abort when the caller's key is revoked. */
  onRevoked(end: (reason: GatewayError) => void): void
  /** The call has ended. */
  done(): void
}

/** What is watched. */
export interface WatchOptions {
  /** The start of the call: all attempts together must not take longer than one may. */
  startedAt: number
  timeouts?: Timeouts | undefined
  /** The channel's own timeout. */
  firstByteMs?: number | undefined
  /** The caller's key; undefined for work that goes on without it. */
  tokenId?: number
}

/** Until the vendor sends anything; a reasoning model may take minutes. */
const OPENING_MS = 300_000
const SILENCE_MS = 60_000
const TOTAL_MS = 900_000

export interface Timeouts {
  openingMs: number
  silenceMs: number
  totalMs: number
}

class TooSlow extends Error {}

/** A class instead of closures: every call has one for as long as it runs. */
class WatchedCall implements Watched {
  private lastAt: number
  private waitMs: number
  private endRevoked: ((reason: GatewayError) => void) | undefined

  constructor(
    private readonly abort: AbortController,
    private startedAt: number,
    private readonly timeouts: Timeouts,
    firstByteMs: number,
    readonly tokenId: number | undefined,
    private readonly clock: Clock,
    private readonly calls: Set<WatchedCall>,
    private readonly onIdle: () => void,
  ) {
    this.lastAt = clock.now()
    this.waitMs = firstByteMs
    calls.add(this)
  }

  alive() {
    this.lastAt = this.clock.now()
    this.waitMs = this.timeouts.silenceMs
  }

  reopen() {
    this.lastAt = this.clock.now()
    this.waitMs = this.timeouts.openingMs
  }

  pause() {
    this.lastAt = Number.POSITIVE_INFINITY
  }

  done() {
    if (this.calls.delete(this) && this.calls.size === 0) this.onIdle()
  }

  onRevoked(end: (reason: GatewayError) => void) {
    this.endRevoked = end
  }

  isOver(now: number) {
    return now - this.lastAt > this.waitMs || now - this.startedAt > this.timeouts.totalMs
  }

  move(moved: (at: number) => number) {
    this.startedAt = moved(this.startedAt)
    this.lastAt = moved(this.lastAt)
  }

  end(reason: Error) {
    this.abort.abort(reason)
  }

  revoke(reason: GatewayError) {
    if (this.endRevoked === undefined) this.end(reason)
    else this.endRevoked(reason)
  }
}

/** The longest interval between two checks; otherwise the clock was set, or the machine was suspended. */
const CLOCK_JUMP_MS = 10_000

/** A clock jump is not silence: earlier times are shifted by it. */
function shiftTimes(
  calls: Iterable<WatchedCall>,
  { jumpMs, now, before }: { jumpMs: number; now: number; before: number },
) {
  const moved = (at: number) => ((jumpMs > 0 ? at <= before + CLOCK_JUMP_MS : at > now) ? at + jumpMs : at)
  for (const call of calls) call.move(moved)
}

export type Watchdog = ReturnType<typeof createWatchdog>

/**
 * Ends calls that have gone silent or run for too long. One timer checks all of them, because a timer for each chunk of each stream
 * would cost more than the chunks.
 */
export const createWatchdog = (
  clock: Clock,
  limits: Timeouts = { openingMs: OPENING_MS, silenceMs: SILENCE_MS, totalMs: TOTAL_MS },
) => {
  const calls = new Set<WatchedCall>()
  let waiting = Promise.withResolvers<void>()
  const onIdle = () => {
    waiting.resolve()
    waiting = Promise.withResolvers()
  }
  const check = () => {
    const now = clock.now()
    for (const call of calls) if (call.isOver(now)) call.end(new TooSlow('The upstream went silent'))
  }
  const everyMs = Math.min(1000, limits.silenceMs / 4)
  let tickedAt = clock.now()
  const tick = () => {
    const now = clock.now()
    const jumpMs = now - tickedAt - everyMs
    if (Math.abs(jumpMs) > CLOCK_JUMP_MS) shiftTimes(calls, { jumpMs, now, before: tickedAt })
    tickedAt = now
    check()
  }
  const timer = setInterval(tick, everyMs)
  timer.unref()

  return {
    watch: (
      abort: AbortController,
      { startedAt, timeouts = limits, firstByteMs = timeouts.openingMs, tokenId }: WatchOptions,
    ): Watched => new WatchedCall(abort, startedAt, timeouts, firstByteMs, tokenId, clock, calls, onIdle),
    running: () => calls.size,
    /** Resolves when no call runs. */
    idle: () => (calls.size === 0 ? Promise.resolve() : waiting.promise),
    /** The keys of running calls. */
    tokenIds: (): number[] => [...new Set([...calls].flatMap(({ tokenId }) => tokenId ?? []))],
    /** Ends the calls of a key, which settle what they delivered. */
    revoke(tokenId: number, reason: GatewayError) {
      for (const call of [...calls]) if (call.tokenId === tokenId) call.revoke(reason)
    },
    /** The process is stopping: running calls are ended, and settle what they delivered. */
    endAll() {
      for (const call of calls) call.end(new GatewayError('relay.restarting'))
    },
    /** For tests that move the clock: a check, and one that notices jumps. */
    check,
    tick,
    stop: () => clearInterval(timer),
  }
}
