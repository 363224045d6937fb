import { Kysely, SqliteAdapter, sql, type Transaction } from 'kysely'
import { postgresDialect } from './postgres.ts'
import type { PoolLimits } from './postgres-pool.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

/** The database, or a transaction on it; users need not know which. */
export type Db = Kysely<Schema>
export type Tx = Transaction<Schema>

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  db: Db
  engine: Engine
  /** On SQLite: `flush` writes what readers have to see, before each query or transaction. Undefined when nothing is to be written. */
  readAfter(flush: () => Promise<void> | undefined): void
  close(): Promise<void>
}

const DEFAULT_LIMITS: PoolLimits = { connectionsMax: 6, statementMs: 10_000 }

/** For statements that read or rewrite whole tables, one after the other: a migration, an audit. */
export const LONG_RUNNING: PoolLimits = { connectionsMax: 1, statementMs: 3_600_000 }

/** `postgres://…` for PostgreSQL, otherwise the path of a SQLite file. The only place that chooses the engine. */
export const openDatabase = (location: string, limits = DEFAULT_LIMITS): Database => {
  const engine: Engine = /^postgres(ql)?:\/\//.test(location) ? 'postgres' : 'sqlite'
  if (engine === 'postgres') {
    const db = new Kysely<Schema>({ dialect: postgresDialect(location, limits) })
    return { db, engine, readAfter: () => {}, close: () => db.destroy() }
  }
  let flush = (): Promise<void> | undefined => undefined
  const db = new Kysely<Schema>({ dialect: sqliteDialect(location, () => flush()) })
  return {
    db,
    engine,
    readAfter(given) {
      flush = given
    },
    close: () => db.destroy(),
  }
}

export const isSqlite = (db: Db) => db.getExecutor().adapter instanceof SqliteAdapter

/** Runs `work` in one transaction. */
export const transact = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work)

/** Runs `work` on a consistent snapshot, while others continue to write. */
export const readSnapshot = <T>({ db, engine }: Pick<Database, 'db' | 'engine'>, work: (view: Db) => Promise<T>) =>
  db.connection().execute(async (view) => {
    const begin = engine === 'postgres' ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN DEFERRED'
    await sql.raw(begin).execute(view)
    try {
      return await work(view)
    } finally {
      await sql`ROLLBACK`.execute(view)
    }
  })
