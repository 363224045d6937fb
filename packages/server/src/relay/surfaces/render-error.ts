import {
  anthropicError,
  failureOf,
  googleError,
  googleStatus,
  openAiError,
  type UpstreamFailure,
  VendorError,
} from '@tollgate/providers'
import { GatewayError } from '../../common/errors.ts'
import type { Log } from '../../common/log.ts'
import { asServerError } from '../../database/server-error.ts'
import { AllFailed } from '../../upstream/open.ts'
import { isTooLong } from '../models/refusal-words.ts'
import { OUT_OF_QUOTA } from '../outcome.ts'
import { RateLimited } from '../rate-limits/rate-limited.ts'
import type { RequestContext } from '../request-context.ts'
import type { ApiFamily, ErrorFamily } from './api-family.ts'
import { gatewayFailure } from './gateway-failure.ts'
import { insufficientQuota, isAboutQuota } from './insufficient-quota.ts'
import { midjourneyError } from './midjourney-error.ts'

/** The headers of every relay answer. It is never a page: a vendor's content must not run on the console's origin. */
export const relayHeaders = (requestId: string, family: ApiFamily = 'openai') => ({
  // An answer belongs to one caller and must not be cached by proxies.
  'cache-control': 'private, no-store',
  'x-request-id': requestId,
  ...(family === 'anthropic' ? { 'request-id': requestId } : {}),
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
  'content-security-policy': "sandbox; default-src 'none'",
  'x-content-type-options': 'nosniff',
})

/** The error as its caller is told it. */
interface ShownError {
  answer: Response
  /** For a stream that has already started. */
  failure: UpstreamFailure
}

/** An error in the format of the caller's API, which its client libraries turn into their own exceptions. */
export const renderRelayError = (
  error: unknown,
  context: RequestContext,
  log: Log,
  { family: errors, inArray = false, program = '' }: { family: ErrorFamily; inArray?: boolean; program?: string },
): ShownError => {
  const family = errors === 'midjourney' || errors === 'cohere' ? 'openai' : errors
  const { requestId } = context
  const failure = inOwnWords(
    error instanceof AllFailed ? forClient(error.failure) : ownFailure(error, context, log, { family, program }),
    family,
  )
  const headers = new Headers({ ...relayHeaders(requestId, family), 'content-type': 'application/json' })
  if (failure.retryAfterSec !== undefined) headers.set('retry-after', String(failure.retryAfterSec))
  // Otherwise OpenAI's and Anthropic's libraries, and the agents built on them, retry for minutes.
  if (isFinal(failure)) headers.set('x-should-retry', 'false')
  if (error instanceof GatewayError && typeof error.values.allowed === 'string')
    headers.set('allow', error.values.allowed)
  if (error instanceof RateLimited)
    for (const [name, value] of Object.entries(error.headers(family))) headers.set(name, value)
  const shown = { ...failure, message: `${failure.message} (request id: ${requestId})` }
  const status = inFamily(failure, family)
  const body = bodyOf({ ...shown, status }, errors, requestId)
  return { answer: new Response(JSON.stringify(inArray ? [body] : body), { status, headers }), failure: shown }
}

const inFamily = ({ status }: UpstreamFailure, family: ApiFamily) =>
  family === 'google' ? googleStatus(status) : status

/** The status sent to the caller of a failed call; undefined for unexpected errors. */
export const statusOf = (error: unknown, family: ApiFamily) => {
  if (error instanceof AllFailed) return inFamily(forClient(error.failure), family)
  return error instanceof GatewayError ? error.status : undefined
}

const bodyOf = (failure: UpstreamFailure, family: ErrorFamily, requestId: string) => {
  if (family === 'midjourney') return midjourneyError(failure)
  if (family === 'cohere') return { id: requestId, message: failure.message }
  if (family === 'anthropic') return { ...anthropicError(failure), request_id: requestId }
  return family === 'google' ? googleError(failure) : openAiError(failure)
}

/** These do not change by themselves. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 422, 426])

const isFinal = (failure: UpstreamFailure) => FINAL.has(failure.status) || isAboutQuota(failure)

/** One of our own errors in the form of a vendor's failure. */
function ownFailure(
  error: unknown,
  { requestId, language }: RequestContext,
  log: Log,
  { family, program }: { family: ApiFamily; program: string },
): UpstreamFailure {
  if (error instanceof VendorError) return error.failure
  const refusal = error instanceof GatewayError ? error : asServerError(error)
  const message = refusal.in(language)
  if (refusal instanceof RateLimited) return tooEarly(refusal, message)
  if (OUT_OF_QUOTA.has(refusal.code)) return insufficientQuota(message, family, program)
  if (refusal.status >= 500 && !refusal.code.startsWith('relay.')) log.error(refusal.message, { requestId, error })
  return gatewayFailure(refusal, language)
}

const tooEarly = ({ status, type, retryAfterSec }: RateLimited, message: string): UpstreamFailure =>
  failureOf('client', message, { status, type, code: 'rate_limit_exceeded', retryAfterSec })

/**
 * The vendor refused our key or account: its message would make the caller suspect their own. A few vendors report rate limits and failures of
 * their own with a status that clients take for the caller's mistake.
 */
function forClient(failure: UpstreamFailure): UpstreamFailure {
  const { status, class: kind } = failure
  const isOurs = kind === 'auth' || kind === 'quota' || status === 401 || status === 402 || status === 403
  if (isOurs) return { ...failure, status: 502, type: 'upstream_error', code: null }
  if (kind === 'rate' && status < 500) return { ...failure, status: 429 }
  return kind === 'server' && status < 500 ? { ...failure, status: 502 } : failure
}

const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

/** Agents shorten their conversation when they learn that it is too long, and know it by the code or the words of their own API. */
function inOwnWords(failure: UpstreamFailure, family: ApiFamily): UpstreamFailure {
  if (!TOO_LONG_STATUSES.has(failure.status) || !isTooLong(failure)) return failure
  if (family === 'openai') return { ...failure, type: 'invalid_request_error', code: 'context_length_exceeded' }
  if (family !== 'anthropic' || /prompt is too long/i.test(failure.message)) return failure
  return { ...failure, message: `prompt is too long: ${failure.message}` }
}
