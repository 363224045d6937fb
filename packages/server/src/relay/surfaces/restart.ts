import { failureOf, type UpstreamFailure } from '@tollgate/providers'
import { GatewayError, type Language } from '../../common/errors.ts'

/** The error for answers cut off because the process stops: neither the caller nor the vendor is at fault. */
export const restartFailure = (language: Language): UpstreamFailure => ({
  ...failureOf('server', new GatewayError('relay.restarting').in(language), { status: 503, retryAfterSec: 1 }),
  type: 'tollgate_error',
  code: 'relay_restarting',
})
