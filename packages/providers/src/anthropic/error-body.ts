import type { UpstreamFailure } from '../failure.ts'
import { THREAD_NOT_FOUND } from './threads.ts'

/** Anthropic's error object. The type follows the status; clients decide by it whether to retry. */
export const anthropicError = ({ status, message, code }: UpstreamFailure) => ({
  type: 'error',
  error: {
    type: KINDS[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'),
    message,
    ...(code === THREAD_NOT_FOUND ? { details: { error_code: code } } : {}),
  },
})

const KINDS: Record<number, string> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}
