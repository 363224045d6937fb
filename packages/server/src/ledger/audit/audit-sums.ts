import { QUOTA_MAX } from '@tollgate/contract'
import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { CALLS } from '../ledger.ts'
import type { Derived, Finding } from './report.ts'

interface Sum {
  user_id: number
  token_id: number | null
  channel_id: number | null
  kind: string
  rows: number
  /** As texts, like every amount here: one out of bounds must be found, not stop the audit. */
  delta: string
  calls: string
}

interface Owned {
  id: number
  quota: string
  used_quota: string
  request_count: string
}

/**
 * Compares the balances and counters of users, tokens and channels with the ledger, which is summed once for all of them.
 * Adding to the user's id keeps SQLite from using an index for the order: three times as fast.
 */
export const auditSums = async (view: Db): Promise<Finding[]> => {
  const { rows: sums } = await sql<Sum>`SELECT min(user_id) AS user_id, token_id, channel_id, kind, count(*) AS rows,
    CAST(sum(delta) AS text) AS delta, CAST(sum(calls) AS text) AS calls
    FROM ledger GROUP BY user_id + 0, token_id, channel_id, kind`.execute(view)
  const posted = added(sums, ({ user_id, delta }) => [user_id, Number(delta)])
  const calls = sums.filter(({ kind }) => CALLS.includes(kind))
  const used = added(calls, ({ user_id, delta }) => [user_id, -Number(delta)])
  const counted = added(calls, ({ user_id, kind, rows, calls }) => [user_id, kind === 'consume' ? rows : Number(calls)])
  const usedByToken = added(calls, ({ token_id, delta }) => [token_id, -Number(delta)])
  const usedByChannel = added(calls, ({ channel_id, delta }) => [channel_id, -Number(delta)])

  const users = await owned(view, 'users', ['quota', 'used_quota', 'request_count'])
  const tokens = await owned(view, 'tokens', ['used_quota'])
  const channels = await owned(view, 'channels', ['used_quota'])
  return [
    ...differing('I3', "users.quota is the sum of the user's ledger", users, 'quota', posted),
    ...counter('I5', 'users.used_quota', users, 'used_quota', used),
    ...counter('I5', 'users.request_count', users, 'request_count', counted),
    ...counter('I6', 'tokens.used_quota', tokens, 'used_quota', usedByToken),
    ...counter('I7', 'channels.used_quota', channels, 'used_quota', usedByChannel),
  ]
}

const ROWS_AT_ONCE = 20_000

/**
 * Each row of a user's ledger continues the balance of the previous one: read once, in table order, from the row after
 * `start`. What comes before is taken as correct.
 */
export const auditChain = async (view: Db, start: number): Promise<Finding[]> => {
  const findings: Finding[] = []
  const balances = start === 0 ? new Map<number, number>() : await balancesAt(view, start)
  for (let after = start; ; ) {
    const rows = await view
      .selectFrom('ledger')
      .select(['id', 'user_id', 'delta', 'balance'])
      .where('id', '>', after)
      // Values out of bounds are found as such, and by the row after them.
      .where(sql<boolean>`abs(balance) <= ${QUOTA_MAX} AND abs(delta) <= ${QUOTA_MAX}`)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    for (const { id, user_id, delta, balance } of rows) {
      const expected = (balances.get(user_id) ?? 0) + delta
      if (balance !== expected) findings.push(finding('I4', CONTINUES, id, balance, expected))
      balances.set(user_id, balance)
      after = id
    }
    if (rows.length < ROWS_AT_ONCE) return findings
  }
}

/** The balances before the rows after `start`, of the users who have such rows. */
async function balancesAt(view: Db, start: number) {
  const { rows } = await sql<{ user_id: number; balance: number }>`SELECT user_id, balance FROM ledger WHERE id IN
    (SELECT max(id) FROM ledger WHERE id <= ${start} AND user_id IN (SELECT user_id FROM ledger WHERE id > ${start})
    GROUP BY user_id) AND abs(balance) <= ${QUOTA_MAX}`.execute(view)
  return new Map(rows.map(({ user_id, balance }) => [user_id, balance]))
}

const CONTINUES = 'each ledger row continues the balance of the one before'

function added(sums: readonly Sum[], part: (sum: Sum) => [key: number | null, amount: number]) {
  const totals = new Map<number, number>()
  for (const sum of sums) {
    const [key, amount] = part(sum)
    if (key !== null) totals.set(key, (totals.get(key) ?? 0) + amount)
  }
  return totals
}

async function owned(view: Db, table: string, columns: Amount[]) {
  const amounts = columns.map((column) => sql`CAST(${sql.ref(column)} AS text) AS ${sql.ref(column)}`)
  const { rows } = await sql<Owned>`SELECT id, ${sql.join(amounts)} FROM ${sql.table(table)}`.execute(view)
  return rows
}

type Amount = 'quota' | 'used_quota' | 'request_count'

function counter(invariant: string, derived: Derived, rows: Owned[], column: Amount, totals: Map<number, number>) {
  const findings = differing(invariant, `${derived} follows from the ledger`, rows, column, totals)
  return findings.map((finding) => ({ ...finding, derived }))
}

function differing(invariant: string, says: string, rows: Owned[], column: Amount, totals: Map<number, number>) {
  return rows
    .map((row) => ({ row, expected: String(totals.get(row.id) ?? 0) }))
    .filter(({ row, expected }) => row[column] !== expected)
    .map(({ row, expected }) => finding(invariant, says, row.id, row[column], expected))
}

function finding(
  invariant: string,
  says: string,
  subject: number,
  found: number | string,
  expected: number | string,
): Finding {
  return { invariant, says, subject: String(subject), found: String(found), expected: String(expected) }
}
