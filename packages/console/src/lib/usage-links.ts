import type { AnalyticsRow } from '@tollgate/contract'
import type { Span } from './time-range.ts'
import type { Usage } from './usage-rows.ts'
import type { UsageFilter } from './usage-search.ts'

/** Where the log lists the calls that a number counts; undefined for a group, which the log has no filter for. */
export const logSearchOf = (filter: UsageFilter, { start, end }: Span, type?: number) => {
  const { model, channel, user, key, group, outcome } = filter
  if (group !== undefined) return undefined
  return { ...{ type, model_name: model, channel, username: user, token_name: key, outcome, start }, end: end - 1 }
}

/** From the beginning of a row's step to that of the next; all of the time where rows are not told apart by it. */
export const rowSpan = (
  { time }: Pick<AnalyticsRow, 'time'>,
  { times, start, end }: Pick<Usage, 'times' | 'start' | 'end'>,
): Span =>
  time === undefined ? { start, end } : { start: Math.max(time, start), end: times[times.indexOf(time) + 1] ?? end }
