import { type RawBuilder, sql } from 'kysely'
import { DAY } from '../common/time-units.ts'
import { firstGroup, membersOf } from '../database/group-members.ts'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { Span, TimeSlice } from './time-slices.ts'

/** The dimensions of sums, besides time. */
export type Part = 'model' | 'channel' | 'user' | 'group' | 'key'

export interface SumsFilter {
  model?: string | undefined
  channel?: number | undefined
  /** The lists of groups that users have; see `groupLists`. */
  groups?: readonly string[] | undefined
  /** Only users without these lists; those whose account is gone have none. */
  exceptGroups?: readonly string[] | undefined
  /** The name of a key. */
  key?: string | undefined
  /** Only these users, under this name where one is given. Whoever asks about themselves is the same user under any name. */
  users?: { ids: readonly number[]; username: string | undefined; isReader?: boolean } | undefined
}

export type FigureColumn = (typeof FIGURE_COLUMNS)[number]

interface Wanted {
  parts: readonly Part[]
  filter: SumsFilter
  /** The unit of a slice's zone by which the rows are split. */
  time: 'hour' | 'day' | undefined
}

export interface SumsQuery extends Wanted {
  /** One of the answers of `together`. */
  slices: readonly TimeSlice[]
  /** The others are 0. */
  columns: readonly FigureColumn[]
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

type Found = Partial<Omit<SumsRow, 'sums'> & Record<FigureColumn, number>>

/** Slices grouped by the statement that reads them: small ones are read together. */
export const together = (slices: readonly TimeSlice[], wanted: Wanted): TimeSlice[][] => {
  const statements: { slices: TimeSlice[]; spans: number; unit: string }[] = []
  for (const slice of slices) {
    const { isLarge } = sourceOf(slice, wanted)
    const spans = isLarge ? SPANS_MAX : (slice.until - slice.from) / DAY
    // The number of a day is computed in the same way for all rows of a statement.
    const unit = wanted.time === 'day' ? `${slice.span} ${slice.ahead}` : ''
    const last = statements.at(-1)
    if (last === undefined || last.spans + spans > SPANS_MAX || last.unit !== unit)
      statements.push({ slices: [slice], spans, unit })
    else {
      last.slices.push(slice)
      last.spans += spans
    }
  }
  return statements.map((statement) => statement.slices)
}

/** Days are read a month at a time, and other work may run in between. */
const SPANS_MAX = 32

/** The figures of calls, from the smallest table that has the requested columns. */
export const sumsRepository = (db: FiguresDb) => ({
  async read(query: SumsQuery): Promise<SumsRow[]> {
    const { slices, parts, filter, time, columns } = query
    const [slice] = slices
    if (slice === undefined || isOfNobody(filter)) return []
    const named = [...new Set(parts.flatMap((part) => PARTS[part]))]
    const names = [...(time === undefined ? [] : ['time']), ...named.map((name) => COLUMNS[name].name)].map((name) =>
      sql.ref(name),
    )
    // As raw text: compiling them column by column, for each slice, takes as long as many of the queries.
    const kept = sql.raw(columns.join(', '))
    const rowsOf = (one: TimeSlice) => {
      const source = sourceOf(one, query)
      const shown = named.map((name) => sql`${COLUMNS[name].column} AS ${sql.ref(COLUMNS[name].name)}`)
      const at = time === undefined ? [] : [sql`${timeOf(query, one, source)} AS time`]
      const users = parts.includes('group')
        ? sql` LEFT JOIN (SELECT id, "group" FROM users) AS owners ON owners.id = usage.user_id`
        : sql``
      return sql`SELECT ${sql.join([...at, ...shown, kept])}
        FROM ${sql.table(source.table)} AS usage${users} WHERE ${within(source, one, filter)}`
    }
    const isGrouped = names.length > 0 && (slices.length > 1 || !isAsKept(query, slice))
    const sums = isGrouped || names.length === 0 ? sql.raw(columns.map(sumOf).join(', ')) : kept
    const { rows } = await sql<Found>`SELECT ${sql.join([...names, sums])}
      FROM (${sql.join(slices.map(rowsOf), sql` UNION ALL `)}) AS found${
        isGrouped ? sql` GROUP BY ${sql.join(names)}` : sql``
      }`.execute(db)
    const isOfStart = time === 'day' && slice.span >= DAY
    return rows.map((row) => ({
      time: isOfStart ? Math.floor(((row.time ?? 0) + slice.ahead) / DAY) : (row.time ?? 0),
      model: row.model ?? '',
      channel: row.channel ?? 0,
      user_id: row.user_id ?? 0,
      user: filter.users?.isReader ? '' : (row.user ?? ''),
      group: row.group == null ? '' : firstGroup(row.group),
      key: row.key ?? '',
      sums: FIGURE_COLUMNS.map((column) => row[column] ?? 0),
    }))
  },

  /** Which keys of which users made calls, as texts: there are thousands, and they are cached. Duplicates are possible. */
  async active({ slices, filter }: Pick<SumsQuery, 'slices' | 'filter'>): Promise<string[]> {
    if (slices.length === 0 || isOfNobody(filter)) return []
    const keysOf = (slice: TimeSlice) => {
      const source = sourceOf(slice, { parts: ['key'], filter })
      return sql`SELECT ${ACTIVE} AS active FROM ${sql.table(source.table)} AS usage WHERE ${within(source, slice, filter)}`
    }
    const { rows } = await sql<{ active: string | null }>`${sql.join(slices.map(keysOf), sql` UNION ALL `)}`.execute(db)
    return rows.flatMap(({ active }) => active ?? [])
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

  /** The group of more than half of the users, if there is one, and the lists that begin with it. */
  async majorityGroup() {
    const rows = await db
      .selectFrom('users')
      .select(['group', ({ fn }) => fn.countAll<number>().as('users')])
      .groupBy('group')
      .execute()
    const byGroup = Map.groupBy(rows, (row) => firstGroup(row.group))
    const usersIn = (some: typeof rows) => some.reduce((sum, { users }) => sum + Number(users), 0)
    const found = [...byGroup].find(([, some]) => usersIn(some) * 2 > usersIn(rows))
    return found && { group: found[0], lists: found[1].map((row) => row.group) }
  },

  async channelNames() {
    const rows = await db.selectFrom('channels').select(['id', 'name']).execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
})

/** The keys of some rows, a line for each. */
const ACTIVE = sql`string_agg(user_id || ' ' || token_name, '\n')`

const sumOf = (column: FigureColumn) => `CAST(coalesce(sum(${column}), 0) AS bigint) AS ${column}`

const COLUMNS = {
  model: { name: 'model', column: sql`model_name` },
  channel: { name: 'channel', column: sql`channel` },
  user_id: { name: 'user_id', column: sql`user_id` },
  username: { name: 'user', column: sql`username` },
  group: { name: 'group', column: sql`owners."group"` },
  key: { name: 'key', column: sql`token_name` },
}

/** What distinguishes the rows of a part. */
const PARTS: Record<Part, readonly (keyof typeof COLUMNS)[]> = {
  model: ['model'],
  channel: ['channel'],
  user: ['user_id', 'username'],
  group: ['group'],
  key: ['user_id', 'username', 'key'],
}

/** Whether each result row is one row of the table, so that nothing has to be summed. */
function isAsKept({ parts, filter, time }: Wanted, slice: TimeSlice) {
  const { table } = sourceOf(slice, { parts, filter })
  if (table === 'total_usage') return time === 'hour'
  const isOneSpan = slice.until - slice.from === slice.span
  if (!isOneSpan && !(time === 'day' && slice.span >= DAY)) return false
  if (table === 'site_usage') return parts.includes('model') && parts.includes('channel')
  return table === 'key_usage' && slice.span >= DAY && parts.includes('key') && !parts.includes('group')
}

interface Source {
  table: 'total_usage' | 'site_usage' | 'key_usage' | 'usage_hours' | 'usage_days'
  begin: 'start' | 'hour' | 'day'
  where: readonly RawBuilder<unknown>[]
  isLarge: boolean
}

function sourceOf({ span, from, until }: TimeSlice, { parts, filter }: Pick<Wanted, 'parts' | 'filter'>): Source {
  const ofUsers = isOfUsers(filter)
  const byRoute = parts.some((part) => part === 'model' || part === 'channel')
  const ofRoutes = filter.model !== undefined || filter.channel !== undefined || byRoute
  const bySpan = (kept: Span) => ({ begin: 'start', where: [sql`span = ${sql.lit(kept)}`], isLarge: false }) as const
  if (!ofUsers && !isByUser(parts))
    return ofRoutes ? { table: 'site_usage', ...bySpan(span) } : { table: 'total_usage', ...bySpan(span) }
  if (!ofRoutes && filter.users === undefined) return { table: 'key_usage', ...bySpan(span) }
  if (!ofRoutes && span >= DAY) {
    const { where, ...source } = bySpan(span)
    // Each as a value, because after a range the index would not lead to the users.
    const starts = Array.from({ length: (until - from) / span }, (_, nth) => sql.lit(from + nth * span))
    return {
      table: 'key_usage',
      ...source,
      where: [...where, sql`start IN (${sql.join(starts)})`, ofUser(sql.join(filter.users?.ids ?? []))],
    }
  }
  const usage =
    span >= DAY
      ? ({ table: 'usage_days', begin: 'day', isLarge: true } as const)
      : ({ table: 'usage_hours', begin: 'hour', isLarge: true } as const)
  if (filter.users !== undefined) return { ...usage, where: [ofUser(sql.join(filter.users.ids))], isLarge: false }
  // Its members lead to their rows.
  if (filter.groups !== undefined) return { ...usage, where: [] }
  // An index leads to the days of a model or a channel.
  const isIndexed = filter.model !== undefined || filter.channel !== undefined
  if (isIndexed && usage.table === 'usage_days') return { ...usage, where: [] }
  // Rows are stored by user: listing those who called in this period skips all other periods.
  const days = { from: from - (from % DAY), until }
  const callers = isIndexed
    ? sql`usage_days WHERE ${between('day', days)} AND ${sql.join(routeConditions(filter), sql` AND `)}`
    : sql`key_usage WHERE span = ${sql.lit(DAY)} AND ${between('start', days)}`
  return { ...usage, where: [ofUser(sql`SELECT user_id FROM ${callers}`)] }
}

export const isByUser = (parts: readonly Part[]) =>
  parts.some((part) => part === 'user' || part === 'group' || part === 'key')

/** Whether only calls of some users are counted. */
export const isOfUsers = ({ users, groups, exceptGroups, key }: SumsFilter) =>
  [users, groups, exceptGroups, key].some((one) => one !== undefined)

const isOfNobody = ({ users, groups }: SumsFilter) => [users?.ids, groups].some((names) => names?.length === 0)

const ofUser = (ids: RawBuilder<unknown>) => sql`usage.user_id IN (${ids})`

const between = (begin: Source['begin'], { from, until }: { from: number; until: number }) =>
  sql`${sql.ref(begin)} >= ${from} AND ${sql.ref(begin)} < ${until}`

const within = ({ begin, where }: Source, slice: TimeSlice, filter: SumsFilter) =>
  sql.join([...where, between(begin, slice), ...conditions(filter)], sql` AND `)

/** Of days the start, from which the number is computed later: they are stored in this order, and need no sorting. */
function timeOf({ time }: Wanted, { span, ahead }: TimeSlice, { begin }: Source) {
  if (time === 'hour' || span >= DAY) return sql.ref(begin)
  return sql`(${sql.ref(begin)} + ${sql.lit(ahead)}) / ${sql.lit(DAY)}`
}

const routeConditions = ({ model, channel }: SumsFilter) => [
  ...(model === undefined ? [] : [sql`model_name = ${model}`]),
  ...(channel === undefined ? [] : [sql`channel = ${channel}`]),
]

function conditions({ groups, exceptGroups, key, users, ...filter }: SumsFilter) {
  return [
    ...routeConditions(filter),
    ...(key === undefined ? [] : [sql`token_name = ${key}`]),
    ...(users?.username === undefined ? [] : [sql`username = ${users.username}`]),
    ...(groups === undefined ? [] : [ofUser(membersOf(groups))]),
    ...(exceptGroups === undefined ? [] : [sql`usage.user_id NOT IN (${membersOf(exceptGroups)})`]),
  ]
}
