import { failureOf, type UpstreamFailure } from '@tollgate/providers'
import { GatewayError, type Language } from '../../common/errors.ts'

/** What a caller is told whose answer we break off because the process goes down: neither he nor the vendor did wrong. */
export const restartFailure = (language: Language): UpstreamFailure => ({
  ...failureOf('server', new GatewayError('relay.restarting').in(language), { status: 503, retryAfterSec: 1 }),
  type: 'tollgate_error',
  code: 'relay_restarting',
})
