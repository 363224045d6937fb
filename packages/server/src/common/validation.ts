import type { z } from 'zod'
import { type ErrorCode, GatewayError, isErrorCode, type Language } from './errors.ts'
import { fieldName } from './field-names.ts'

/**
 * Turns zod's issues into one error in the caller's language: a sentence about one field, by its display name. A body of the
 * wrong shape is a malformed request; an unacceptable value is an ordinary error, which existing clients expect in a 200
 * answer. `path` is the endpoint's, because a field may have another name elsewhere.
 */
export const validated = <S extends z.ZodType>(
  schema: S,
  value: unknown,
  { language, path = '' }: { language: Language; path?: string },
): z.output<S> => {
  // The input is reported, because a missing field has another message than a wrong type.
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const issue = deepest(result.error.issues[0])
  if (issue === undefined) throw new GatewayError('input.malformed', { field: '', reason: '' })
  const code: ErrorCode = isMalformed(issue) ? 'input.malformed' : 'input.refused'
  throw new GatewayError(code, { field: fieldOf(issue), reason: aboutField(issue, path, language) })
}

/** The error of a member of a JSON text, in both languages: its reader may have another one than the request. */
export const refusedMember = (error: z.ZodError, path = ''): GatewayError | undefined => {
  const issue = deepest(error.issues[0])
  if (issue === undefined || fieldOf(issue) === '') return undefined
  const reason = { zh: aboutField(issue, path, 'zh'), en: aboutField(issue, path, 'en') }
  return new GatewayError('input.refused', { field: fieldOf(issue), reason })
}

const fieldOf = (issue: z.core.$ZodIssue) =>
  String(issue.code === 'unrecognized_keys' ? issue.keys[0] : (issue.path[0] ?? ''))

function aboutField(issue: z.core.$ZodIssue, path: string, language: Language) {
  const name = `${fieldName(path, fieldOf(issue), language)}${memberText(issue, language)}`
  return sentence(issue, name, language)
}

/** The member of a field that is wrong, as the API spells it: without it a missing member would read like a missing field. */
function memberText({ path: [, ...within] }: z.core.$ZodIssue, language: Language) {
  if (within.every((part) => typeof part === 'number')) return ''
  return language === 'zh' ? `（${within.join('.')}）` : ` (${within.join('.')})`
}

/** What is wrong, as the end of a sentence that begins with the name of the value. */
export const reasonOf = (error: z.ZodError, language: Language) => {
  const issue = deepest(error.issues[0])
  return issue === undefined ? '' : ruleOf(issue).in(language)
}

const MALFORMED = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element'])

/** An enum value must be a text. A fraction in place of a whole number is not malformed: forms of existing clients can send one. */
function isMalformed(issue: z.core.$ZodIssue) {
  if (issue.code === 'invalid_value') return typeof issue.input !== 'string'
  return MALFORMED.has(issue.code) && !(issue.code === 'invalid_type' && issue.expected === 'int')
}

function sentence(issue: z.core.$ZodIssue, name: string, language: Language) {
  const rule = ruleOf(issue)
  const text = rule.in(language)
  // Errors of a noun are whole sentences and name their subject.
  if (!/^(input|option)\./.test(rule.code)) return text
  return language === 'zh' ? spaced(name, text) : `${name.charAt(0).toUpperCase()}${name.slice(1)} ${text}`
}

/** Chinese puts a space between its own script and Latin letters or digits. */
function spaced(name: string, text: string) {
  const mixed = /[\p{Script=Han}）]$/u.test(name) !== /^\p{Script=Han}/u.test(text)
  return mixed ? `${name} ${text}` : `${name}${text}`
}

function ruleOf(issue: z.core.$ZodIssue): GatewayError {
  if (isErrorCode(issue.message)) return new GatewayError(issue.message)
  switch (issue.code) {
    case 'too_big':
      return new GatewayError(TOO_BIG.get(issue.origin) ?? 'input.above', { max: Number(issue.maximum) })
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return new GatewayError('input.required')
      return new GatewayError(TOO_SMALL.get(issue.origin) ?? 'input.below', { min: Number(issue.minimum) })
    case 'invalid_type':
      if (issue.input === undefined) return new GatewayError('input.required')
      return new GatewayError(WRONG_TYPE.get(issue.expected) ?? 'input.bad_format')
    case 'invalid_value':
      if (issue.input === undefined) return new GatewayError('input.required')
      // An empty text, where it is allowed, stands for no value.
      return new GatewayError('input.not_among', { values: issue.values.map(String).filter(Boolean).join(', ') })
    case 'unrecognized_keys':
      return new GatewayError('input.unknown_field')
    default:
      return new GatewayError('input.bad_format')
  }
}

const TOO_BIG = new Map<string, ErrorCode>([
  ['string', 'input.too_long'],
  ['array', 'input.too_many'],
])
const TOO_SMALL = new Map<string, ErrorCode>([
  ['string', 'input.too_short'],
  ['array', 'input.too_few'],
])

const WRONG_TYPE = new Map<string, ErrorCode>([
  ['string', 'input.no_text'],
  ['number', 'input.no_number'],
  ['int', 'input.no_integer'],
  ['boolean', 'input.no_flag'],
  ['array', 'input.no_list'],
  ['object', 'input.no_object'],
])

/** Of a union the first branch is the real one; the others only accept an emptied form field. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const inner = deepest(issue.errors.flat()[0])
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] }
}
