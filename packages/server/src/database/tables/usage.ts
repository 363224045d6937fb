import type { Generated } from 'kysely'

interface Figures {
  request_count: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
}

/** Here `request_count` counts the calls that were answered and charged. */
interface AllFigures extends Figures {
  /** Calls that no channel answered. */
  failed_count: Generated<number>
  /** Calls by outcome. The others succeeded. */
  client_error_count: Generated<number>
  access_count: Generated<number>
  rate_limited_count: Generated<number>
  upstream_error_count: Generated<number>
  timeout_count: Generated<number>
  canceled_count: Generated<number>
  cached_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  reasoning_tokens: Generated<number>
}

export interface UsageHourRow extends AllFigures {
  user_id: number
  /** Start of the hour, unix seconds. */
  hour: number
  username: string
  token_name: string
  model_name: string
  channel: number
}

export interface UsageModelRow extends Figures {
  user_id: number
  hour: number
  model_name: string
}

export interface UsageDayRow extends AllFigures {
  user_id: number
  /** Start of the day in UTC, unix seconds. */
  day: number
  username: string
  token_name: string
  model_name: string
  channel: number
}

interface SpanFigures extends AllFigures {
  /** The length of the sum in seconds: 3600, 86400, or another one where these are rolled up. */
  span: number
  start: number
}

/** The figures of the whole site. */
export interface TotalUsageRow extends SpanFigures {
  /** Of spans longer than a day: the keys that made calls. */
  active: Generated<string>
  /** Of spans of four days: whether the hours of these days are in `figure_days`. */
  hours_packed: Generated<number>
  /** Whether they are there by key as well. */
  keys_packed: Generated<number>
}

export interface SiteUsageRow extends SpanFigures {
  model_name: string
  channel: number
}

export interface TokenUsageRow extends Figures {
  token_name: string
  span: number
  start: number
  model_name: string
  channel: number
}

export interface KeyUsageRow extends SpanFigures {
  user_id: number
  token_name: string
  username: string
}

export interface LatencyDayRow {
  /** The key of its rows: `all`, `model`, `channel`, `both`, or `user`. Unused columns are '' or 0. */
  dimension: string
  user_id: number
  /** Start of the day in UTC, unix seconds. */
  day: number
  model_name: string
  channel: number
  /** Packed histograms: of the day, and by hour. */
  whole: string
  hours: string
}

/** The figures of a finished day: by model, by channel, or of a model at a channel by key. */
export interface FigureDayRow {
  /** The key of its rows: `model`, `channel`, or `key`, whose rows have both. The unused column is '' or 0. */
  dimension: string
  model_name: string
  channel: number
  /** Start of the day in UTC, unix seconds. */
  day: number
  /** A line for each hour with calls: its number, and its figures. With `key`, packed into bytes. */
  hours: string
}

/** A key that made calls, under the name that its owner then had. */
export interface FigureKeyRow {
  id: number
  user_id: number
  username: string
  token_name: string
}

/** Failures of a channel in calls that were answered all the same. */
export interface SavedFailureRow {
  hour: number
  channel: number
  /** Attempts after which another one answered. */
  retried: number
  /** Answers that the vendor broke off. */
  broken: number
  last_at: number
  last_error: string
  last_request_id: string
}
