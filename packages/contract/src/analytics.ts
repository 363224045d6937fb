import { z } from 'zod'
import { endpoint } from './api/endpoint.ts'
import { Limits } from './api/limits.ts'
import { timeZone } from './api/time-zone.ts'
import { Budget } from './budgets.ts'
import { ChannelAttention } from './channels/channel-attention.ts'
import { OUTCOMES } from './outcome.ts'

/** The dimensions of usage. `group` is the first of the user's current groups, `key` the name of an API key. */
export const DIMENSIONS = ['time', 'model', 'channel', 'user', 'group', 'key', 'outcome'] as const
export type Dimension = (typeof DIMENSIONS)[number]

/** No figures are kept for a group by model or channel: they would have to be summed over all of its users. */
const APART: readonly Dimension[] = ['model', 'channel']

/** Whether usage can be split by both dimensions. Time can be combined with every other. */
export const canCombine = (one: Dimension, other: Dimension) =>
  one !== other && !(one === 'group' && APART.includes(other)) && !(other === 'group' && APART.includes(one))

/** Only administrators see these dimensions. */
const OPERATORS: readonly string[] = ['channel', 'user', 'group'] satisfies Dimension[]

export const STEPS = ['hour', 'day', 'week', 'month'] as const
export type Step = (typeof STEPS)[number]

export const RANGE_MAX_DAYS = 400
export const STEPS_MAX = 1000
/** How many rows a table of everything may have, in a file. */
export const ANALYTICS_ROWS_MAX = 10_000
/** Rows with a name of their own, per dimension, that any question may ask for. */
const ANALYTICS_TOP_ALWAYS = 100

/** How many names a question by these dimensions may ask for, over so many steps. */
export const analyticsTopMax = (by: readonly Dimension[], steps: number) => {
  const named = by.filter((dimension) => dimension !== 'time' && dimension !== 'outcome')
  if (named.length > 1) return ANALYTICS_TOP_ALWAYS
  const rowsOfName = Math.max(1, steps) * (by.includes('outcome') ? OUTCOMES.length : 1)
  return Math.max(ANALYTICS_TOP_ALWAYS, Math.floor(ANALYTICS_ROWS_MAX / rowsOfName))
}

const count = z.int()

/**
 * The figures of calls. Times are milliseconds, speed is tokens per second of streams; both describe successful calls, and are null
 * where they are not recorded: without any such call; by key, group or outcome; of one user by model; by two dimensions other than
 * time, except model and channel; of users beyond the first hundred; and for the rows that combine the rest.
 */
export const Metrics = z.object({
  calls: count,
  /** Those that neither succeeded nor were abandoned by their client. */
  failed: count,
  /** Null by outcome, for which costs are not recorded. */
  quota: count.nullable(),
  prompt_tokens: count.nullable(),
  completion_tokens: count.nullable(),
  /** Prompt tokens read from the vendor's cache, and written to it. */
  cached_tokens: count.nullable(),
  cache_write_tokens: count.nullable(),
  /** Part of the completion tokens. */
  reasoning_tokens: count.nullable(),
  outcomes: z.record(z.enum(OUTCOMES), count),
  first_byte_p50: z.number().nullable(),
  first_byte_p95: z.number().nullable(),
  elapsed_p50: z.number().nullable(),
  elapsed_p95: z.number().nullable(),
  speed_p50: z.number().nullable(),
})
export type Metrics = z.infer<typeof Metrics>

/** Contains the fields requested with `by`; for a key also its user's name, unless that is the caller. */
export const AnalyticsRow = Metrics.extend({
  /** Unix seconds at which the step begins. */
  time: z.int().optional(),
  model: z.string().optional(),
  channel: z.int().optional(),
  /** Empty for a channel that was deleted. */
  channel_name: z.string().optional(),
  user: z.string().optional(),
  group: z.string().optional(),
  key: z.string().optional(),
  outcome: z.enum(OUTCOMES).optional(),
  /** True for the row that combines everything beyond the `top`. Of the requested fields it has only the time, or the first of two. */
  other: z.boolean(),
})
export type AnalyticsRow = z.infer<typeof AnalyticsRow>

const Totals = Metrics.extend({
  /** The number of users who made calls. Null for a user's own usage. */
  active_users: z.int().nullable(),
  active_keys: z.int().nullable(),
})

export const Analytics = z.object({
  /** The range that was summed, rounded to hours. `end` is exclusive. */
  start: z.int(),
  end: z.int(),
  zone: z.string(),
  by: z.array(z.enum(DIMENSIONS)),
  /** Null when rows are not by time. */
  step: z.enum(STEPS).nullable(),
  /** The start of every step of the range, including steps without a row. */
  times: z.array(z.int()),
  /** By time or the first dimension, each with the top ones first. */
  rows: z.array(AnalyticsRow),
  totals: Totals,
  /** As many days before, the last one up to the same time; of a range that does not begin with a day, the same time before it. */
  previous: Totals.extend({ start: z.int(), end: z.int() }),
  /** Older calls are still being added to newer figures: outcomes, cached tokens, times. */
  filling: z.boolean(),
})
export type Analytics = z.infer<typeof Analytics>

const text = z
  .string()
  .min(1)
  .max(Limits.storedUsernameMax * 4)
  .optional()
const only = z.enum(['true']).optional()
const time = z.coerce.number().int().min(0).max(99_999_999_999)

const query = z.object({
  start: time,
  end: time,
  zone: timeZone.default('UTC'),
  /** One dimension, or two separated by a comma. Group cannot be combined with model or channel. */
  by: z
    .string()
    .default('time')
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(DIMENSIONS)))
    .refine(
      ([one, other, ...more]) =>
        one !== undefined && more.length === 0 && (other === undefined || canCombine(one, other)),
      { error: 'input.dimensions' },
    ),
  /** When absent, it depends on the length of the range. */
  step: z.enum(STEPS).optional(),
  model: text,
  channel: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
  /** A username. */
  user: text,
  group: text,
  /** The name of an API key. */
  key: text,
  /** Only calls without a known model, and only those whose key has no name. */
  no_model: only,
  no_key: only,
  /** Only calls of users whose account is gone. */
  no_group: only,
  outcome: z.enum(OUTCOMES).optional(),
  /** More than a hundred only by one dimension, as long as there are not too many steps. */
  top: z.coerce.number().int().min(1).max(ANALYTICS_ROWS_MAX).default(20),
  /** By what rows are the top ones; with an outcome, by the number of its calls. */
  order: z.enum(['quota', 'calls', 'failed', 'tokens']).default('quota'),
})
export type AnalyticsQuery = z.infer<typeof query>

const notTheirs = z
  .string()
  .refine(() => false, { error: 'input.own_only' })
  .optional()
const ownQuery = query.extend({
  by: query.shape.by.refine((names) => !names.some((name) => OPERATORS.includes(name)), {
    error: 'input.own_only',
  }),
  channel: notTheirs,
  user: notTheirs,
  group: notTheirs,
  no_group: notTheirs,
})

const Window = z.object({ start: z.int(), end: z.int() })

/** A key that expires soon or has little quota left. */
const EndingKey = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  reasons: z.array(z.enum(['expiring', 'used_up'])),
  /** Unix seconds; -1 for never. */
  expired_time: z.int(),
  remain_quota: z.int(),
  used_quota: z.int(),
  unlimited_quota: z.boolean(),
})

/** Enabled keys that expire within three days, or have less than a tenth of their quota left. */
const EndingKeys = z.object({
  expiring: z.int(),
  used_up: z.int(),
  /** The first few to expire or run out. */
  list: z.array(EndingKey),
})

export const AttentionChannel = ChannelAttention.extend({
  reasons: z.array(z.enum([...ChannelAttention.shape.reasons.element.options, 'slower'])),
  /** Set when its time to first byte is well above the usual; null otherwise, and with too few calls. */
  slower: z.object({ hour_p95: z.number(), hour_calls: z.int(), week_p95: z.number() }).nullable(),
})

export const analytics = {
  read: endpoint({
    method: 'GET',
    path: '/api/analytics/',
    access: 'admin',
    summary: {
      zh: '全站用量分析：按时间、模型、渠道、用户等',
      en: 'Usage of the site by time, model, channel, user and more',
    },
    query,
    data: Analytics,
  }),
  readSelf: endpoint({
    method: 'GET',
    path: '/api/analytics/self',
    access: 'user',
    summary: { zh: '自己的用量分析', en: 'Your own usage by time, model, key or outcome' },
    query: ownQuery,
    data: Analytics,
  }),
  attention: endpoint({
    method: 'GET',
    path: '/api/analytics/attention',
    access: 'admin',
    summary: {
      zh: '需要关注的事项：渠道失败、变慢、被自动禁用、余额低、模型没有价格，以及快到期或快用完的令牌',
      en: 'What needs attention: channels that fail, are slower than usual, were disabled, run out of balance or lack prices, and keys that end soon',
    },
    data: z.object({
      /** The time ranges of a channel's `recent` and `day`, and of the two percentiles in `slower`. */
      windows: z.object({ recent: Window, day: Window, hour: Window, week: Window }),
      channels: z.array(AttentionChannel),
      keys: EndingKeys,
      /** Why the node that answers cannot reach its Redis; null where it can, or has none. */
      redis_trouble: z.string().nullable().default(null),
    }),
  }),
  attentionSelf: endpoint({
    method: 'GET',
    path: '/api/analytics/self/attention',
    access: 'user',
    summary: {
      zh: '自己需要关注的事项：快到期或快用完的令牌，快用完的预算，以及余额可用到何时',
      en: 'What needs your attention: keys and budgets that end soon, and until when the balance lasts',
    },
    data: z.object({
      keys: EndingKeys,
      /** At least four fifths of them are used: those first of which the most is. */
      budgets: z.array(Budget),
      balance: z.object({
        quota: z.int(),
        /** Average spend per hour; null with less than a day of usage. */
        spent_per_hour: z.number().nullable(),
        window: Window,
        /** Unix seconds; null when nothing is spent, there is too little history, or it would last more than ten years. */
        lasts_until: z.int().nullable(),
      }),
    }),
  }),
}
