import { LogType, type Outcome } from '@tollgate/contract'
import type { Insertable } from 'kysely'
import type { Tx } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

type LogRow = Insertable<Schema['logs']>

/** The columns that differ between refused calls. */
export interface RefusedRow
  extends Pick<
    LogRow,
    'user_id' | 'created_at' | 'username' | 'token_name' | 'model_name' | 'content' | 'content_en' | 'is_stream'
  > {
  request_id: string
  session: string | null
  outcome: Outcome
}

/** The number of values that fit into one statement of either engine. */
const INSERTED_AT_ONCE = 200

/** Entries of calls refused before a channel was chosen: they cost nothing. */
export const refusedCallsRepository = (tx: Tx) => ({
  /** Entry ids by request id. */
  async insert(rows: (RefusedRow & { detail: string })[]) {
    const ids = new Map<string, number>()
    for (let from = 0; from < rows.length; from += INSERTED_AT_ONCE) {
      const written = await tx
        .insertInto('logs')
        .values(rows.slice(from, from + INSERTED_AT_ONCE).map((row) => ({ ...FREE, ...row })))
        .returning(['id', 'request_id'])
        .execute()
      for (const { id, request_id } of written) ids.set(request_id, id)
    }
    return ids
  },

  setDetail: (id: number, detail: string) => tx.updateTable('logs').set({ detail }).where('id', '=', id).execute(),
})

const FREE = { type: LogType.failed, channel: 0, prompt_tokens: 0, completion_tokens: 0, quota: 0 }
