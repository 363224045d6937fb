import { failureOf, type UpstreamFailure } from '@tollgate/providers'
import type { GatewayError, Language } from '../../common/errors.ts'

/** One of our own errors in the form of a vendor's failure, which every dialect can write. */
export const gatewayFailure = (error: GatewayError, language: Language): UpstreamFailure => {
  const status = error.status === 200 ? 502 : error.status
  return {
    ...failureOf(status < 500 ? 'client' : 'server', error.in(language), { status }),
    type: typeOf(status),
    code: error.code.replace('.', '_'),
    ...(error.code === 'relay.unknown_model' ? { code: 'model_not_found', param: 'model' } : {}),
    ...(error.code === 'relay.no_model' ? { param: 'model' } : {}),
    ...(status === 503 ? { retryAfterSec: Number(error.values.seconds ?? 1) } : {}),
  }
}

function typeOf(status: number) {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status < 500) return 'invalid_request_error'
  return 'tollgate_error'
}
