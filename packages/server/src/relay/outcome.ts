import type { Outcome } from '@tollgate/contract'
import { type UpstreamFailure, VendorError } from '@tollgate/providers'
import { type ErrorCode, GatewayError } from '../common/errors.ts'
import { AllFailed } from '../upstream/open.ts'

/** The outcome of a vendor's failure. A vendor that refuses because of its own limit or key has failed, not the caller. */
export const outcomeOfFailure = ({ blame, class: kind }: UpstreamFailure): Outcome => {
  if (blame === 'request') return 'client_error'
  return kind === 'timeout' ? 'timeout' : 'upstream_error'
}

/** The outcome of a call that ended with an error, whether it was refused here or failed at every channel. */
export const outcomeOfError = (error: unknown): Outcome => {
  if (error instanceof AllFailed) return outcomeOfFailure(error.failure)
  if (error instanceof VendorError) return outcomeOfFailure(error.failure)
  if (!(error instanceof GatewayError)) return 'upstream_error'
  const { code, status } = error
  if (code === 'relay.client_left') return 'canceled'
  if (OUT_OF_QUOTA.has(code) || status === 401 || status === 403) return 'access'
  if (status === 429) return 'rate_limited'
  if (status === 408 || status === 504) return 'timeout'
  return status >= 500 ? 'upstream_error' : 'client_error'
}

export const OUT_OF_QUOTA: ReadonlySet<ErrorCode> = new Set([
  'quota.user',
  'quota.token',
  'relay.key_exhausted',
  'relay.budget_spent',
  'relay.channel_budget_spent',
])
