import type { DashboardRow, LogFilter } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Scope } from './logs-repository.ts'

/** The hourly figures of calls. They are written with each charge, so that no figure has to read the log. */
export const usageRepository = (db: Db) => ({
  /** Quota spent in the hours that begin at `from` or later and before `until`. */
  async sumQuota(scope: Scope, filter: LogFilter, { from, until }: { from: number; until: number | undefined }) {
    const { quota } = await db
      .selectFrom('usage_hours')
      .select(sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota'))
      .where('hour', '>=', from)
      .$if(until !== undefined, (query) => query.where('hour', '<', until ?? 0))
      .$if(scope !== 'everyone', (query) => query.where('user_id', '=', scope === 'everyone' ? 0 : scope.userId))
      .$if(filter.username !== '', (query) => query.where('username', '=', filter.username))
      .$if(filter.token_name !== '', (query) => query.where('token_name', '=', filter.token_name))
      .$if(filter.model_name !== '', (query) => query.where('model_name', '=', filter.model_name))
      .$if(filter.channel !== 0, (query) => query.where('channel', '=', filter.channel))
      .executeTakeFirstOrThrow()
    return quota
  },

  /** Days are counted from the first one of 1970, by a clock that is `ahead` seconds ahead of UTC. */
  async byDayAndModel(
    userId: number,
    { firstDay, ahead }: { firstDay: number; ahead: number },
  ): Promise<DashboardRow[]> {
    // Written out, not bound: the same expression has to be recognised where it is grouped by.
    const day = sql<number>`(hour + ${sql.lit(ahead)}) / 86400`
    const rows = await db
      .selectFrom('usage_hours')
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
