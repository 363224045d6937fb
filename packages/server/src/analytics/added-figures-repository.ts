import { sql } from 'kysely'
import type { Tx } from '../database/client.ts'
import { type Added, PENDING_COLUMNS, pendingRows } from '../ledger/stores/usage-figures.ts'

/** Adds calls to the figures that no charge has counted, in the same way as a charge does. */
export async function addFigures(tx: Tx, added: readonly Added[]) {
  const rows = pendingRows(added).map((row) => sql`(${sql.join(row)})`)
  if (rows.length === 0) return
  await sql`INSERT INTO pending_usage (${sql.raw(PENDING_COLUMNS.join(', '))}) VALUES ${sql.join(rows)}`.execute(tx)
}
