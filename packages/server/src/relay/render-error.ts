import { GatewayError } from '../errors.ts'
import type { Log } from '../log.ts'
import { AllFailed } from '../upstream/open.ts'
import type { Arrival } from './arrival.ts'

/** The headers of every relay answer. It is never a page: what a vendor sends must not run on the console's origin. */
export const relayHeaders = (requestId: string) => ({
  'x-request-id': requestId,
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
})

/** An error in OpenAI's shape, which its client libraries turn into their own exceptions. */
export const renderRelayError = (error: unknown, arrival: Arrival, log: Log): Response => {
  const { requestId, language } = arrival
  const headers = new Headers({ ...relayHeaders(requestId), 'content-type': 'application/json' })
  if (error instanceof AllFailed) {
    const { status, message, type, code, param, retryAfterSec } = error.failure
    if (retryAfterSec !== undefined) headers.set('retry-after', String(retryAfterSec))
    return shaped(clientStatus(status), { message, type, param, code }, requestId, headers)
  }
  const refusal = error instanceof GatewayError ? error : new GatewayError('server.internal')
  if (refusal.status >= 500 && !refusal.code.startsWith('relay.')) log.error(refusal.message, { requestId, error })
  if (refusal.status === 503) headers.set('retry-after', '1')
  const body = {
    message: refusal.in(language),
    type: typeOf(refusal.status),
    param: null,
    code: refusal.code.replace('.', '_'),
  }
  return shaped(refusal.status === 200 ? 502 : refusal.status, body, requestId, headers)
}

function shaped(
  status: number,
  error: { message: string; [member: string]: unknown },
  requestId: string,
  headers: Headers,
) {
  const message = `${error.message} (request id: ${requestId})`
  return new Response(JSON.stringify({ error: { ...error, message } }), { status, headers })
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
