import { GatewayError } from '../common/errors.ts'
import type { Log } from '../common/log.ts'
import { asServerError } from '../database/server-error.ts'
import { TooManyRequests } from '../limits/too-many-requests.ts'
import type { Incoming } from './serve.ts'

/** The one place where an error becomes an answer. Anything but a GatewayError is logged and shown as an internal error. */
export const renderError = (error: unknown, incoming: Incoming, log: Log): Response => {
  const refusal = error instanceof GatewayError ? error : asServerError(error)
  if (refusal.status >= 500) log.error(refusal.message, { requestId: incoming.requestId, error })
  const headers = incoming.answerHeaders
  headers.set('content-type', 'application/json; charset=utf-8')
  if (refusal instanceof TooManyRequests) headers.set('retry-after', String(refusal.retryAfterSec))
  if (refusal.status === 503) headers.set('retry-after', '1')
  const { field } = refusal
  const named = field === undefined || field === '' ? {} : { field }
  const envelope = { success: false, message: refusal.in(incoming.language), ...named, ...refusal.extra }
  return new Response(JSON.stringify(envelope), { status: refusal.status, headers })
}
