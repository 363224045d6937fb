import type { Log } from '@tollgate/contract'
import type { Language } from '../common/errors.ts'
import type { Db } from '../database/client.ts'
import { parseDetail } from './call-detail.ts'
import type { Scope } from './log-conditions.ts'
import { withPlainDollar } from './quota-text.ts'

/** A stored entry, in both languages. */
export type StoredLog = Awaited<ReturnType<typeof storedRows>>[number]

/** Newest first. */
export const storedRows = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('logs')
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
      'session',
      'outcome',
      'content',
      'content_en',
    ])
    .where('id', 'in', ids)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** An entry as shown to a reader. */
export const shownRow = (
  { session, content, content_en, ...row }: StoredLog,
  language: Language,
  scope: Scope,
): Log => ({
  ...row,
  is_stream: row.is_stream === 1,
  content: withPlainDollar(language === 'en' ? content_en : content),
  detail: detailFor(scope, row.detail, session),
})

/** Attempts and other candidates are for operators only. */
function detailFor(scope: Scope, text: string, session: string | null): Record<string, unknown> | null {
  if (text === '') return null
  const { attempts, stopped, candidates, ...rest } = parseDetail(text)
  const own = session === null ? rest : { ...rest, session }
  return scope === 'everyone' ? { ...own, attempts, stopped, candidates } : own
}
