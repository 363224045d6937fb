import { LogType, type Outcome } from '@tollgate/contract'
import { cacheReads, cacheWrites, usageOf } from '@tollgate/providers'
import { type Db, type Tx, transact } from '../database/client.ts'
import { metaRepository } from '../database/meta-repository.ts'
import { type Added, addedBy, FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { addFigures } from './added-figures-repository.ts'
import { addSome } from './latency-repository.ts'
import { latencyRows } from './latency-sums.ts'
import { oldDetail, oldOutcome } from './old-outcome.ts'

const MARK = 'outcomes filled up to'
const DONE = 'all'
const ROWS_AT_ONCE = 200

/** Calls of versions that did not record an outcome. */
export const historyRepository = (db: Db) => ({
  isFilled: async () => (await metaRepository(db).get(MARK)) === DONE,

  /**
   * Classifies some of them, and adds what was not counted then to the figures. A row without an outcome was not added yet, and gets
   * both in one transaction, so that an interrupted run continues without counting anything twice. Returns whether there are more.
   */
  fillSome: () =>
    transact(db, async (tx) => {
      const meta = metaRepository(tx)
      // Locks the mark: of two nodes, one goes first.
      await meta.addOnce(MARK, '0')
      await tx.updateTable('meta').set({ key: MARK }).where('key', '=', MARK).execute()
      const mark = (await meta.get(MARK)) ?? DONE
      if (mark === DONE) return false
      const rows = await nextRows(tx, Number(mark))
      const last = rows.at(-1)
      if (last === undefined) {
        await meta.set(MARK, DONE)
        return false
      }
      await fill(
        tx,
        rows.filter(({ outcome }) => outcome === ''),
      )
      await meta.set(MARK, String(last.id))
      return true
    }),
})

type Row = Awaited<ReturnType<typeof nextRows>>[number]

const nextRows = (tx: Tx, after: number) =>
  tx
    .selectFrom('logs')
    .select(['id', 'user_id', 'created_at', 'type', 'channel', 'username', 'token_name', 'model_name', 'outcome'])
    .select(['prompt_tokens', 'completion_tokens', 'quota', 'elapsed_time', 'first_byte_time', 'is_stream', 'detail'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(ROWS_AT_ONCE)
    .execute()

async function fill(tx: Tx, rows: readonly Row[]) {
  const calls = rows.filter(({ type }) => type === LogType.consume || type === LogType.failed).map(callOf)
  for (const outcome of new Set(calls.map((call) => call.log.outcome))) {
    const ids = calls.filter(({ log }) => log.outcome === outcome).map(({ id }) => id)
    await tx.updateTable('logs').set({ outcome }).where('id', 'in', ids).execute()
  }
  const added = calls.map(newlyAdded).filter(({ sums }) => sums.some((sum) => sum !== 0))
  await addFigures(tx, added)
  await addSome(tx, latencyRows(calls.map(({ log }) => log)))
}

function callOf({ id, detail, ...row }: Row) {
  const parsed = oldDetail(detail)
  const usage = usageOf(parsed.usage)
  const outcome: Outcome = oldOutcome(row.type, parsed)
  const log = {
    ...{ ...row, content: '', content_en: '', request_id: '', detail: '', session: null, outcome },
    cached_tokens: cacheReads(usage),
    cache_write_tokens: cacheWrites(usage),
    reasoning_tokens: usage.reasoning,
  }
  return { id, log }
}

/** What was charged then was counted then. */
const CHARGED = FIGURE_COLUMNS.indexOf('failed_count')

function newlyAdded({ log }: ReturnType<typeof callOf>): Added {
  const { sums } = addedBy({ log, as: log.type === LogType.consume ? 'answered' : 'failed' })
  return { log, sums: sums.map((sum, column) => (column < CHARGED ? 0 : sum)) }
}
