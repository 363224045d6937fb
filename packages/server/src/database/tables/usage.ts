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
  /** The length of the sum in seconds: 3600 or 86400. */
  span: number
  start: number
}

/** The figures of the whole site. */
export type TotalUsageRow = SpanFigures

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

/** The figures of a finished day, or of four. */
export interface FigurePackRow {
  /** What its rows are by: see `PackKind`. */
  kind: string
  /** In seconds. */
  span: number
  /** Of the first day in UTC, unix seconds. */
  start: number
  /** Of `calls`, of which there are several; otherwise 0. */
  part: number
  bytes: Uint8Array
}

/** A day, or four, of which there are packs. */
export interface PackedDaysRow {
  span: number
  start: number
  /** The sum of all figures when they were packed. */
  total: number
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
