import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../audit/audit-service.ts'
import { type Db, type Tx, transact } from '../../database/client.ts'
import { CALLS, lockBalance } from '../ledger.ts'
import type { Derived, Finding } from './report.ts'

/** A column of one row to be recomputed from holds and ledger. */
export interface Repair {
  column: Derived
  id: number
  from: string
  to: string
}

/** Writes to the audit log in the transaction of the change. */
export type RecordChange = (tx: Tx, change: Change) => Promise<void>

/**
 * What can be recomputed, and what could but depends on rows that are in doubt themselves: a counter recomputed from a ledger
 * that lost a row would only hide the loss. Balances are never among them: when balance and ledger differ, a person has to find
 * out which one is right.
 */
export const planRepairs = (findings: readonly Finding[]) => {
  const repairs: Repair[] = []
  const inDoubt: Repair[] = []
  for (const { derived, subject, found, expected } of findings) {
    if (derived === undefined) continue
    const doubtful = findings.some((finding) => doubts(finding, SOURCE[derived]))
    const list = doubtful ? inDoubt : repairs
    list.push({ column: derived, id: Number(subject), from: found, to: expected })
  }
  return { repairs, inDoubt }
}

/**
 * Recomputes the columns, each under the lock of its row and from the current data, so that it may run beside a server.
 * Nothing else is written: no balance, no hold, no ledger row. Returns the changes.
 */
export const repairBooks = async (db: Db, planned: readonly Repair[], record: RecordChange): Promise<Repair[]> => {
  const done: Repair[] = []
  for (const { column, id } of planned) {
    const repair = await transact(db, async (tx) => {
      const { from, to } = await recompute(tx, column, id)
      // A call that ended meanwhile, or another repair, may have fixed it.
      if (from === to) return undefined
      const [table = '', name = ''] = column.split('.')
      const target = `${table.slice(0, -1)}:${id}`
      await record(tx, { action: 'books.repair', target, before: { [name]: from }, after: { [name]: to } })
      return { column, id, from, to }
    })
    if (repair !== undefined) done.push(repair)
  }
  return done
}

const SOURCE: Record<Derived, 'holds' | 'ledger'> = {
  'users.held': 'holds',
  'tokens.held': 'holds',
  'users.used_quota': 'ledger',
  'users.request_count': 'ledger',
  'tokens.used_quota': 'ledger',
  'channels.used_quota': 'ledger',
}

const DOUBTS = { holds: ['I8', 'I10'], ledger: ['I3', 'I4', 'I8', 'I9', 'I13'] }

function doubts({ invariant, subject }: Finding, source: 'holds' | 'ledger') {
  return DOUBTS[source].includes(invariant) || (invariant === 'I11' && subject.startsWith(`${source} `))
}

async function recompute(tx: Tx, column: Derived, id: number) {
  const [table = '', name = ''] = column.split('.')
  const userId = await lock(tx, column, id)
  const before = await textFrom(
    tx,
    sql`SELECT CAST(${sql.ref(name)} AS text) AS value FROM ${sql.table(table)} WHERE id = ${id}`,
  )
  const after = await textFrom(tx, sql`SELECT CAST(${sum(column, id, userId)} AS text) AS value`)
  await sql`UPDATE ${sql.table(table)} SET ${sql.ref(name)} = CAST(${after} AS bigint) WHERE id = ${id}`.execute(tx)
  // As for a charge: held quota beyond the balance is a known overrun.
  if (column === 'users.held') {
    await sql`UPDATE users SET overrun = CASE WHEN held > quota THEN held - quota ELSE 0 END WHERE id = ${id}`.execute(
      tx,
    )
  }
  return { from: before, to: after }
}

/** In the lock order of a batch of calls. From then on the summed rows do not change. */
async function lock(tx: Tx, column: Derived, id: number) {
  if (column.startsWith('users.')) {
    await lockBalance(tx, id)
    return id
  }
  if (column === 'channels.used_quota') {
    await tx
      .updateTable('channels')
      .set((row) => ({ used_quota: row.ref('used_quota') }))
      .where('id', '=', id)
      .execute()
    return 0
  }
  const { user_id } = await tx.selectFrom('tokens').select('user_id').where('id', '=', id).executeTakeFirstOrThrow()
  await lockBalance(tx, user_id)
  await tx
    .updateTable('tokens')
    .set((row) => ({ held: row.ref('held') }))
    .where('id', '=', id)
    .execute()
  return user_id
}

function sum(column: Derived, id: number, userId: number): RawBuilder<unknown> {
  const charges = sql`kind IN (${sql.join(CALLS)})`
  switch (column) {
    case 'users.held':
      return sql`(SELECT coalesce(sum(amount), 0) FROM holds WHERE state = 0 AND user_id = ${id})`
    case 'tokens.held':
      return sql`(SELECT coalesce(sum(amount), 0) FROM holds WHERE state = 0 AND limited = 1 AND user_id = ${userId}
        AND token_id = ${id})`
    case 'users.used_quota':
      return sql`(SELECT 0 - coalesce(sum(delta), 0) FROM ledger WHERE user_id = ${id} AND ${charges})`
    case 'users.request_count':
      return sql`(SELECT coalesce(sum(CASE WHEN kind = 'consume' THEN 1 ELSE calls END), 0) FROM ledger
        WHERE user_id = ${id} AND ${charges})`
    case 'tokens.used_quota':
      return sql`(SELECT 0 - coalesce(sum(delta), 0) FROM ledger WHERE user_id = ${userId} AND token_id = ${id}
        AND ${charges})`
    case 'channels.used_quota':
      return sql`(SELECT 0 - coalesce(sum(delta), 0) FROM ledger WHERE channel_id = ${id} AND ${charges})`
  }
}

async function textFrom(tx: Tx, query: RawBuilder<unknown>) {
  const { rows } = await sql<{ value: string }>`${query}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('The row to repair is gone')
  return row.value
}
