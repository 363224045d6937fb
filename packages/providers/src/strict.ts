import type { z } from 'zod'
import { failureOf, VendorError } from './failure.ts'

/** Parses a caller's body strictly. An invalid one is refused with a 400 that names the parameter. */
export function parseStrict<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = deepest(parsed.error.issues)
  const problem = issue?.message ?? UNNAMED
  throw badRequest(nameOf(issue?.path ?? []), problem === UNNAMED ? 'the value has a wrong type' : problem)
}

/** What zod says about a value that none of several types accepts. */
const UNNAMED = 'Invalid input'

/** `param` in the notation of the caller's dialect: `messages[2].content`. */
export const badRequest = (param: string, problem: string) =>
  new VendorError(
    failureOf('client', param === '' ? problem : `Invalid '${param}': ${problem}`, {
      code: 'invalid_value',
      param: param === '' ? null : param,
    }),
  )

/** OpenAI's clients send `null` for defaults. */
export const absent = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined)

interface Issue {
  path: PropertyKey[]
  message: string
}

/** Of a union's branches, the one whose error lies deepest is the one that was meant. */
function deepest(issues: readonly z.core.$ZodIssue[]): Issue | undefined {
  return issues
    .map((issue): Issue => {
      const branches = issue.code === 'invalid_union' ? issue.errors.flatMap((branch) => deepest(branch) ?? []) : []
      const inner = furthest(branches)
      if (inner === undefined || inner.path.length === 0) return issue
      return { path: [...issue.path, ...inner.path], message: inner.message }
    })
    .reduce<Issue | undefined>((first, issue) => first ?? issue, undefined)
}

const furthest = (issues: Issue[]) =>
  issues.reduce<Issue | undefined>(
    (best, issue) => (best === undefined || issue.path.length > best.path.length ? issue : best),
    undefined,
  )

const nameOf = (path: readonly PropertyKey[]) =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    return name === '' ? String(step) : `${name}.${String(step)}`
  }, '')
