import { type FailureClass, failureOf, type UpstreamFailure, VendorError } from '../failure.ts'
import { fieldsOf, textOf } from '../json.ts'
import { isForbiddenModel } from '../openai/account-errors.ts'
import { classOf, forbiddenModel } from '../openai/explain.ts'

/** The error type is in a header, the message in the body. */
export function explainBedrock(status: number, body: string, headers: Headers): UpstreamFailure {
  const fields = fieldsOf(parsed(body))
  const [kind = ''] = (headers.get('x-amzn-errortype') ?? textOf(fields.__type) ?? '').split(':')
  const name = kind.split('#').at(-1) ?? ''
  const message = textOf(fields.message) ?? textOf(fields.Message) ?? `The upstream answered with status ${status}`
  if (isForbiddenModel(status, [], message) || NOT_FOR_ACCOUNT.test(message)) return forbiddenModel(message)
  return failureOf(CLASSES.get(name) ?? classOf(status), message, {
    status,
    type: name || 'upstream_error',
    code: name || null,
  })
}

const NOT_FOR_ACCOUNT = /^\S+ is not available for this account/

/** An exception sent as a stream event. */
export function exceptionOf(event: string, message = 'The upstream reported an error') {
  const name = `${event.charAt(0).toUpperCase()}${event.slice(1)}`
  return new VendorError(failureOf(CLASSES.get(name) ?? 'server', message, { type: name, code: name }))
}

const CLASSES = new Map<string, FailureClass>([
  ['ThrottlingException', 'rate'],
  ['ServiceQuotaExceededException', 'rate'],
  ['TooManyRequestsException', 'rate'],
  ['ValidationException', 'client'],
  ['AccessDeniedException', 'auth'],
  ['UnrecognizedClientException', 'auth'],
  ['InvalidSignatureException', 'auth'],
  ['ExpiredTokenException', 'auth'],
  ['ModelTimeoutException', 'timeout'],
  ['ModelErrorException', 'server'],
  ['ModelNotReadyException', 'server'],
])

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
