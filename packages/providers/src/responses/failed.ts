import type { UpstreamFailure } from '../failure.ts'
import { isFinalCode } from '../openai/error-codes.ts'
import { sse } from '../sse.ts'

/**
 * An error as a stream event of a response. OpenAI's documentation has its members in the event, its servers send them in a
 * nested `error`; client libraries read either.
 */
export const errorEvent = ({ message, type, code, param }: UpstreamFailure) => ({
  code,
  message,
  param,
  error: { type, code, message, param },
})

/** Mapped to OpenAI's few error codes. */
export const responseError = (failure: UpstreamFailure) => ({ code: codeOf(failure), message: failure.message })

/** Codex depends on them: it retries on any code that is not final. */
function codeOf({ class: kind, code }: UpstreamFailure) {
  if (code !== null && isFinalCode(code)) return code
  if (kind === 'client') return 'invalid_prompt'
  return kind === 'rate' ? 'rate_limit_exceeded' : 'server_error'
}

/** Our events come after all numbers used by the vendor. */
const LATE = 1_000_000

/**
 * The last frames of a vendor's response stream that broke off. Some clients wait for the failed response, others only for
 * an error; the response's id was sent before.
 */
export const brokenResponse = (failure: UpstreamFailure) =>
  event('response.failed', LATE, {
    response: { object: 'response', status: 'failed', error: responseError(failure), output: [], usage: null },
  }) + event('error', LATE + 1, errorEvent(failure))

const event = (type: string, sequence_number: number, more: object) => sse({ type, sequence_number, ...more }, type)
