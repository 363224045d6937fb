import type { Text } from '@tollgate/contract'
import type { UpstreamFailure } from '@tollgate/providers'

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
