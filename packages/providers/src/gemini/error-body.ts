import type { UpstreamFailure } from '../failure.ts'

/** Google's error object. */
export const googleError = (failure: UpstreamFailure) => {
  const { status, message } = failure
  const details = detailsOf(failure)
  return {
    error: {
      code: googleStatus(status),
      message,
      status: STATUSES[googleStatus(status)] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
      ...(details.length === 0 ? {} : { details }),
    },
  }
}

/** Without these, Google's agents treat every 429 as short and retry for minutes. */
function detailsOf({ code, retryAfterSec }: UpstreamFailure) {
  const retryInfo = (seconds: number) => ({ '@type': `${TYPES}RetryInfo`, retryDelay: `${seconds}s` })
  if (code !== 'insufficient_quota') return retryAfterSec === undefined ? [] : [retryInfo(retryAfterSec)]
  const reason = { '@type': `${TYPES}ErrorInfo`, reason: 'INSUFFICIENT_BALANCE', domain: 'tollgate' }
  return [reason, retryInfo(BALANCE_RETRY_SEC)]
}

const TYPES = 'type.googleapis.com/google.rpc.'
/** Only a person can top up a balance. Gemini CLI gives up at once on delays above five minutes. */
const BALANCE_RETRY_SEC = 3600

/** 529 "Overloaded" exists only at Anthropic; Google uses 503. */
export const googleStatus = (status: number) => (status === 529 ? 503 : status)

const STATUSES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
