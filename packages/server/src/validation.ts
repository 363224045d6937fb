import { z } from 'zod'
import { type ErrorCode, errorText, GatewayError, isErrorCode, type Language } from './errors.ts'

/**
 * Turns what zod found into one refusal in the caller's language. A body of the wrong shape is a malformed request; a
 * value that is merely not acceptable is a refusal like any other, which existing clients read from a 200 answer.
 */
export const validated = <S extends z.ZodType>(schema: S, value: unknown, language: Language): z.output<S> => {
  // The input is reported, because the sentence about a wrong type names the type that was sent.
  const result = schema.safeParse(value, { reportInput: true })
  if (result.success) return result.data
  const issue = deepest(result.error.issues[0])
  if (issue === undefined) throw new GatewayError('input.malformed', { field: '', reason: '' })
  const field = [...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys : [])].join('.') || 'body'
  const code: ErrorCode = isMalformed(issue) ? 'input.malformed' : 'input.refused'
  throw new GatewayError(code, { field, reason: sentence(issue, language) })
}

const MALFORMED = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element'])

/** A fraction where a whole number belongs is a number all the same: forms of existing clients can send one. */
function isMalformed(issue: z.core.$ZodIssue) {
  return MALFORMED.has(issue.code) && !(issue.code === 'invalid_type' && issue.expected === 'int')
}

const LOCALES = { zh: z.locales.zhCN().localeError, en: z.locales.en().localeError }

/** What zod found, as one sentence. */
export const reasonOf = (error: z.ZodError, language: Language) => {
  const issue = deepest(error.issues[0])
  return issue === undefined ? '' : sentence(issue, language)
}

function sentence(issue: z.core.$ZodIssue, language: Language): string {
  if (isErrorCode(issue.message)) return errorText(issue.message, language)
  // A finished issue carries its message already; the locale makes it again from the bare facts.
  const text = LOCALES[language](issue as z.core.$ZodRawIssue)
  return typeof text === 'string' ? text : (text?.message ?? issue.message)
}

/** Of a union the first branch is the real one; the others only admit an emptied form field. */
function deepest(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const inner = deepest(issue.errors.flat()[0])
  return inner === undefined ? issue : { ...inner, path: [...issue.path, ...inner.path] }
}
