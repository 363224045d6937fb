import { BLAME, type FailureClass, failureOf, type UpstreamFailure } from '../failure.ts'
import { type Fields, isFields, jsonOrUndefined, textOf } from '../json.ts'
import { errorWords } from './error-words.ts'

/** OpenAI's `{ error: { message, type, code } }`, and the variants of compatible vendors. */
export const explainOpenAi = (status: number, body: string): UpstreamFailure => {
  const error = errorIn(body)
  const code = typeof error.code === 'string' || typeof error.code === 'number' ? String(error.code) : null
  const type = textOf(error.type) ?? ''
  const message = errorWords(error) ?? `The upstream answered with status ${status}`
  if (status === 403 && isFlagged(error)) return flagged(message)
  const failureClass = classOf(status, type, code)
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

const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'])
const AUTH_CODES = new Set(['invalid_api_key', 'account_deactivated', 'authentication_error', 'permission_error'])

/**
 * The status says most of it. Quota errors often come as 429, and only the code shows that waiting will not help; 404 may
 * be a model that another channel has.
 */
export function classOf(status: number, type: string, code: string | null): FailureClass {
  if (QUOTA_CODES.has(code ?? '') || QUOTA_CODES.has(type) || status === 402) return 'quota'
  if (status === 401 || status === 403 || AUTH_CODES.has(code ?? '') || AUTH_CODES.has(type)) return 'auth'
  if (status === 429) return 'rate'
  if (status === 408 || status === 504 || status === 524) return 'timeout'
  if (status >= 500) return 'server'
  return 'client'
}

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
