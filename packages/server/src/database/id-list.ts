import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isSqlite } from './client.ts'

/*
 * Many ids in one statement, passed as a single parameter: a list of placeholders would be another prepared statement for
 * each length.
 */

export const isAmong = (db: Db, column: Expression<number>, ids: readonly number[]): RawBuilder<SqlBool> => {
  const list = JSON.stringify(ids)
  return isSqlite(db)
    ? sql`${column} IN (SELECT value FROM json_each(${list}))`
    : sql`${column} IN (SELECT value::bigint FROM json_array_elements_text(${list}::text::json))`
}

/** Locks the rows of a query until the transaction ends. SQLite has a single writer anyway. */
export const lockingRows = (tx: Db): RawBuilder<unknown> => (isSqlite(tx) ? sql`` : sql`FOR UPDATE`)
