import { type SQLQueryBindings, Database as SqliteFile } from 'bun:sqlite'
import {
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { keepPrivate } from './private-file.ts'

const PRAGMAS = [
  'journal_mode = WAL',
  // FULL waits for the disk at every commit: an acknowledged charge survives a power cut.
  'synchronous = FULL',
  'foreign_keys = ON',
  'busy_timeout = 5000',
  'journal_size_limit = 67108864',
  // Frequently changed pages are checkpointed now and then, not after every few calls.
  'wal_autocheckpoint = 8000',
  // The figures of one busy user do not fit in SQLite's default cache of 2 MB: summing them would evict pages before
  // they are reused, and take three times as long. In KB; an idle server uses none of it.
  'cache_size = -16000',
  'trusted_schema = OFF',
  'cell_size_check = ON',
]

type Flush = () => Promise<void> | undefined

export const sqliteDialect = (path: string, flush: Flush) => {
  keepPrivate(path)
  const file = new SqliteFile(path, { create: true, strict: true })
  for (const pragma of PRAGMAS) file.run(`PRAGMA ${pragma}`)
  const config = {
    database: {
      close: () => file.close(),
      // A transaction that reads before it writes can fail when another process wrote in between; taking the write lock
      // at once makes it wait instead.
      prepare: (sql: string) => statement(file, sql === 'begin' ? 'begin immediate' : sql),
    },
  }
  return new Dialect(config, flush, () => file.inTransaction)
}

class Dialect extends SqliteDialect {
  constructor(
    private readonly config: SqliteDialectConfig,
    private readonly flush: Flush,
    private readonly isInTransaction: () => boolean,
  ) {
    super(config)
  }

  override createDriver() {
    return new Driver(this.config, this.flush, this.isInTransaction)
  }

  override createAdapter() {
    return new Adapter()
  }
}

class Driver extends SqliteDriver {
  constructor(
    config: SqliteDialectConfig,
    private readonly flush: Flush,
    private readonly isInTransaction: () => boolean,
  ) {
    super(config)
  }

  /** On a full disk SQLite has rolled back by itself, and a second rollback would hide why. */
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.isInTransaction()) await super.rollbackTransaction(connection)
  }

  override async acquireConnection() {
    const connection = await super.acquireConnection()
    // If it fails, what is there is read; whoever failed to write knows.
    await this.flush()?.catch(() => {})
    return connection
  }
}

/** Kysely assumes that SQLite has no transactional DDL. It has, so an upgrade is one commit. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }
}

function statement(file: SqliteFile, sql: string): SqliteStatement {
  const prepared = file.query<unknown, SQLQueryBindings[]>(sql)
  // Kysely passes what our typed queries bind: texts, numbers and null.
  const bound = (parameters: readonly unknown[]) => parameters as SQLQueryBindings[]
  return {
    reader: prepared.columnNames.length > 0,
    all: (parameters) => prepared.all(...bound(parameters)),
    run: (parameters) => prepared.run(...bound(parameters)),
    iterate: (parameters) => prepared.iterate(...bound(parameters)),
  }
}
