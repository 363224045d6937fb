import { sql } from 'kysely'
import { isSqlite, type Tx } from './client.ts'
import type { Schema } from './schema.ts'

/** After rows with given ids: the next row gets one above them. SQLite looks for itself. */
export const continueIds = async (tx: Tx, tables: readonly (keyof Schema)[]) => {
  if (isSqlite(tx)) return
  for (const table of tables) {
    const last = sql`(SELECT coalesce(max(id), 1) FROM ${sql.table(table)})`
    await sql`SELECT setval(pg_get_serial_sequence(${table}, 'id'), ${last})`.execute(tx)
  }
}
