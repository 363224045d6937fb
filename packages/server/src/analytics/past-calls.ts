import { LogType } from '@tollgate/contract'
import type { Tx } from '../database/client.ts'
import type { CallLog } from '../ledger/books.ts'
import { addedBy } from '../ledger/stores/usage-figures.ts'
import { addFigures } from './added-figures-repository.ts'
import { addSome } from './latency-repository.ts'
import { latencyRows } from './latency-sums.ts'

/** Counts calls of the past, whose log entries are written in the same transaction and that no charge of ours has counted. */
export const countPastCalls = async (tx: Tx, calls: readonly CallLog[]) => {
  await addFigures(
    tx,
    calls.map((log) => addedBy({ log, as: log.type === LogType.consume ? 'answered' : 'failed' })),
  )
  await addSome(tx, latencyRows(calls))
}
