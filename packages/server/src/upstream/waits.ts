import type { FailureClass, UpstreamFailure } from '@tollgate/providers'

/** Failures of these kinds do not go away by themselves. */
const FATAL: ReadonlySet<FailureClass> = new Set(['auth', 'quota'])

const COOLDOWN_MS = 10_000
const COOLDOWN_MAX_MS = 600_000

export const isFatal = (failure: UpstreamFailure) => FATAL.has(failure.class)

/** How long a channel, or a key, is left alone after a failure; undefined when it need not be. */
export const waitAfter = ({ class: kind, retryAfterSec }: UpstreamFailure) => {
  if (retryAfterSec !== undefined) return Math.min(retryAfterSec * 1000, COOLDOWN_MAX_MS)
  return kind === 'rate' ? COOLDOWN_MS : undefined
}

/** Nobody is left alone for longer than the longest wait: then the clock was set back meanwhile. */
export const isWaiting = (until: number, now: number) => now < until && until - now <= COOLDOWN_MAX_MS

/** Of two waits the longer one counts: who said less did not take back what was said before. */
export const longerWait = (before: number, waitMs: number, now: number) =>
  isWaiting(before, now) ? Math.max(before, now + waitMs) : now + waitMs
