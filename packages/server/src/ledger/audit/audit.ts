import { sql } from 'kysely'
import { type Database, type Db, readSnapshot } from '../../database/client.ts'
import { auditBudgets } from './audit-budgets.ts'
import { auditChannelKeys } from './audit-channel-keys.ts'
import {
  ALL,
  checkedHolds,
  type Ids,
  newestBalance,
  openHoldChecks,
  recordChecks,
  runCheck,
  tokenChecks,
  userChecks,
} from './audit-checks.ts'
import { auditChain, auditSums } from './audit-sums.ts'
import { type Finding, type Report, TABLES } from './report.ts'

type Books = Pick<Database, 'db' | 'engine'>

/** Audits a snapshot of the ledger and lists what does not add up. */
export const auditLedger = (database: Books, nowSec: number): Promise<Report> =>
  readSnapshot(database, async (view) => {
    const findings = [...(await auditSums(view)), ...(await auditRows(view, nowSec, { ledger: ALL, closedSince: 0 }))]
    return { findings: inOrder(findings), counts: await countRows(view, ALL, 0) }
  })

/**
 * Audits everything since a time: every ledger row continues the balance before it, and the holds of that time were charged as
 * stated. For all users the balance is that of their newest ledger row, and the held amount is the sum of the open holds.
 * Earlier rows are taken as correct, and counters that sum the whole ledger (I3, I5, I6, I7) are not checked.
 */
export const auditSince = (database: Books, nowSec: number, sinceSec: number): Promise<Report> =>
  readSnapshot(database, async (view) => {
    const ledger = { after: await lastBefore(view, sinceSec), to: ALL.to }
    const findings = await auditRows(view, nowSec, { ledger, closedSince: sinceSec })
    findings.push(...(await runCheck(view, newestBalance(ALL))))
    return { findings: inOrder(findings), counts: await countRows(view, ledger, sinceSec) }
  })

async function auditRows(view: Db, nowSec: number, { ledger, closedSince }: { ledger: Ids; closedSince: number }) {
  const findings = await auditChain(view, ledger.after)
  const checks = [
    ...userChecks(ALL),
    ...tokenChecks(ALL),
    ...openHoldChecks(nowSec),
    ...recordChecks(ledger, closedSince),
  ]
  for (const check of checks) findings.push(...(await runCheck(view, check)))
  findings.push(...(await auditBudgets(view)))
  findings.push(...(await auditChannelKeys(view)))
  return findings
}

/**
 * The id before the first ledger row of that time. Clocks of nodes differ, so that an older row may follow a newer one: it is
 * checked too, and none is missed.
 */
async function lastBefore(view: Db, sinceSec: number) {
  const { first, last } = await view
    .selectFrom('ledger')
    .select([
      sql<number | null>`min(CASE WHEN ts >= ${sinceSec} THEN id END)`.as('first'),
      sql<number | null>`max(id)`.as('last'),
    ])
    .executeTakeFirstOrThrow()
  return first === null ? (last ?? 0) : first - 1
}

async function countRows(view: Db, ledger: Ids, closedSince: number): Promise<Report['counts']> {
  const counted = TABLES.map((table) => {
    const bound = { holds: checkedHolds(ledger, closedSince), ledger: sql`h.id > ${ledger.after}` }
    const where = table === 'holds' || table === 'ledger' ? bound[table] : sql`1 = 1`
    return sql`(SELECT count(*) FROM ${sql.table(table)} AS h WHERE ${where}) AS ${sql.ref(table)}`
  })
  const { rows } = await sql<Report['counts']>`SELECT ${sql.join(counted)}`.execute(view)
  const [counts] = rows
  if (counts === undefined) throw new Error('The database counted nothing')
  return counts
}

const inOrder = (findings: Finding[]) => findings.sort((one, other) => numberOf(one) - numberOf(other))
const numberOf = ({ invariant }: Finding) => Number(invariant.slice(1))
