import { type DashboardRow, type LogFilter, NO_CHANNEL } from '@tollgate/contract'
import { sql } from 'kysely'
import { DAY, HOUR } from '../common/time-units.ts'
import { allGroupLists, groupLists, membersOf } from '../database/group-members.ts'
import type { FiguresDb } from '../ledger/up-to-date-figures.ts'
import type { Scope } from './log-conditions.ts'

/** Usage figures, so that no query has to read the log. */
export const usageRepository = (db: FiguresDb) => ({
  /** Calls and quota of the spans from `from` up to, but not including, `until`. */
  async sum(scope: Scope, filter: LogFilter, range: Range): Promise<Sum> {
    if (scope !== 'everyone') return sumOfUser(db, scope.userId, filter, range)
    if (filter.group !== '' || filter.no_group !== '') return sumOfGroup(db, filter, range)
    if (filter.user_id !== 0) return sumOfUser(db, filter.user_id, filter, range)
    if (filter.username === '') return sumOfSite(db, filter, range)
    const total = { ...NOTHING }
    for (const userId of await usersCalled(db, filter.username)) {
      const { calls, quota } = await sumOfUser(db, userId, filter, range)
      total.calls += calls
      total.quota += quota
    }
    return total
  },

  /** Days count from 1970-01-01, at `ahead` seconds from UTC. */
  async byDayAndModel(scope: Scope, { firstDay, ahead }: { firstDay: number; ahead: number }): Promise<DashboardRow[]> {
    const from = firstDay * 86_400 - ahead
    const hours =
      scope === 'everyone'
        ? sql`SELECT start AS hour, model_name, ${SUMMED} FROM site_usage WHERE span = ${HOUR} AND start >= ${from}`
        : sql`SELECT hour, model_name, ${SUMMED} FROM usage_models WHERE user_id = ${scope.userId} AND hour >= ${from}`
    const { rows } = await sql<Omit<DashboardRow, 'Day'> & { day: number }>`
      SELECT day, model_name AS "ModelName",
        CAST(sum(request_count) AS bigint) AS "RequestCount", CAST(sum(quota) AS bigint) AS "Quota",
        CAST(sum(prompt_tokens) AS bigint) AS "PromptTokens", CAST(sum(completion_tokens) AS bigint) AS "CompletionTokens"
      FROM (SELECT (hour + ${sql.lit(ahead)}) / 86400 AS day, model_name, ${SUMMED} FROM (${hours}) AS hours) AS days
      GROUP BY day, model_name HAVING sum(request_count) > 0 OR sum(quota) <> 0 ORDER BY day, model_name`.execute(db)
    return rows.map(({ day, ...row }) => ({ Day: new Date(day * 86_400_000).toISOString().slice(0, 10), ...row }))
  },

  /** Answered calls per channel since the given hour. */
  async callsByChannel(since: number) {
    const rows = await db
      .selectFrom('site_usage')
      .select(['channel', sql<number>`CAST(sum(request_count) AS bigint)`.as('calls')])
      .where('span', '=', HOUR)
      .where('start', '>=', since)
      .groupBy('channel')
      .execute()
    return new Map(rows.map(({ channel, calls }) => [channel, calls]))
  },
})

interface Sum {
  calls: number
  quota: number
}

interface Range {
  span: number
  from: number
  until: number
}

/** From the smaller of the two tables that have the columns of the filter. */
async function sumOfSite(db: FiguresDb, filter: LogFilter, { span, from, until }: Range) {
  const table = sql.table(filter.token_name === '' && filter.no_token === '' ? 'site_usage' : 'token_usage')
  const { rows } = await sql<Sum>`SELECT ${SUM} FROM ${table}
    WHERE span = ${span} AND start >= ${from} AND start < ${until} AND ${matches(filter)}`.execute(db)
  return rows[0] ?? NOTHING
}

/** By key, unless the filter has columns that only the larger tables have. */
async function sumOfGroup(db: FiguresDb, filter: LogFilter, { span, from, until }: Range) {
  const isOfNone = filter.no_group !== ''
  const lists = isOfNone ? await allGroupLists(db) : await groupLists(db, filter.group)
  if (lists.length === 0 || (isOfNone && filter.group !== '')) return NOTHING
  const among = sql`user_id IN (${membersOf(lists)})`
  const byRoute = filter.model_name !== '' || filter.no_model !== '' || filter.channel !== 0
  const begin = sql.ref(byRoute ? (span === DAY ? 'day' : 'hour') : 'start')
  const table = byRoute
    ? sql`${sql.table(span === DAY ? 'usage_days' : 'usage_hours')} WHERE`
    : sql`key_usage WHERE span = ${span} AND`
  const { rows } = await sql<Sum>`SELECT ${SUM} FROM ${table} ${begin} >= ${from} AND ${begin} < ${until}
    AND ${isOfNone ? sql`NOT ${among}` : among} AND ${matches(filter)}`.execute(db)
  return rows[0] ?? NOTHING
}

async function sumOfUser(db: FiguresDb, userId: number, filter: LogFilter, { span, from, until }: Range) {
  const table = sql.table(span === DAY ? 'usage_days' : 'usage_hours')
  const begin = sql.ref(span === DAY ? 'day' : 'hour')
  const since = (start: unknown) => sql`user_id = ${userId} AND ${begin} < ${until} AND ${begin} >= ${start}`
  // The rows are ordered by time, then by model. Visiting each span and seeking the model skips the rows of all other
  // models, which is nearly everything.
  const spans = sql`WITH RECURSIVE spans (start) AS (SELECT min(${begin}) FROM ${table} WHERE ${since(from)} UNION ALL
    SELECT (SELECT min(${begin}) FROM ${table} WHERE ${since(sql`start + ${span}`)}) FROM spans WHERE start IS NOT NULL
    ) SELECT start FROM spans`
  const there = filter.model_name === '' ? since(from) : sql`user_id = ${userId} AND ${begin} IN (${spans})`
  const { rows } = await sql<Sum>`SELECT ${SUM} FROM ${table}
    WHERE ${there} AND ${matches(filter)}`.execute(db)
  return rows[0] ?? NOTHING
}

const SUMMED = sql`request_count, quota, prompt_tokens, completion_tokens`
const NOTHING: Sum = { calls: 0, quota: 0 }
const SUM = sql`CAST(coalesce(sum(request_count), 0) AS bigint) AS calls, CAST(coalesce(sum(quota), 0) AS bigint) AS quota`

function matches({ username, user_id, token_name, model_name, channel, no_token, no_model }: LogFilter) {
  const conditions = [
    ...(username === '' ? [] : [sql`username = ${username}`]),
    ...(user_id === 0 ? [] : [sql`user_id = ${user_id}`]),
    ...(token_name === '' ? [] : [sql`token_name = ${token_name}`]),
    ...(model_name === '' ? [] : [sql`model_name = ${model_name}`]),
    ...(no_token === '' ? [] : [sql`token_name = ''`]),
    ...(no_model === '' ? [] : [sql`model_name = ''`]),
    ...(channel === 0 ? [] : [sql`channel = ${channel === NO_CHANNEL ? 0 : channel}`]),
  ]
  return conditions.length === 0 ? sql`1 = 1` : sql.join(conditions, sql` AND `)
}

/** Rows have the user's id, and several users may have had the same name in succession. */
async function usersCalled(db: FiguresDb, username: string) {
  const ids: number[] = []
  for (let last = 0; ; ) {
    // One index step per user, however many rows there are.
    const { next } = await db
      .selectFrom('usage_days')
      .select(sql<number | null>`min(user_id)`.as('next'))
      .where('username', '=', username)
      .where('user_id', '>', last)
      .executeTakeFirstOrThrow()
    if (next === null) return ids
    ids.push(next)
    last = next
  }
}
