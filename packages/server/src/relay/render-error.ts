import { dialects, failureOf, type UpstreamFailure, VendorError } from '@tollgate/providers'
import { isDatabaseGone } from '../database/gone.ts'
import { GatewayError } from '../errors.ts'
import type { Log } from '../log.ts'
import { AllFailed } from '../upstream/open.ts'
import type { Arrival } from './arrival.ts'
import type { Operation } from './surface.ts'

/** The headers of every relay answer. It is never a page: what a vendor sends must not run on the console's origin. */
export const relayHeaders = (requestId: string) => ({
  // An answer belongs to one caller, whoever stands between.
  'cache-control': 'private, no-store',
  'x-request-id': requestId,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
})

/** An error in the shape of the caller's dialect, which its client libraries turn into their own exceptions. */
export const renderRelayError = (error: unknown, arrival: Arrival, log: Log, operation?: Operation): Response => {
  const { requestId } = arrival
  const failure = error instanceof AllFailed ? error.failure : ownFailure(error, arrival, log)
  const headers = new Headers({ ...relayHeaders(requestId), 'content-type': 'application/json' })
  if (failure.retryAfterSec !== undefined) headers.set('retry-after', String(failure.retryAfterSec))
  const told = { ...failure, message: `${failure.message} (request id: ${requestId})` }
  const body = operation === undefined ? dialects['openai/chat'].error(told) : operation.failedBody(told)
  const status = error instanceof AllFailed ? clientStatus(failure.status) : failure.status
  return new Response(JSON.stringify(body), { status, headers })
}

/** A refusal of ours, told as a vendor would tell one. */
function ownFailure(error: unknown, { requestId, language }: Arrival, log: Log): UpstreamFailure {
  if (error instanceof VendorError) return error.failure
  const refusal = error instanceof GatewayError ? error : accident(error)
  if (refusal.status >= 500 && !refusal.code.startsWith('relay.')) log.error(refusal.message, { requestId, error })
  const status = refusal.status === 200 ? 502 : refusal.status
  return {
    ...failureOf(status < 500 ? 'client' : 'server', refusal.in(language), { status }),
    type: typeOf(status),
    code: refusal.code.replace('.', '_'),
    ...(status === 503 ? { retryAfterSec: 1 } : {}),
  }
}

/** A database that is gone comes back; everything else is a mistake of ours. */
function accident(error: unknown) {
  return new GatewayError(isDatabaseGone(error) ? 'server.unavailable' : 'server.internal')
}

/** The vendor refused our key, not the caller's: a 401 would make the caller look for the mistake in his own. */
function clientStatus(status: number) {
  return status === 401 || status === 403 || status === 402 ? 502 : status
}

function typeOf(status: number) {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status < 500) return 'invalid_request_error'
  return 'tollgate_error'
}
