import { sql } from 'kysely'
import type { Tx } from '../database/client.ts'
import { type Added, FIGURE_COLUMNS, FIGURES, figureInsert, figureRows } from '../ledger/stores/usage-figures.ts'

/** Adds calls that no charge has counted to the figures that know outcomes. */
export async function addFigures(tx: Tx, added: readonly Added[]) {
  for (const figure of FIGURES.filter(({ sums }) => sums === FIGURE_COLUMNS)) {
    const { head, tail } = figureInsert(figure)
    const values = figureRows(added, figure).map((row) => sql`(${sql.join(row)})`)
    if (values.length > 0) await sql`${sql.raw(head)} VALUES ${sql.join(values)} ${sql.raw(tail)}`.execute(tx)
  }
}
