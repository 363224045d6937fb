import { LogType, NO_CHANNEL, type Outcome, QUOTA_MAX } from '@tollgate/contract'
import { formatTimestamp, parseTimestamp } from '../../lib/format/time.ts'
import { quotaOf } from '../../lib/forms/typed-money.ts'

/** The filter in the URL; `start` and `end` are unix seconds, `min_elapsed` are milliseconds. */
export interface LogSearch {
  type?: number | undefined
  token_name?: string | undefined
  model_name?: string | undefined
  /** An agent's conversation; chosen by a link and not typed. */
  session?: string | undefined
  request_id?: string | undefined
  /** Chosen by a link: only calls without a known model, whose key has no name, or of users whose account is gone. */
  no_model?: 'true' | undefined
  /** Chosen by a link: without calls that were refused because no channel offered the model, which its figures do not count. */
  offered?: 'true' | undefined
  no_token?: 'true' | undefined
  no_group?: 'true' | undefined
  username?: string | undefined
  /** Chosen by a link: the entries of the account that has this username now, under all of its names. */
  user_id?: number | undefined
  group?: string | undefined
  /** 0 for entries without a channel. */
  channel?: number | undefined
  outcome?: Outcome | 'failed' | undefined
  min_quota?: number | undefined
  min_elapsed?: number | undefined
  stream?: Stream | undefined
  start?: number | undefined
  end?: number | undefined
}

type Stream = 'true' | 'false'

/** The filter as typed: quota in the site's display unit, a duration in seconds. */
export interface LogFilterValues {
  type: number
  token_name: string
  model_name: string
  session: string
  request_id: string
  no_model: 'true' | ''
  offered: 'true' | ''
  no_token: 'true' | ''
  no_group: 'true' | ''
  username: string
  user_id: number
  group: string
  channel: string
  outcome: Outcome | 'failed' | ''
  min_quota: string
  min_elapsed: string
  stream: Stream | ''
  start: string
  end: string
}

const HOUR = 3600
const DAY = 24 * HOUR

/** Without an end the range reaches one hour ahead, so that clock differences hide nothing. */
const defaultEnd = (now: number) => now + HOUR

export const toQuery = (search: LogSearch, now: number) => ({
  type: search.type ?? LogType.all,
  token_name: search.token_name ?? '',
  model_name: search.model_name ?? '',
  session: search.session ?? '',
  request_id: search.request_id ?? '',
  no_model: search.no_model ?? ('' as const),
  offered: search.offered ?? ('' as const),
  no_token: search.no_token ?? ('' as const),
  outcome: search.outcome ?? ('' as const),
  min_quota: search.min_quota ?? 0,
  min_elapsed: search.min_elapsed ?? 0,
  stream: search.stream ?? ('' as const),
  start_timestamp: search.start ?? 0,
  end_timestamp: search.end ?? defaultEnd(now),
})

export const toAdminQuery = (search: LogSearch, now: number) => ({
  ...toQuery(search, now),
  ...userOf(search),
  group: search.group ?? '',
  no_group: search.no_group ?? ('' as const),
  channel: search.channel === 0 ? NO_CHANNEL : (search.channel ?? 0),
})

/** An account that is named by its id is found under its former names too. */
const userOf = ({ username = '', user_id = 0 }: LogSearch) =>
  username === '' || user_id === 0 ? { username, user_id: 0 } : { username: '', user_id }

/** `perUnit` is the quota of one displayed unit. */
export const toValues = (search: LogSearch, now: number, perUnit = 1): LogFilterValues => ({
  type: search.type ?? LogType.all,
  token_name: search.token_name ?? '',
  model_name: search.model_name ?? '',
  session: search.session ?? '',
  request_id: search.request_id ?? '',
  no_model: search.no_model ?? '',
  offered: search.offered ?? '',
  no_token: search.no_token ?? '',
  no_group: search.no_group ?? '',
  username: search.username ?? '',
  user_id: search.user_id ?? 0,
  group: search.group ?? '',
  channel: search.channel === undefined ? '' : String(search.channel),
  outcome: search.outcome ?? '',
  min_quota: search.min_quota === undefined ? '' : String(search.min_quota / perUnit),
  min_elapsed: search.min_elapsed === undefined ? '' : String(search.min_elapsed / 1000),
  stream: search.stream ?? '',
  start: search.start === undefined ? '' : formatTimestamp(search.start),
  end: formatTimestamp(search.end ?? defaultEnd(now)),
})

/** Only for values that `filterErrors` accepts. An untouched end stays "one hour ahead". */
export const toSearch = (values: LogFilterValues, shownEnd: string, perUnit = 1): LogSearch => ({
  type: values.type === LogType.all ? undefined : values.type,
  token_name: values.token_name.trim() || undefined,
  model_name: values.model_name.trim() || undefined,
  session: values.session.trim() || undefined,
  request_id: values.request_id.trim().toLowerCase() || undefined,
  // A typed name replaces the filter for entries without one.
  no_model: (values.model_name.trim() === '' && values.no_model) || undefined,
  offered: (values.model_name.trim() !== '' && values.offered) || undefined,
  no_token: (values.token_name.trim() === '' && values.no_token) || undefined,
  no_group: (values.group === '' && values.no_group) || undefined,
  username: values.username.trim() || undefined,
  user_id: (values.username.trim() !== '' && values.user_id) || undefined,
  group: values.group || undefined,
  channel: values.channel.trim() === '' ? undefined : Number(values.channel.trim()),
  outcome: values.outcome || undefined,
  min_quota: quotaOf(Number(values.min_quota), perUnit) || undefined,
  min_elapsed: Math.round(Number(values.min_elapsed) * 1000) || undefined,
  stream: values.stream || undefined,
  start: parseTimestamp(values.start),
  end: values.end === shownEnd ? undefined : parseTimestamp(values.end),
})

/** The names that were typed after these values were sent. */
export const typedSince = (sent: LogFilterValues, now: LogFilterValues): Partial<LogFilterValues> =>
  Object.fromEntries(FIELDS.filter((name) => now[name] !== sent[name]).map((name) => [name, now[name]]))

const FIELDS = ['token_name', 'model_name', 'session', 'request_id', 'username', 'channel'] as const

/** Fields with free text. */
export type TypedField = Exclude<
  keyof LogFilterValues,
  | 'type'
  | 'group'
  | 'outcome'
  | 'stream'
  | 'start'
  | 'end'
  | 'no_model'
  | 'offered'
  | 'no_token'
  | 'no_group'
  | 'user_id'
>

export type FilterProblem = 'badTime' | 'endBeforeStart' | 'badChannel' | 'badNumber'
export type CheckedField = 'start' | 'end' | 'channel' | 'min_quota' | 'min_elapsed'

export function filterErrors(values: LogFilterValues): Partial<Record<CheckedField, FilterProblem>> {
  const [start, end] = [values.start.trim(), values.end.trim()]
  const [from, until] = [parseTimestamp(start), parseTimestamp(end)]
  return {
    ...(/^(0|[1-9]\d{0,14})?$/.test(values.channel.trim()) ? {} : { channel: 'badChannel' }),
    ...(isAmount(values.min_quota) ? {} : { min_quota: 'badNumber' }),
    ...(isAmount(values.min_elapsed) ? {} : { min_elapsed: 'badNumber' }),
    ...(start !== '' && from === undefined ? { start: 'badTime' } : {}),
    ...(end !== '' && until === undefined ? { end: 'badTime' } : {}),
    ...(from !== undefined && until !== undefined && until < from ? { end: 'endBeforeStart' } : {}),
  }
}

/** Empty, or a number from 0 up to the highest possible balance. */
const isAmount = (typed: string) => Number(typed) >= 0 && Number(typed) <= QUOTA_MAX

export const RANGES = ['hour', 'today', 'yesterday', 'week', 'month', 'allTime'] as const
export type Range = (typeof RANGES)[number]

/** A quick range. Those that reach until now end one hour ahead. */
export function rangeOf(range: Range, now: number): Pick<LogSearch, 'start' | 'end'> {
  switch (range) {
    case 'hour':
      return { start: now - HOUR }
    case 'today':
      return { start: midnight(now, 0) }
    case 'yesterday':
      return { start: midnight(now, 1), end: midnight(now, 0) - 1 }
    case 'week':
      return { start: now - 7 * DAY }
    case 'month':
      return { start: now - 30 * DAY }
    case 'allTime':
      return {}
  }
}

/** By local time: a day has 23 hours when summer time starts. */
function midnight(now: number, daysAgo: number) {
  const day = new Date(now * 1000)
  day.setHours(0, 0, 0, 0)
  return Math.floor(day.setDate(day.getDate() - daysAgo) / 1000)
}

/** How many filters are set, besides the time range; `offered` belongs to the model, `user_id` to the username. */
export const countFilters = ({ start: _start, end: _end, offered: _offered, user_id: _id, ...filters }: LogSearch) =>
  Object.values(filters).filter((value) => value !== undefined).length

/** Whether one of the less common filters is set. */
export const hasRareFilter = ({ group, no_group, outcome, min_quota, min_elapsed, stream }: LogSearch) =>
  [group, no_group, outcome, min_quota, min_elapsed, stream].some((value) => value !== undefined)

export const isFiltered = (search: LogSearch) =>
  countFilters(search) > 0 || search.start !== undefined || search.end !== undefined
