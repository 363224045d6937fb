import { type AnalyticsRow, LogType } from '@tollgate/contract'
import type { Span } from './time-range.ts'
import type { Metric } from './usage-metrics.ts'
import type { Usage } from './usage-rows.ts'
import type { UsageFilter } from './usage-search.ts'

/** What a number counts: what calls cost, how many there were, or how many of them failed. */
export type Counted = 'spend' | 'calls' | 'failed'

/** The calls that a metric counts; others have none to list. */
export const COUNTED: Partial<Record<Metric, Counted>> = {
  quota: 'spend',
  calls: 'calls',
  failed: 'failed',
  failed_share: 'failed',
}

/** Where the log lists the calls that a number counts. */
export const logSearchOf = (filter: UsageFilter, { start, end }: Span, counted: Counted) => {
  const { model, channel, user, key, group, no_model, no_group, no_key: no_token } = filter
  const type = { spend: LogType.consume, calls: LogType.calls, failed: undefined }[counted]
  const outcome = filter.outcome ?? (counted === 'failed' ? ('failed' as const) : undefined)
  return {
    ...{ type, model_name: model, channel, username: user, group, token_name: key, outcome, start },
    no_model,
    offered: model === undefined ? undefined : ('true' as const),
    no_token,
    no_group,
    end: end - 1,
  }
}

/**
 * From the beginning of a row's step to that of the next; all of the time where rows are not told apart by it. Usage is known by the
 * hour: a step that begins within one has the hours from the next on.
 */
export const rowSpan = (
  { time }: Pick<AnalyticsRow, 'time'>,
  { times, start, end }: Pick<Usage, 'times' | 'start' | 'end'>,
): Span =>
  time === undefined
    ? { start, end }
    : { start: Math.max(nextHour(time), start), end: Math.min(nextHour(times[times.indexOf(time) + 1] ?? end), end) }

const HOUR = 3600
const nextHour = (time: number) => Math.ceil(time / HOUR) * HOUR
