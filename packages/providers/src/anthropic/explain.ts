import { type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, textOf } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'

/** `{ type: 'error', error: { type, message } }`; the status mostly says the same. */
export function explainAnthropic(status: number, body: string): UpstreamFailure {
  const failure = explainOpenAi(status, body)
  return {
    ...failure,
    ...(isEmptyAccount(failure.message) ? failureOf('quota', failure.message, { status }) : {}),
    type: failure.type,
    code: failure.code ?? (failure.type === 'upstream_error' ? null : failure.type),
  }
}

/** An exhausted account answers like a malformed request: 400, invalid_request_error. */
const isEmptyAccount = (message: string) => message.includes('credit balance is too low')

/** An error event in a stream, whose status was already sent. */
export function streamError(event: Fields) {
  const { type, message } = fieldsOf(event.error)
  const name = textOf(type) ?? 'api_error'
  return new VendorError(
    failureOf(CLASSES.get(name) ?? 'server', textOf(message) ?? 'The upstream reported an error', {
      type: name,
      code: name,
      ...(name === 'overloaded_error' && { status: OVERLOADED }),
    }),
  )
}

/** Claude Code turns to another model after some of these. */
const OVERLOADED = 529

const CLASSES = new Map<string, FailureClass>([
  ['invalid_request_error', 'client'],
  ['authentication_error', 'auth'],
  ['permission_error', 'auth'],
  ['billing_error', 'quota'],
  ['not_found_error', 'client'],
  ['request_too_large', 'client'],
  ['rate_limit_error', 'rate'],
  ['timeout_error', 'timeout'],
])
