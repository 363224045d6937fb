import { LogType, type Outcome } from '@tollgate/contract'
import { addFigures } from '../analytics/added-figures-repository.ts'
import { type Tx, transact } from '../database/client.ts'
import { addedBy } from '../ledger/stores/usage-figures.ts'
import type { TestApp } from './app.ts'

interface LogOptions {
  user_id?: number
  username?: string
  created_at?: number
  type?: number
  channel?: number
  token_name?: string
  model_name?: string
  prompt_tokens?: number
  completion_tokens?: number
  quota?: number
  content?: string
  content_en?: string
  request_id?: string
  elapsed_time?: number
  is_stream?: 0 | 1
  outcome?: Outcome | ''
  detail?: string
}

/** Log rows as calls leave them, oldest first, with the figures of consumption. */
export const makeLogs = (app: TestApp, ...rows: LogOptions[]) => transact(app.db, (tx) => write(tx, rows))

async function write(tx: Tx, rows: LogOptions[]) {
  for (const options of rows) {
    const row = {
      user_id: 1,
      username: 'root',
      created_at: 1000,
      type: 2,
      channel: 0,
      token_name: '',
      model_name: '',
      prompt_tokens: 0,
      completion_tokens: 0,
      quota: 0,
      content: '',
      content_en: '',
      request_id: '',
      elapsed_time: 0,
      is_stream: 0 as const,
      outcome: '' as const,
      detail: '',
      ...options,
    }
    await tx.insertInto('logs').values(row).execute()
    if (row.type === LogType.consume || row.type === LogType.failed) await countCall(tx, row)
  }
}

/** Like the ledger's own writer. */
async function countCall(tx: Tx, row: Required<LogOptions>) {
  const outcome = row.outcome || 'success'
  const as = row.type === LogType.consume ? 'answered' : 'failed'
  const call = {
    ...{ ...row, outcome, first_byte_time: 0, detail: '', session: null },
    ...{ cached_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
  }
  await addFigures(tx, [addedBy({ log: call, as })])
}
