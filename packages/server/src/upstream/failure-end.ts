import type { FailureEnd } from '@tollgate/contract'
import type { FailureClass, UpstreamFailure } from '@tollgate/providers'

const ENDS: Record<FailureClass, FailureEnd | undefined> = {
  auth: 'refused_key',
  quota: 'no_balance',
  rate: 'rate_limit',
  server: 'server_error',
  timeout: 'timeout',
  client: undefined,
}

/** A failure in the operator's terms; undefined for the caller's own. */
export const failureEndOf = ({ class: kind, end }: UpstreamFailure): FailureEnd | undefined => end ?? ENDS[kind]
