import type { DashboardRow, LogFilter } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Scope } from './log-walk-repository.ts'

export const HOUR = 3600
export const DAY = 86_400

/** The figures of calls. They are written with each charge, so that no figure has to read the log. */
export const usageRepository = (db: Db) => ({
  /** Quota spent in the spans that begin at `from` or later and before `until`. */
  async sumQuota(
    scope: Scope,
    filter: LogFilter,
    { span, from, until }: { span: number; from: number; until: number },
  ) {
    const bearers = scope === 'everyone' && filter.username !== '' ? await usersCalled(db, filter.username) : []
    const { table, begin, conditions } = sourceOf(scope, filter, span, bearers)
    const { rows } = await sql<{ quota: number }>`SELECT CAST(coalesce(sum(quota), 0) AS bigint) AS quota
      FROM ${sql.table(table)} WHERE ${sql.ref(begin)} >= ${from} AND ${sql.ref(begin)} < ${until}
      AND ${sql.join(conditions, sql` AND `)}`.execute(db)
    return rows[0]?.quota ?? 0
  },

  /** Days are counted from the first one of 1970, by a clock that is `ahead` seconds ahead of UTC. */
  async byDayAndModel(
    userId: number,
    { firstDay, ahead }: { firstDay: number; ahead: number },
  ): Promise<DashboardRow[]> {
    // Written out, not bound: the same expression has to be recognised where it is grouped by.
    const day = sql<number>`(hour + ${sql.lit(ahead)}) / 86400`
    const rows = await db
      .selectFrom('usage_models')
      .select([
        day.as('day'),
        'model_name as ModelName',
        sql<number>`CAST(sum(request_count) AS bigint)`.as('RequestCount'),
        sql<number>`CAST(sum(quota) AS bigint)`.as('Quota'),
        sql<number>`CAST(sum(prompt_tokens) AS bigint)`.as('PromptTokens'),
        sql<number>`CAST(sum(completion_tokens) AS bigint)`.as('CompletionTokens'),
      ])
      .where('user_id', '=', userId)
      .where('hour', '>=', firstDay * 86_400 - ahead)
      .groupBy([day, 'model_name'])
      .orderBy('day')
      .orderBy('model_name')
      .execute()
    return rows.map(({ day, ...row }) => ({ Day: new Date(day * 86_400_000).toISOString().slice(0, 10), ...row }))
  },
})

/** The smallest table that knows the columns of the filter. */
function sourceOf(scope: Scope, filter: LogFilter, span: number, bearers: number[]) {
  const { username, token_name, model_name, channel } = filter
  const equal = [
    ...(token_name === '' ? [] : [sql`token_name = ${token_name}`]),
    ...(model_name === '' ? [] : [sql`model_name = ${model_name}`]),
    ...(channel === 0 ? [] : [sql`channel = ${channel}`]),
  ]
  if (scope === 'everyone' && username === '') {
    const table = token_name === '' ? 'site_usage' : 'token_usage'
    return { table, begin: 'start', conditions: [sql`span = ${span}`, ...equal] }
  }
  const [table, begin] = span === DAY ? ['usage_days', 'day'] : ['usage_hours', 'hour']
  if (scope !== 'everyone') return { table, begin, conditions: [sql`user_id = ${scope.userId}`, ...equal] }
  const ofThem = bearers.length === 0 ? sql`1 = 0` : sql`user_id IN (${sql.join(bearers)})`
  return { table, begin, conditions: [ofThem, sql`username = ${username}`, ...equal] }
}

/** Rows are kept by the user's id, and a name can have been that of several users, one after the other. */
async function usersCalled(db: Db, username: string) {
  const ids: number[] = []
  for (let last = 0; ; ) {
    // One step of the index for each user, however many rows he has.
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
