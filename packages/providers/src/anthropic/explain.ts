import { type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, jsonOrUndefined, textOf } from '../json.ts'
import { explainOpenAi } from '../openai/explain.ts'

/** `{ type: 'error', error: { type, message } }`; the status mostly says the same. */
export function explainAnthropic(status: number, body: string): UpstreamFailure {
  const failure = explainOpenAi(status, body)
  const known = classIn(fieldsOf(jsonOrUndefined(body)).error)
  return {
    ...failure,
    ...(known === undefined ? {} : failureOf(known, failure.message, { status })),
    type: failure.type,
    code: failure.code ?? (failure.type === 'upstream_error' ? null : failure.type),
  }
}

/** Errors of the account whose status and type are those of a caller's mistake, or of a limit that time lifts. */
const classIn = (error: unknown) => CLASS_OF_CODE.get(textOf(fieldsOf(fieldsOf(error).details).error_code) ?? '')

const CLASS_OF_CODE = new Map<string, FailureClass>([
  ['contract_spend_limit_reached', 'quota'],
  ['enforced_spend_limit_reached', 'quota'],
  ['organization_on_hold', 'auth'],
  ['claude_code_key_creator_not_member', 'auth'],
  ['cmek_key_disabled', 'auth'],
  ['cmek_key_network_blocked', 'auth'],
])

/** An error event in a stream, whose status was already sent. */
export function streamError(event: Fields) {
  const { type, message } = fieldsOf(event.error)
  const name = textOf(type) ?? 'api_error'
  return new VendorError(
    failureOf(
      classIn(event.error) ?? CLASSES.get(name) ?? 'server',
      textOf(message) ?? 'The upstream reported an error',
      {
        type: name,
        code: name,
        ...(name === 'overloaded_error' && { status: OVERLOADED }),
      },
    ),
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
