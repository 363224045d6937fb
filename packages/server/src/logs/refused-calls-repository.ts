import { LogType, type Outcome } from '@tollgate/contract'
import type { Insertable } from 'kysely'
import type { Tx } from '../database/client.ts'
import type { Schema } from '../database/schema.ts'

type LogRow = Insertable<Schema['logs']>

/** Of an entry: what differs from one refused call to the next. */
export interface RefusedRow
  extends Pick<
    LogRow,
    'user_id' | 'created_at' | 'username' | 'token_name' | 'model_name' | 'content' | 'content_en' | 'is_stream'
  > {
  request_id: string
  session: string | null
  outcome: Outcome
}

/** So many values fit into one statement of either engine. */
const INSERTED_AT_ONCE = 200

/** Entries of calls that no channel was chosen for: they cost nothing, and no figure counts them. */
export const refusedCallsRepository = (tx: Tx) => ({
  /** The entries' ids by those of their requests. */
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
