import { Database as SqliteFile } from 'bun:sqlite'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SQL } from 'bun'
import type { Engine } from '../../database/client.ts'

/** A lock that the system takes back when its process dies, however it dies. */
export interface Lock {
  /** False when it was lost without being released. */
  holds(): Promise<boolean>
  /** Never fails, and a second time it does nothing. */
  release(): Promise<void>
}

/** Undefined when somebody else has it. */
export type TakeLock = (name: string) => Promise<Lock | undefined>

/** The locks of whoever works on this database. */
export const locksOf = (engine: Engine, location: string): TakeLock =>
  engine === 'postgres' ? postgresLocks(location) : sqliteLocks(location)

/** A tiny SQLite file beside the database, kept under an exclusive lock, which the kernel drops with the process. */
function sqliteLocks(location: string): TakeLock {
  const folder = join(dirname(location), 'locks')
  return async (name) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${name}.lock`)
    const file = new SqliteFile(path, { create: true })
    try {
      file.run('PRAGMA busy_timeout = 0')
      file.run('BEGIN EXCLUSIVE')
    } catch {
      file.close()
      return undefined
    }
    let isHeld = true
    return {
      holds: async () => isHeld,
      async release() {
        if (!isHeld) return
        isHeld = false
        // That ends the transaction, too; a rollback could fail where the disk has.
        file.close()
        rmSync(path, { force: true })
      },
    }
  }
}

/** A session's advisory lock on a connection of its own: a lost connection is a released lock. */
function postgresLocks(location: string): TakeLock {
  return async (name) => {
    const sql = new SQL(location, { max: 1, idleTimeout: 0, connectionTimeout: 5 })
    const close = () => sql.close({ timeout: 0 }).catch(() => {})
    const connection = await sql.reserve().catch(async (error) => {
      await close()
      throw error
    })
    // The lock goes with the connection: a lost one has nothing left to release.
    const release = async () => {
      isOpen = false
      await close()
    }
    let isOpen = true
    try {
      const [row] = await connection.unsafe('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [name])
      if (row?.taken !== true) {
        await release()
        return undefined
      }
    } catch (error) {
      await release()
      throw error
    }
    return {
      // Asked on the very connection that holds it: it fails with the connection, and the lock is gone with it.
      holds: async () =>
        isOpen &&
        connection.unsafe('SELECT 1').then(
          () => true,
          () => false,
        ),
      release,
    }
  }
}
