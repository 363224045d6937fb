import type { FailureClass, UpstreamFailure } from '@tollgate/providers'

/** Failures of these classes do not pass by themselves. */
const FATAL: ReadonlySet<FailureClass> = new Set(['auth', 'quota'])

const COOLDOWN_MS = 10_000
const COOLDOWN_MAX_MS = 600_000

export const isFatal = (failure: UpstreamFailure) => FATAL.has(failure.class)

/** The cool-down of a channel or key after a failure; undefined for none. */
export const waitAfter = ({ class: kind, retryAfterSec }: UpstreamFailure) => {
  if (retryAfterSec !== undefined) return Math.min(retryAfterSec * 1000, COOLDOWN_MAX_MS)
  return kind === 'rate' ? COOLDOWN_MS : undefined
}

/** A remaining wait above the maximum means that the clock was set back. */
export const isWaiting = (until: number, now: number) => now < until && until - now <= COOLDOWN_MAX_MS

/** The longer of two waits counts: a shorter one does not revoke it. */
export const longerWait = (before: number, waitMs: number, now: number) =>
  isWaiting(before, now) ? Math.max(before, now + waitMs) : now + waitMs
