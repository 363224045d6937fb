import { type Log, type LogFilter, LogType, PAGE_SIZE } from '@tollgate/contract'
import { type Insertable, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { contains } from '../database/like.ts'
import type { Schema } from '../database/schema.ts'
import type { Language } from '../errors.ts'

/** Whose rows: one user's, or everybody's. */
export type Scope = { userId: number } | 'everyone'

export const logsRepository = (db: Db) => ({
  insert: (row: Insertable<Schema['logs']>) => db.insertInto('logs').values(row).execute(),

  list: (scope: Scope, filter: LogFilter, page: number, language: Language) =>
    pageOf(filtered(within(db, scope), filter), page, language, scope),

  search(scope: Scope, keyword: string, page: number, language: Language) {
    const matching = within(db, scope).where((column) =>
      column.or([contains(column.ref('content'), keyword), contains(column.ref('content_en'), keyword)]),
    )
    return pageOf(matching, page, language, scope)
  },

  async sumQuota(scope: Scope, filter: LogFilter) {
    const { quota } = await filtered(within(db, scope), filter)
      .select(sql<number>`CAST(coalesce(sum(quota), 0) AS bigint)`.as('quota'))
      .executeTakeFirstOrThrow()
    return quota
  },

  async removeBefore(timestamp: number) {
    const { numDeletedRows } = await db.deleteFrom('logs').where('created_at', '<', timestamp).executeTakeFirst()
    return Number(numDeletedRows)
  },
})

type LogQuery = SelectQueryBuilder<Schema, 'logs', object>

function within(db: Db, scope: Scope): LogQuery {
  const all = db.selectFrom('logs')
  return scope === 'everyone' ? all : all.where('user_id', '=', scope.userId)
}

function filtered(query: LogQuery, filter: LogFilter): LogQuery {
  return query
    .$if(filter.type !== LogType.all, (q) => q.where('type', '=', filter.type))
    .$if(filter.username !== '', (q) => q.where('username', '=', filter.username))
    .$if(filter.token_name !== '', (q) => q.where('token_name', '=', filter.token_name))
    .$if(filter.model_name !== '', (q) => q.where('model_name', '=', filter.model_name))
    .$if(filter.channel !== 0, (q) => q.where('channel', '=', filter.channel))
    .$if(filter.start_timestamp !== 0, (q) => q.where('created_at', '>=', filter.start_timestamp))
    .$if(filter.end_timestamp !== 0, (q) => q.where('created_at', '<=', filter.end_timestamp))
}

async function pageOf(
  query: LogQuery,
  page: number,
  language: Language,
  scope: Scope,
): Promise<{ rows: Log[]; total: number }> {
  const rows = await query
    .select([
      'id',
      'user_id',
      'created_at',
      'type',
      'channel',
      'username',
      'token_name',
      'model_name',
      'prompt_tokens',
      'completion_tokens',
      'quota',
      'request_id',
      'elapsed_time',
      'first_byte_time',
      'is_stream',
      'detail',
      language === 'en' ? 'content_en as content' : 'content',
    ])
    .orderBy('id', 'desc')
    .limit(PAGE_SIZE)
    .offset(page * PAGE_SIZE)
    .execute()
  const { total } = await query.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  return {
    rows: rows.map((row) => ({ ...row, is_stream: row.is_stream === 1, detail: detailFor(scope, row.detail) })),
    total,
  }
}

/** Which channels were tried, and which not and why, is the operator's business, not the user's. */
function detailFor(scope: Scope, text: string): Record<string, unknown> | null {
  if (text === '') return null
  const { attempts, candidates, ...own } = JSON.parse(text)
  return scope === 'everyone' ? { ...own, attempts, candidates } : own
}
