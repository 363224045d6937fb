import { BLAME, type FailureClass, failureOf, type UpstreamFailure } from '../failure.ts'
import { type Fields, isFields, jsonOrUndefined, textOf } from '../json.ts'
import { accountClass, isAboutRequest, isForbiddenModel, isTooLargeForKey } from './account-errors.ts'
import { errorWords } from './error-words.ts'

/** OpenAI's `{ error: { message, type, code } }`, and the variants of compatible vendors. */
export const explainOpenAi = (status: number, body: string): UpstreamFailure => {
  const error = errorIn(body)
  const code = typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : null
  const type = textOf(error.type) ?? ''
  const message = errorWords(error) ?? `The upstream answered with status ${status}`
  if (status === 403 && isFlagged(error)) return flagged(message)
  if (isForbiddenModel(status, [code, type], message)) return forbiddenModel(message)
  if (isTooLargeForKey(status, message)) return tooLargeForKey(message)
  if (isAboutRequest(status, code, message)) return failureOf('client', message, { code })
  const failureClass = classOf(status, [type, code], message)
  return {
    class: failureClass,
    blame: BLAME[failureClass],
    status,
    message,
    type: type || 'upstream_error',
    code,
    param: textOf(error.param) ?? null,
  }
}

const CONTENT_POLICY = 'content_policy_violation'

/**
 * OpenRouter, xAI and their imitators answer 403 for a prompt that moderation flagged. It says nothing about the key: otherwise one such
 * prompt would disable the channel, or every key of its pool, for everybody.
 */
export const isFlagged = (error: Fields) => {
  const { code, metadata } = error
  if (code === CONTENT_POLICY || XAI_FLAGGED.test(errorWords(error) ?? '')) return true
  return isFields(metadata) && (Array.isArray(metadata.reasons) || 'flagged_input' in metadata)
}

const XAI_FLAGGED = /^Content violates usage guidelines/

export const flagged = (message: string) => failureOf('client', message, { code: CONTENT_POLICY })

/** The status says most of it, but not everything: see `account-errors.ts`. */
export function classOf(status: number, [type, code]: readonly (string | null)[] = [], message = ''): FailureClass {
  const known = accountClass([code ?? null, type ?? null], message)
  if (known !== undefined) return known
  if (status === 402) return 'quota'
  if (status === 401 || status === 403) return 'auth'
  if (status === 429) return 'rate'
  if (status === 408 || status === 504 || status === 524) return 'timeout'
  // A model or something behind it failed; the vendor itself gave up.
  if (status >= 500 || status === 424 || status === 499) return 'server'
  return 'client'
}

/** A model that this key may not use is one that does not exist here. */
export const forbiddenModel = (message: string): UpstreamFailure => ({
  ...failureOf('client', message, { status: 404, code: 'model_not_found', param: 'model' }),
  blame: 'transient',
})

const tooLargeForKey = (message: string): UpstreamFailure => ({
  ...failureOf('client', message, { status: 413, code: 'request_too_large' }),
  blame: 'transient',
})

/** The members of an error, wherever they are. A text that is no page is a message too. */
function errorIn(body: string): Fields {
  const parsed = jsonOrUndefined(body)
  // Google's imitation of this dialect sends its errors in a list.
  const fields = Array.isArray(parsed) ? parsed[0] : parsed
  if (!isFields(fields)) return parsed === undefined && !/^\s*</.test(body) ? { message: firstLine(body) } : {}
  if (isFields(fields.error)) return fields.error
  return typeof fields.error === 'string' ? { ...fields, message: fields.error } : fields
}

const LINE_MAX = 300
const firstLine = (text: string) =>
  text
    .trim()
    .split(/[\r\n]/)[0]
    ?.slice(0, LINE_MAX)
