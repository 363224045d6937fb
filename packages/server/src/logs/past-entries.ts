import type { Outcome } from '@tollgate/contract'
import type { Tx } from '../database/client.ts'
import type { CallLog } from '../ledger/books.ts'
import { logsRepository } from './logs-repository.ts'

/** An entry of another gateway's log; only calls have an outcome. */
export type PastEntry = Omit<CallLog, 'outcome'> & { outcome: Outcome | '' }

/** Writes entries of the past. What they add to the figures is counted by the caller. */
export const addPastEntries = async (tx: Tx, entries: readonly PastEntry[]) => {
  if (entries.length === 0) return
  const rows = entries.map(
    ({ cached_tokens: _read, cache_write_tokens: _written, reasoning_tokens: _thought, ...row }) => ({
      ...row,
      is_stream: row.is_stream === 1 ? (1 as const) : (0 as const),
    }),
  )
  await logsRepository(tx).insertMany(rows)
}
