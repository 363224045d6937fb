import { type RawBuilder, sql } from 'kysely'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { Span, TimeSlice } from './time-slices.ts'
import { DAY, EIGHT_HOURS, HOUR } from './zone-time.ts'

/** The dimensions of sums, besides time. */
export type Part = 'model' | 'channel' | 'user' | 'group' | 'key'

export interface SumsFilter {
  model?: string | undefined
  channel?: number | undefined
  group?: string | undefined
  /** The name of a key. */
  key?: string | undefined
  /** Only these users, under this name where one is given. */
  users?: { ids: readonly number[]; username: string | undefined } | undefined
}

export interface SumsQuery {
  slice: TimeSlice
  /** The unit of the slice's zone by which the rows are split. */
  time: 'hour' | 'day' | undefined
  parts: readonly Part[]
  filter: SumsFilter
}

/** The sums of `FIGURE_COLUMNS`, in their order, and what they are the sums of. */
export interface SumsRow {
  /** The hour, or the number of the day; 0 if rows are not split by time. */
  time: number
  model: string
  channel: number
  user_id: number
  user: string
  group: string
  key: string
  sums: number[]
}

type Found = Omit<SumsRow, 'sums'> & Record<(typeof FIGURE_COLUMNS)[number], number>

/** The figures of calls, from the smallest table that has the requested columns. */
export const sumsRepository = (db: FiguresDb) => ({
  async read(query: SumsQuery): Promise<SumsRow[]> {
    const { slice, parts, filter } = query
    if (filter.users?.ids.length === 0) return []
    const source = sourceOf(query)
    const time = timeOf(query, source.begin)
    const named = columnsOf(parts)
    const columns = [...(time === undefined ? [] : [sql`${time} AS time`]), ...named.map((name) => COLUMNS[name].shown)]
    const names = [...(time === undefined ? [] : [sql`time`]), ...named.map((name) => COLUMNS[name].grouped)]
    const users = parts.includes('group')
      ? sql` LEFT JOIN (SELECT id, "group" FROM users) AS owners ON owners.id = usage.user_id`
      : sql``
    const isGrouped = names.length > 0 && !isAsKept(query, source)
    const grouped = isGrouped ? sql` GROUP BY ${sql.join(names)}` : sql``
    const sums = isGrouped || names.length === 0 ? SUMS : FIGURE_COLUMNS.map((column) => sql.ref(column))
    const { rows } =
      await sql<Found>`SELECT ${sql.join([...columns, ...sums])} FROM ${sql.table(source.table)} AS usage${users}
      WHERE ${sql.join([...source.where, ...within(source.begin, slice), ...wanted(filter)], sql` AND `)}${grouped}`.execute(
        db,
      )
    return rows.map(
      ({ time: at = 0, model = '', channel = 0, user_id = 0, user = '', group = '', key = '', ...found }) => ({
        ...{ time: at, model, channel, user_id, user, group, key },
        sums: FIGURE_COLUMNS.map((column) => found[column] ?? 0),
      }),
    )
  },

  /** Which keys of which users made calls, as one text: there are thousands, and it is cached. Duplicates are possible. */
  async active({ slice, filter }: Pick<SumsQuery, 'slice' | 'filter'>): Promise<string[]> {
    if (filter.users?.ids.length === 0) return []
    const { table, begin, where } = sourceOf({ slice, filter, parts: ['key'] })
    const { rows } = await sql<{ keys: string | null }>`
      SELECT string_agg(user_id || ' ' || token_name, '\n') AS keys FROM ${sql.table(table)} AS usage
      WHERE ${sql.join([...where, ...within(begin, slice), ...wanted(filter)], sql` AND `)}`.execute(db)
    return rows.flatMap(({ keys }) => keys ?? [])
  },

  /** Rows are stored by the user's id, and a name may have belonged to several users over time. */
  async usersCalled(username: string) {
    const rows = await db
      .selectFrom('usage_days')
      .select('user_id')
      .where('username', '=', username)
      .groupBy('user_id')
      .execute()
    return rows.map(({ user_id }) => user_id)
  },

  async channelNames() {
    const rows = await db.selectFrom('channels').select(['id', 'name']).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
})

const SUMS = FIGURE_COLUMNS.map(
  (column) => sql`CAST(coalesce(sum(${sql.ref(column)}), 0) AS bigint) AS ${sql.ref(column)}`,
)

const COLUMNS = {
  model: { shown: sql`model_name AS model`, grouped: sql`model_name` },
  channel: { shown: sql`channel`, grouped: sql`channel` },
  user_id: { shown: sql`user_id`, grouped: sql`user_id` },
  username: { shown: sql`username AS "user"`, grouped: sql`username` },
  group: { shown: sql`coalesce(owners."group", '') AS "group"`, grouped: sql`owners."group"` },
  key: { shown: sql`token_name AS "key"`, grouped: sql`token_name` },
}
type Column = keyof typeof COLUMNS

/** What distinguishes the rows of a part. */
const PARTS: Record<Part, readonly Column[]> = {
  model: ['model'],
  channel: ['channel'],
  user: ['user_id', 'username'],
  group: ['group'],
  key: ['user_id', 'username', 'key'],
}

const columnsOf = (parts: readonly Part[]) => [...new Set(parts.flatMap((part) => PARTS[part]))]

/** Whether there is one row for each row of the table, which needs no adding up. */
function isAsKept({ slice, parts, time }: SumsQuery, { table }: Source) {
  if (time !== undefined || slice.until - slice.from !== slice.span) return false
  if (table === 'site_usage') return parts.includes('model') && parts.includes('channel')
  return table === 'key_usage' && slice.span >= DAY && parts.includes('key') && !parts.includes('group')
}

interface Source {
  table: 'site_usage' | 'key_usage' | 'usage_hours' | 'usage_days'
  begin: string
  where: RawBuilder<unknown>[]
}

function sourceOf({ slice, parts, filter }: Omit<SumsQuery, 'time'>): Source {
  const { span, from, until } = slice
  const ofUsers = filter.users !== undefined || filter.group !== undefined || filter.key !== undefined
  const byUser = parts.some((part) => part === 'user' || part === 'group' || part === 'key')
  const byRoute = parts.some((part) => part === 'model' || part === 'channel')
  const ofRoutes = filter.model !== undefined || filter.channel !== undefined || byRoute
  const bySpan = (kept: Span) => [sql`span = ${sql.lit(kept)}`]
  if (!ofUsers && !byUser) return { table: 'site_usage', begin: 'start', where: bySpan(span) }
  // There are no sums of eight hours by key.
  if (!ofRoutes && filter.users === undefined)
    return { table: 'key_usage', begin: 'start', where: bySpan(span === EIGHT_HOURS ? HOUR : span) }
  const usage =
    span >= DAY ? ({ table: 'usage_days', begin: 'day' } as const) : ({ table: 'usage_hours', begin: 'hour' } as const)
  if (filter.users !== undefined) return { ...usage, where: [ofUser(sql.join(filter.users.ids))] }
  // An index leads to the days of a model or a channel.
  const isIndexed = usage.table === 'usage_days' && (filter.model !== undefined || filter.channel !== undefined)
  if (isIndexed) return { ...usage, where: [] }
  // Rows are stored by user: listing those who called in this period skips all other periods.
  const callers = sql`SELECT user_id FROM key_usage
    WHERE span = ${sql.lit(DAY)} AND start >= ${from - (from % DAY)} AND start < ${until}`
  return { ...usage, where: [ofUser(callers)] }
}

const ofUser = (ids: RawBuilder<unknown>) => sql`usage.user_id IN (${ids})`

function within(begin: string, { from, until }: TimeSlice) {
  return [sql`${sql.ref(begin)} >= ${from}`, sql`${sql.ref(begin)} < ${until}`]
}

function timeOf({ time, slice: { ahead } }: SumsQuery, begin: string) {
  if (time === undefined) return undefined
  return time === 'hour' ? sql`${sql.ref(begin)}` : sql`(${sql.ref(begin)} + ${sql.lit(ahead)}) / ${sql.lit(DAY)}`
}

function wanted({ model, channel, group, key, users }: SumsFilter) {
  return [
    ...(model === undefined ? [] : [sql`model_name = ${model}`]),
    ...(channel === undefined ? [] : [sql`channel = ${channel}`]),
    ...(key === undefined ? [] : [sql`token_name = ${key}`]),
    ...(users?.username === undefined ? [] : [sql`username = ${users.username}`]),
    ...(group === undefined ? [] : [sql`usage.user_id IN (SELECT id FROM users WHERE "group" = ${group})`]),
  ]
}
