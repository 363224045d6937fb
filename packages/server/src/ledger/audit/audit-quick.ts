import { yieldToEventLoop } from '../../common/yield-to-event-loop.ts'
import type { Db } from '../../database/client.ts'
import {
  type Check,
  type Ids,
  newestBalance,
  openHoldChecks,
  runCheck,
  tokenChecks,
  userChecks,
} from './audit-checks.ts'
import type { Finding } from './report.ts'

export interface QuickReport {
  findings: Finding[]
  /** False when the time ran out before everything was checked. */
  complete: boolean
}

interface Bounds {
  /** The time budget. */
  forMs: number
  /** Rows per statement, between which other work gets its turn. */
  idsAtOnce: number
}

const BOUNDS: Bounds = { forMs: 10_000, idsAtOnce: 2000 }

/**
 * What can be checked without summing the ledger: the held amount is the sum of the open holds, every balance is that of the
 * user's newest ledger row, no hold belongs to a dead process. Small enough for the thread that serves streams: a range of rows
 * at a time, each check one statement on a consistent state.
 */
export const auditQuickly = async (
  db: Db,
  nowSec: number,
  ended: () => boolean = () => false,
  { forMs, idsAtOnce }: Bounds = BOUNDS,
): Promise<QuickReport> => {
  const startedMs = performance.now()
  const findings: Finding[] = []
  for (const check of openHoldChecks(nowSec)) findings.push(...(await runCheck(db, check)))
  for (const { table, checks } of CHECKED_TABLES) {
    const { last } = await db
      .selectFrom(table)
      .select((column) => column.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
    for (let after = 0; after < Number(last); after += idsAtOnce) {
      if (ended() || performance.now() - startedMs > forMs) return { findings, complete: false }
      for (const check of checks({ after, to: after + idsAtOnce })) {
        findings.push(...(await runCheck(db, check)))
        await yieldToEventLoop()
      }
    }
  }
  return { findings, complete: true }
}

const CHECKED_TABLES: { table: 'users' | 'tokens'; checks(ids: Ids): Check[] }[] = [
  { table: 'users', checks: (ids) => [...userChecks(ids), newestBalance(ids)] },
  { table: 'tokens', checks: tokenChecks },
]
