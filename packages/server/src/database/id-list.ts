import { type Expression, type RawBuilder, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { Db } from './client.ts'

/*
 * Many ids in one statement. They are one parameter, because a list of marks would be another statement for each length,
 * each of them kept prepared.
 */

export const isAmong = (db: Db, column: Expression<number>, ids: readonly number[]): RawBuilder<SqlBool> => {
  const list = JSON.stringify(ids)
  return isSqlite(db)
    ? sql`${column} IN (SELECT value FROM json_each(${list}))`
    : sql`${column} IN (SELECT value::bigint FROM json_array_elements_text(${list}::text::json))`
}

/** The end of a query whose rows nobody else may change until the transaction ends. SQLite has one writer at a time anyway. */
export const lockingRows = (tx: Db): RawBuilder<unknown> => (isSqlite(tx) ? sql`` : sql`FOR UPDATE`)

const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter
