import { Database } from 'bun:sqlite'
import { closeSync, fdatasync, openSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Command, Result } from '../commands.ts'
import { createCheckpoints } from './checkpoints.ts'
import { crashPoint } from './crash-points.ts'
import { createKnownRows } from './known-rows.ts'
import { runBatch } from './run-batch.ts'
import { load } from './sqlite-load.ts'
import { save } from './sqlite-save.ts'
import { type Sql, statements } from './sqlite-statements.ts'
import { LedgerReplaced, type LedgerStore, mustBeOnDisk } from './store.ts'

const PRAGMAS = [
  // The commit itself does not wait for the disk; `toDisk` does, without blocking the streams of this process.
  'synchronous = NORMAL',
  'foreign_keys = OFF',
  // Waiting inside SQLite would block the very thread that has to finish the other transaction.
  'busy_timeout = 0',
  // Only if the thread that makes checkpoints fails.
  'wal_autocheckpoint = 8000',
]

/** Syncs what was written through any descriptor of the file. */
const toDisk = promisify(fdatasync)

/** Deciding and writing are two steps, so that what is decided in some milliseconds can be written as one transaction. */
export interface SqliteStore extends LedgerStore {
  /** Applies commands to the books in memory. They are written by the next `write`. */
  decide(commands: readonly Command[]): (Result | Error)[]
  /** Writes everything that was decided before, and these commands, as one synchronous transaction. */
  write(commands?: readonly Command[]): (Result | Error)[]
  /** The commands that are not written yet. */
  unwritten(): readonly Command[]
  /** Forgets what is not written. */
  discard(): void
  /** Resolves when everything that was written is on disk. */
  sync(): Promise<void>
  /** No other living process has holds in this file. */
  isAlone(): boolean
  /** The file is no longer where it was opened: what is written to it would be lost. */
  isReplaced(): boolean
}

/**
 * The ledger on SQLite: a connection of its own with prepared statements, each batch one synchronous transaction. A charge is
 * confirmed when it is on disk. The rest of the server writes through another connection; when the file is locked, both wait without
 * blocking.
 */
export const createSqliteStore = (path: string, sync: (file: number) => Promise<void> = toDisk): SqliteStore => {
  const file = new Database(path, { strict: true })
  for (const pragma of PRAGMAS) file.run(`PRAGMA ${pragma}`)
  const sql = statements(file)
  const writeAhead = openSync(`${path}-wal`, 'r')
  const opened = statSync(path)
  const known = createKnownRows()
  const checkpoints = createCheckpoints(path)

  const isReplaced = () => !isSameFile(path, opened)

  let decided: Command[] = []
  let version = versionOf(sql)
  let books = known.open()
  let owners: number | undefined

  /** If somebody else has written meanwhile, everything that is not written yet is decided again on what the rows are now. */
  const refresh = () => {
    const current = versionOf(sql)
    if (current !== version) again(current)
  }
  const again = (current: number) => {
    known.forget()
    owners = undefined
    version = current
    books = known.open()
    load(sql, books, decided)
    runBatch(books, decided)
  }

  const decide = (commands: readonly Command[]) => {
    refresh()
    load(sql, books, commands)
    const results = runBatch(books, commands)
    decided.push(...commands.filter((_, index) => !(results[index] instanceof Error)))
    // A command that failed halfway may have changed rows.
    if (results.some((result) => result instanceof Error)) again(version)
    return results
  }

  const write = (commands: readonly Command[] = []) => {
    if (isReplaced()) throw new LedgerReplaced(REPLACED)
    sql.begin.run()
    const earlier = decided.length
    try {
      const results = decide(commands)
      save(sql, books)
      crashPoint('before-commit')
      sql.commit.run()
      crashPoint('after-commit')
      checkpoints.committed(decided)
      known.keep(books)
      decided = []
      books = known.open()
      return results
    } catch (error) {
      // A full disk may have already ended the transaction.
      if (file.inTransaction) sql.rollback.run()
      decided = decided.slice(0, earlier)
      again(version)
      throw error
    }
  }

  return {
    decide,
    write,
    discard() {
      decided = []
      again(version)
    },
    unwritten: () => decided,
    sync: () => sync(writeAhead),
    isAlone() {
      refresh()
      owners ??= sql.owners.get()?.count ?? 0
      return owners <= 1
    },
    isReplaced,
    async run(commands) {
      const results = await untilFree(() => write(commands))
      if (commands.some(mustBeOnDisk)) await sync(writeAhead)
      return results
    },
    async close() {
      checkpoints.close()
      closeSync(writeAhead)
      file.close()
    },
  }
}

/** While another connection writes, this one waits without blocking the process. */
export async function untilFree<T>(write: () => T) {
  for (;;) {
    try {
      return write()
    } catch (error) {
      if (!isBusy(error)) throw error
      await Bun.sleep(1)
    }
  }
}

const REPLACED =
  'The database file was replaced or removed under the running server: no calls are taken until it is started again'

function isSameFile(path: string, { ino, dev }: { ino: number; dev: number }) {
  const now = statSync(path, { throwIfNoEntry: false })
  return now?.ino === ino && now.dev === dev
}

export function isBusy(error: unknown) {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

/** Changes with every commit of another connection. */
const versionOf = (sql: Sql) => sql.version.get()?.data_version ?? 0
