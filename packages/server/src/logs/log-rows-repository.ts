import type { Log } from '@tollgate/contract'
import type { Language } from '../common/errors.ts'
import { upstreamTextIn } from '../common/upstream-sentences.ts'
import type { Db } from '../database/client.ts'
import { type Attempt, parseDetail } from './call-detail.ts'
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
  detail: detailFor(scope, row.detail, { session, language }),
})

/** Attempts and other candidates are for operators only. */
function detailFor(
  scope: Scope,
  text: string,
  { session, language }: { session: string | null; language: Language },
): Record<string, unknown> | null {
  if (text === '') return null
  const { attempts, stopped, candidates, ...rest } = parseDetail(text)
  const own = { ...rest, ...spoken(rest, language), ...(session !== null && { session }) }
  if (scope !== 'everyone') return own
  const tried = attempts?.map((attempt: Attempt) => ({ ...attempt, ...spoken(attempt, language) }))
  return { ...own, attempts: tried, stopped, candidates }
}

/** What went wrong, in the reader's language where the sentence is ours. */
function spoken({ error, reason }: { error?: string; reason?: string }, language: Language) {
  return {
    ...(error !== undefined && { error: upstreamTextIn(error, language) }),
    ...(reason !== undefined && { reason: upstreamTextIn(reason, language) }),
  }
}
