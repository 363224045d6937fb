import { type FailureClass, failureOf, VendorError } from '../failure.ts'
import { type Fields, fieldsOf, isFields, textOf } from '../json.ts'
import { STATUS_OF_CODE } from './error-codes.ts'
import { errorWords } from './error-words.ts'
import { classOf, flagged, isFlagged } from './explain.ts'

/** An error inside an answer or a stream whose HTTP status was 200. */
export function embeddedError(body: Fields): VendorError | undefined {
  if (isFields(body.error)) return errorObject(body.error)
  if (typeof body.error === 'string' && body.error !== '') return new VendorError(failureOf('server', body.error))
  if (isErrorItself(body)) return errorObject(body)
  return minimaxError(fieldsOf(body.base_resp))
}

/** vLLM and similar servers send the bare error where an answer should be. */
const isErrorItself = ({ object, message, code, choices, data }: Fields) =>
  object === 'error' ||
  ([choices, data].every((own) => own === undefined) && typeof message === 'string' && code != null)

function errorObject(error: Fields) {
  const overloaded = error.type === 'overloaded_error' ? 529 : undefined
  const status = statusOf(error.code) ?? statusOf(error.status) ?? overloaded
  if (status === 403 && isFlagged(error)) return new VendorError(flagged(errorWords(error) ?? 'The prompt was flagged'))
  const type = textOf(error.type) ?? ''
  const code = typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : null
  // Without a status only the text can decide: an error in the middle of a stream is the vendor's by default.
  const meant = STATUS_OF_CODE.get(code ?? '') ?? STATUS_OF_TYPE.get(type)
  const message = textOf(error.message) ?? 'The upstream reported an error'
  const guessed = classOf(status ?? meant ?? 502, [type, code], message)
  return new VendorError(
    failureOf(guessed, message, {
      ...(status === undefined ? {} : { status }),
      type: type || 'upstream_error',
      code,
      param: textOf(error.param) ?? null,
    }),
  )
}

const STATUS_OF_TYPE = new Map<string, number>([
  ['invalid_request_error', 400],
  ['billing_error', 402],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['timeout_error', 504],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['requests', 429],
  ['tokens', 429],
])

const statusOf = (code: unknown) => {
  const status = typeof code === 'string' ? Number(code) : code
  return typeof status === 'number' && Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined
}

const MINIMAX: Record<number, FailureClass> = {
  1002: 'rate',
  1004: 'auth',
  1008: 'quota',
  1026: 'client',
  1027: 'client',
  1039: 'rate',
  1042: 'client',
  2013: 'client',
  2049: 'auth',
  2056: 'quota',
}

/** MiniMax reports success and failure alike in `base_resp`. */
function minimaxError({ status_code, status_msg }: Fields) {
  if (typeof status_code !== 'number' || status_code === 0) return undefined
  const message = textOf(status_msg) || 'The upstream reported an error'
  return new VendorError(failureOf(MINIMAX[status_code] ?? 'server', message, { code: String(status_code) }))
}
