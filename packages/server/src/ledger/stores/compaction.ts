import { type Db, type Tx, transact } from '../../database/client.ts'
import { metaRepository } from '../../database/meta-repository.ts'
import { CALLS, lockBalance } from '../ledger.ts'

interface Row {
  id: number
  ts: number
  kind: string
  token_id: number | null
  channel_id: number | null
  delta: number
  balance: number
  calls: number
}

const AT_ONCE = 500
const DONE = 'ledger.compacted'

/**
 * Keeps the ledger from growing forever. For months before the last one, consecutive call rows of a user become checkpoints,
 * one for each token and channel: the same sums, the same number of calls, and continuous balances as before. Other rows stay.
 * Returns how many rows were removed.
 */
export const compactLedger = async (db: Db, nowSec: number) => {
  const before = monthBeforeLast(nowSec)
  if ((await metaRepository(db).get(DONE)) === String(before)) return 0
  let removed = 0
  for (const { id } of await db.selectFrom('users').select('id').orderBy('id').execute()) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const place: number = after
      const step = await transact(db, (tx) => compactSome(tx, id, place, before))
      removed += step.removed
      after = step.after
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await metaRepository(db).set(DONE, String(before))
  return removed
}

/** The end of compaction: whole months, of which the last and the current one are kept row by row. */
function monthBeforeLast(nowSec: number) {
  const now = new Date(nowSec * 1000)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1) / 1000
}

/** The next rows of one user. `after` is the position to continue from, or undefined at the end. */
async function compactSome(tx: Tx, userId: number, after: number, before: number) {
  // Two nodes that compact at the same time are serialised, and the second finds nothing to do.
  await lockBalance(tx, userId)
  const found: Row[] = await tx
    .selectFrom('ledger')
    .select(['id', 'ts', 'kind', 'token_id', 'channel_id', 'delta', 'balance', 'calls'])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  const end = found.findIndex(({ ts }) => ts >= before)
  const rows = end === -1 ? found : found.slice(0, end)
  let removed = 0
  for (const run of runsOf(rows)) removed += await replace(tx, userId, run)
  const last = rows.at(-1)
  return { removed, after: end === -1 && found.length === AT_ONCE ? last?.id : undefined }
}

/** Consecutive call rows within a month. */
function runsOf(rows: readonly Row[]) {
  const runs: Row[][] = []
  let month = ''
  for (const row of rows) {
    const its = CALLS.includes(row.kind) ? new Date(row.ts * 1000).toISOString().slice(0, 7) : ''
    if (its !== '' && its === month) runs.at(-1)?.push(row)
    else if (its !== '') runs.push([row])
    month = its
  }
  return runs
}

/** The last rows of a run become its checkpoints, so that they keep the position of the balances. The others are removed. */
async function replace(tx: Tx, userId: number, run: Row[]) {
  const checkpoints = sumsOf(run)
  const kept = run.slice(-checkpoints.length)
  const [first, firstKept] = [run[0], kept[0]]
  if (first === undefined || firstKept === undefined || kept.length === run.length) return 0
  await tx
    .deleteFrom('ledger')
    .where('user_id', '=', userId)
    .where('id', '>=', first.id)
    .where('id', '<', firstKept.id)
    .execute()
  let balance = first.balance - first.delta
  for (const [index, { id }] of kept.entries()) {
    const sum = checkpoints[index]
    if (sum === undefined) continue
    balance += sum.delta
    const posted = { kind: 'checkpoint', ref: String(id), balance, ...sum }
    await tx.updateTable('ledger').set(posted).where('id', '=', id).execute()
  }
  return run.length - kept.length
}

function sumsOf(run: readonly Row[]) {
  const sums = new Map<string, Pick<Row, 'ts' | 'token_id' | 'channel_id' | 'delta' | 'calls'>>()
  for (const { ts, kind, token_id, channel_id, delta, calls } of run) {
    const name = `${token_id} ${channel_id}`
    const sum = sums.get(name) ?? { ts, token_id, channel_id, delta: 0, calls: 0 }
    sum.ts = Math.max(sum.ts, ts)
    sum.delta += delta
    sum.calls += kind === 'consume' ? 1 : calls
    sums.set(name, sum)
  }
  return [...sums.values()]
}
