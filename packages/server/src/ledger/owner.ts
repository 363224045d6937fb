import { Database as SqliteFile } from 'bun:sqlite'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import { type Clock, seconds } from '../clock.ts'
import type { Db, Engine } from '../database/client.ts'
import type { LedgerWriter } from './writer.ts'

/** A lock that the system takes back when its process dies, however it dies. */
interface Lock {
  release(): Promise<void>
}

type TakeLock = (epoch: string) => Promise<Lock | undefined>

export interface Owner {
  epoch: string
  /** Ends the holds of processes that died; answers how many. */
  sweep(writer: LedgerWriter): Promise<number>
  close(): Promise<void>
}

/**
 * A process that makes holds owns an epoch, and proves that it is alive by a lock, never by a clock: a clock that jumps
 * can neither free nor strand a hold. Whoever can take the lock of an epoch knows that its process is gone.
 */
export const createOwner = async (db: Db, engine: Engine, location: string, clock: Clock): Promise<Owner> => {
  const take = engine === 'postgres' ? postgresLocks(location) : sqliteLocks(location)
  const epoch = Bun.randomUUIDv7()
  const lock = await take(epoch)
  if (lock === undefined) throw new Error('The lock of a new epoch is taken')
  const node = `${hostname()}:${process.pid}`
  await db
    .insertInto('owners')
    .values({ epoch, node, started_at: seconds(clock), closed_at: null })
    .execute()

  const endOf = async (dead: string, writer: LedgerWriter) => {
    const holds = await db.selectFrom('holds').select('id').where('epoch', '=', dead).where('state', '=', 0).execute()
    await Promise.all(holds.map(({ id }) => writer.submit({ type: 'sweep', id, now: seconds(clock) })))
    await db
      .updateTable('owners')
      .set({ closed_at: seconds(clock) })
      .where('epoch', '=', dead)
      .execute()
    return holds.length
  }

  return {
    epoch,
    async sweep(writer) {
      let swept = 0
      const others = await db
        .selectFrom('owners')
        .select('epoch')
        .where('closed_at', 'is', null)
        .where('epoch', '<>', epoch)
        .execute()
      for (const other of others) {
        const taken = await take(other.epoch)
        if (taken === undefined) continue
        swept += await endOf(other.epoch, writer)
        await taken.release()
      }
      return swept
    },
    async close() {
      await db
        .updateTable('owners')
        .set({ closed_at: seconds(clock) })
        .where('epoch', '=', epoch)
        .execute()
      await lock.release()
    },
  }
}

/** A tiny SQLite file beside the database, kept under an exclusive lock, which the kernel drops with the process. */
function sqliteLocks(location: string): TakeLock {
  const folder = join(dirname(location), 'locks')
  return async (epoch) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${epoch}.lock`)
    const file = new SqliteFile(path, { create: true })
    try {
      file.run('PRAGMA busy_timeout = 0')
      file.run('BEGIN EXCLUSIVE')
    } catch {
      file.close()
      return undefined
    }
    return {
      async release() {
        file.run('ROLLBACK')
        file.close()
        if (existsSync(path)) rmSync(path, { force: true })
      },
    }
  }
}

/** A session's advisory lock on a connection of its own: a lost connection is a released lock. */
function postgresLocks(location: string): TakeLock {
  return async (epoch) => {
    const sql = new SQL(location, { max: 1, idleTimeout: 0 })
    const connection = await sql.reserve()
    const [row] = await connection.unsafe('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [epoch])
    const release = async () => {
      connection.release()
      await sql.close()
    }
    if (row?.taken === true) return { release }
    await release()
    return undefined
  }
}
