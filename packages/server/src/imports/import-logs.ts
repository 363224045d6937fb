import { LogType } from '@tollgate/contract'
import { countPastCalls } from '../analytics/past-calls.ts'
import { storableText } from '../common/storable-text.ts'
import { type Db, transact } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import { addPastEntries, type PastEntry } from '../logs/past-entries.ts'
import type { ImportReport } from './import-report.ts'
import type { SourceDatabase } from './source-database.ts'
import { membersOf, SourceLog } from './source-rows.ts'

const ROWS_AT_ONCE = 500
const TEXT_MAX = 2000

interface Needs {
  db: Db
  source: SourceDatabase
  report: ImportReport
  /** Tells this source from others. */
  name: string
  /** Entries before this time are left out. */
  sinceSec: number
  ids: { users: ReadonlyMap<number, number>; channels: ReadonlyMap<number, number> }
  /** Called after each step with the number of entries read so far. */
  onProgress(read: number): void
}

/**
 * Copies the log, oldest first, and counts its calls in the figures. Each step notes in its own transaction how far it came, so that
 * an interrupted import continues, and a second one adds only what is new.
 */
export const importLogs = async ({ db, source, report, name, sinceSec, ids, onProgress }: Needs) => {
  const mark = `imported log of ${name}`
  let after = Number((await metaRepository(db).get(mark)) ?? 0)
  for (let read = 0; ; ) {
    const rows = (await source.logsAfter(after, ROWS_AT_ONCE)).map((row) => SourceLog.parse(row))
    const last = rows.at(-1)
    if (last === undefined) return
    const entries = rows
      .filter(({ created_at }) => created_at >= sinceSec)
      .flatMap((row) => {
        const userId = ids.users.get(row.user_id)
        if (userId === undefined) report.note('a log entry of an account that is not imported')
        return userId === undefined ? [] : [entryOf(source.kind, row, userId, ids.channels.get(row.channel_id) ?? 0)]
      })
    await transact(db, async (tx) => {
      await addPastEntries(tx, entries)
      await countPastCalls(
        tx,
        entries.flatMap(({ outcome, ...entry }) => (outcome === '' ? [] : [{ ...entry, outcome }])),
      )
      await metaRepository(tx).set(mark, String(last.id))
    })
    after = last.id
    read += rows.length
    report.created('log entries', entries.length)
    onProgress(read)
  }
}

type Entry = PastEntry

function entryOf(kind: SourceDatabase['kind'], row: SourceLog, userId: number, channel: number): Entry {
  const { type, outcome } = typeOf(row.type)
  const isCall = outcome !== ''
  const content = storableText(row.content, TEXT_MAX)
  const firstByte = Number(membersOf(row.other).frt ?? 0)
  return {
    ...{ user_id: userId, created_at: amount(row.created_at), type, channel: isCall ? channel : 0 },
    ...{ username: row.username, token_name: row.token_name, model_name: isCall ? row.model_name : '' },
    ...{ prompt_tokens: amount(row.prompt_tokens), completion_tokens: amount(row.completion_tokens) },
    quota: amount(row.quota),
    ...{ content, content_en: content, request_id: row.request_id },
    elapsed_time: amount(kind === 'one-api' ? row.elapsed_time : row.use_time * 1000),
    first_byte_time: Number.isFinite(firstByte) ? amount(Math.round(firstByte)) : 0,
    ...{ is_stream: row.is_stream ? 1 : 0, detail: '', session: null, outcome },
    ...{ cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
  }
}

/** new-api's failed calls, refunds and sign-ins have numbers that mean something else here. */
function typeOf(type: number): Pick<Entry, 'type' | 'outcome'> {
  if (type === LogType.consume) return { type, outcome: 'success' }
  if (type === NEW_API_ERROR) return { type: LogType.failed, outcome: 'upstream_error' }
  if (type === LogType.topUp || type === LogType.manage) return { type, outcome: '' }
  return { type: LogType.system, outcome: '' }
}

const NEW_API_ERROR = 5

const AMOUNT_MAX = 1_000_000_000_000
const amount = (value: number) => Math.max(0, Math.min(AMOUNT_MAX, value))
