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

/** What an operator calls a failure; undefined for what is the caller's. */
export const failureEndOf = ({ class: kind, end }: UpstreamFailure): FailureEnd | undefined => end ?? ENDS[kind]
