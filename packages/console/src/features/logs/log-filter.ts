import { LogType } from '@tollgate/contract'
import { formatTimestamp, parseTimestamp } from '../../lib/time.ts'

/** The filter as the address carries it; `start` and `end` are unix seconds. */
export interface LogSearch {
  type?: number | undefined
  token_name?: string | undefined
  model_name?: string | undefined
  /** An agent's conversation; it is chosen by a link and not typed. */
  session?: string | undefined
  request_id?: string | undefined
  username?: string | undefined
  channel?: number | undefined
  start?: number | undefined
  end?: number | undefined
}

/** The filter as it is typed. */
export interface LogFilterValues {
  type: number
  token_name: string
  model_name: string
  session: string
  request_id: string
  username: string
  channel: string
  start: string
  end: string
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Without an end the range reaches one hour ahead, so that clocks which differ a little hide nothing. */
const defaultEnd = (now: number) => now + HOUR

export const toQuery = (search: LogSearch, now: number) => ({
  type: search.type ?? LogType.all,
  token_name: search.token_name ?? '',
  model_name: search.model_name ?? '',
  session: search.session ?? '',
  request_id: search.request_id ?? '',
  start_timestamp: search.start ?? 0,
  end_timestamp: search.end ?? defaultEnd(now),
})

export const toAdminQuery = (search: LogSearch, now: number) => ({
  ...toQuery(search, now),
  username: search.username ?? '',
  channel: search.channel ?? 0,
})

export const toValues = (search: LogSearch, now: number): LogFilterValues => ({
  type: search.type ?? LogType.all,
  token_name: search.token_name ?? '',
  model_name: search.model_name ?? '',
  session: search.session ?? '',
  request_id: search.request_id ?? '',
  username: search.username ?? '',
  channel: search.channel === undefined ? '' : String(search.channel),
  start: search.start === undefined ? '' : formatTimestamp(search.start),
  end: formatTimestamp(search.end ?? defaultEnd(now)),
})

/** Call it only with values that `filterErrors` accepts. An end that was not touched stays "one hour ahead". */
export const toSearch = (values: LogFilterValues, shownEnd: string): LogSearch => ({
  type: values.type === LogType.all ? undefined : values.type,
  token_name: values.token_name.trim() || undefined,
  model_name: values.model_name.trim() || undefined,
  session: values.session.trim() || undefined,
  request_id: values.request_id.trim().toLowerCase() || undefined,
  username: values.username.trim() || undefined,
  channel: values.channel.trim() === '' ? undefined : Number(values.channel.trim()),
  start: parseTimestamp(values.start),
  end: values.end === shownEnd ? undefined : parseTimestamp(values.end),
})

export type FilterProblem = 'badTime' | 'endBeforeStart' | 'badChannel'

export function filterErrors(values: LogFilterValues): Partial<Record<'start' | 'end' | 'channel', FilterProblem>> {
  const [start, end] = [values.start.trim(), values.end.trim()]
  const [from, until] = [parseTimestamp(start), parseTimestamp(end)]
  return {
    ...(/^([1-9]\d{0,14})?$/.test(values.channel.trim()) ? {} : { channel: 'badChannel' }),
    ...(start !== '' && from === undefined ? { start: 'badTime' } : {}),
    ...(end !== '' && until === undefined ? { end: 'badTime' } : {}),
    ...(from !== undefined && until !== undefined && until < from ? { end: 'endBeforeStart' } : {}),
  }
}

export const RANGES = ['hour', 'today', 'week', 'month', 'allTime'] as const
export type Range = (typeof RANGES)[number]

/** Where a quick range begins; all of them end one hour ahead. */
export function rangeStart(range: Range, now: number): number | undefined {
  switch (range) {
    case 'hour':
      return now - HOUR
    case 'today':
      return Math.floor(new Date(now * 1000).setHours(0, 0, 0, 0) / 1000)
    case 'week':
      return now - 7 * DAY
    case 'month':
      return now - 30 * DAY
    case 'allTime':
      return undefined
  }
}

/** How many filters narrow the list, besides the time range. */
export const countFilters = ({ type, token_name, model_name, session, request_id, username, channel }: LogSearch) =>
  [type, token_name, model_name, session, request_id, username, channel].filter((value) => value !== undefined).length

export const isFiltered = (search: LogSearch) =>
  countFilters(search) > 0 || search.start !== undefined || search.end !== undefined
