import { z } from 'zod'

/** Far above what any vendor allows; it keeps typing mistakes from becoming absurd numbers. */
export const RATE_LIMIT_MAX = 1_000_000_000

/** Models with limits of their own, per key, user or group. */
export const RATE_LIMIT_MODELS_MAX = 20

const amount = z.int().min(1).max(RATE_LIMIT_MAX).optional()

/** Requests per minute, tokens per minute, and concurrent calls. Absent means no limit. */
export const RateLimit = z.strictObject({ rpm: amount, tpm: amount, concurrency: amount })

export type RateLimit = z.infer<typeof RateLimit>

/** The limits of a key, a user or a group, and within them limits per model. The strictest one wins. */
export const RateLimits = RateLimit.extend({
  models: z
    .record(z.string().min(1).max(256), RateLimit)
    .refine((models) => Object.keys(models).length <= RATE_LIMIT_MODELS_MAX, { error: 'input.too_many_models' })
    .optional(),
})

export type RateLimits = z.infer<typeof RateLimits>

/** A group's limits apply to each of its users, or to all of them `together`. */
export const GroupRateLimits = RateLimits.extend({ together: z.literal(true).optional() })

export type GroupRateLimits = z.infer<typeof GroupRateLimits>

export const RATE_LIMIT_KINDS = ['rpm', 'tpm', 'concurrency'] as const satisfies (keyof RateLimit)[]

/** What remains allowed where both apply. */
export const strictest = (one: RateLimits, other: RateLimits): RateLimits => {
  const names = Object.keys({ ...one.models, ...other.models })
  const models = names.map((name) => [name, lower(one.models?.[name] ?? {}, other.models?.[name] ?? {})])
  return { ...lower(one, other), ...(models.length > 0 && { models: Object.fromEntries(models) }) }
}

function lower(one: RateLimit, other: RateLimit): RateLimit {
  const limits = RATE_LIMIT_KINDS.flatMap((kind) => {
    const amounts = [one[kind] ?? [], other[kind] ?? []].flat()
    return amounts.length === 0 ? [] : [[kind, Math.min(...amounts)]]
  })
  return Object.fromEntries(limits)
}

/** JSON text of groups and their limits. It becomes a Map, so that a group called `constructor` is just a name. */
export const rateLimitTable = z
  .string()
  .max(1_000_000)
  .transform((text, context) => {
    const table = parsedTable(text)
    if (table !== undefined) return table
    context.addIssue({ code: 'custom', message: 'option.rate_limits' })
    return z.NEVER
  })

function parsedTable(text: string): Map<string, GroupRateLimits> | undefined {
  try {
    const table = Table.safeParse(JSON.parse(text.trim() === '' ? '{}' : text))
    return table.data && new Map(Object.entries(table.data))
  } catch {
    return undefined
  }
}

const Table = z.record(z.string().min(1).max(256), GroupRateLimits)

const used = z.object({ limit: z.int(), used: z.int() }).optional()

/** One limit that applies to a caller, and how much of it is in use. */
export const RateLimitUse = z.object({
  scope: z.enum(['key', 'user', 'group']),
  /** Shared by all users of the group, and the usage is theirs together. */
  together: z.boolean(),
  /** The name of the key or group; empty for the account. */
  name: z.string(),
  /** The key's id; 0 for the others. */
  token_id: z.int(),
  /** Empty when the limit covers all models. */
  model: z.string(),
  rpm: used,
  tpm: used,
  concurrency: used,
})

export type RateLimitUse = z.infer<typeof RateLimitUse>

export const OwnRateLimits = z.object({
  /** Whether the nodes share their counters. Without Redis each node counts alone, and these are the counts of one of them. */
  shared: z.boolean(),
  limits: z.array(RateLimitUse),
})

export type OwnRateLimits = z.infer<typeof OwnRateLimits>
