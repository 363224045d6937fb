import { z } from 'zod'

/*
 * Two tables of model names: aliases, and fallbacks for models that cannot answer.
 */

/** The failures after which a fallback model may answer. */
export const FallbackReason = z.enum([
  'no_channel',
  'rate_limited',
  'upstream_error',
  'timeout',
  'too_long',
  'content_refused',
])

export type FallbackReason = z.infer<typeof FallbackReason>

export const Fallback = z.strictObject({
  /** In the order of attempts. */
  to: z.array(z.string().min(1).max(256)).min(1).max(5),
  on: z.array(FallbackReason).min(1),
})

export type Fallback = z.infer<typeof Fallback>

export interface ModelAliases {
  exact: ReadonlyMap<string, string>
  /** Patterns for names that no channel offers, in table order. */
  patterns: readonly { pattern: string; matches(name: string): boolean; model: string }[]
}

const TABLE_MAX = 200
const name = z.string().min(1).max(256)

const table = <S extends z.ZodType>(entry: S) =>
  z.record(name, entry).refine((rows) => Object.keys(rows).length <= TABLE_MAX)

const Aliases = table(name)
const Fallbacks = table(Fallback)

/** What is wrong with an alias: it points to itself, to another alias, or to a pattern. */
export const isAliasFault = (aliases: Record<string, string>) =>
  Object.entries(aliases).some(
    ([alias, model]) => alias === model || Object.hasOwn(aliases, model) || model.includes('*'),
  )

const isFallbackFault = (fallbacks: Record<string, Fallback>) =>
  Object.entries(fallbacks).some(([model, { to }]) => to.includes(model) || new Set(to).size < to.length)

/** JSON text of aliases and their models; an alias may contain `*` as a wildcard. */
export const aliasTable = z
  .string()
  .max(200_000)
  .transform((text, context): ModelAliases => {
    const rows = parsed(Aliases, text)
    if (rows !== undefined && !isAliasFault(rows)) return asAliases(rows)
    context.addIssue({ code: 'custom', message: rows === undefined ? 'option.aliases' : 'option.alias_loop' })
    return z.NEVER
  })

/** JSON text of models and their fallbacks. */
export const fallbackTable = z
  .string()
  .max(200_000)
  .transform((text, context): ReadonlyMap<string, Fallback> => {
    const rows = parsed(Fallbacks, text)
    if (rows !== undefined && !isFallbackFault(rows)) return new Map(Object.entries(rows))
    context.addIssue({ code: 'custom', message: rows === undefined ? 'option.fallbacks' : 'option.fallback_loop' })
    return z.NEVER
  })

function asAliases(rows: Record<string, string>): ModelAliases {
  const entries = Object.entries(rows)
  return {
    exact: new Map(entries.filter(([alias]) => !alias.includes('*'))),
    patterns: entries
      .filter(([alias]) => alias.includes('*'))
      .map(([alias, model]) => ({ pattern: alias, matches: matcherOf(alias), model })),
  }
}

/**
 * Whether a name matches a pattern, in one pass: a regular expression with several wildcards takes seconds for a long name that
 * nearly matches, and callers choose the names.
 */
function matcherOf(pattern: string) {
  const [start = '', ...rest] = pattern.split('*')
  const end = rest.pop() ?? ''
  return (name: string) => {
    if (!name.startsWith(start) || !name.endsWith(end) || name.length < start.length + end.length) return false
    let at = start.length
    for (const part of rest) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= name.length - end.length
  }
}

function parsed<S extends z.ZodType>(schema: S, text: string): z.infer<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text.trim() === '' ? '{}' : text)).data
  } catch {
    return undefined
  }
}
