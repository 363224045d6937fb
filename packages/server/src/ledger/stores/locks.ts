import { Database as SqliteFile } from 'bun:sqlite'
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Engine } from '../../database/client.ts'
import { createPool, type PoolConnection } from '../../database/postgres-pool.ts'
import { codeOf } from './error-code.ts'

/** A lock that the system releases when its process dies, however it dies. */
export interface Lock {
  /** False when it was lost without being released. */
  holds(): Promise<boolean>
  /** Never fails, and is idempotent. */
  release(): Promise<void>
}

/** Undefined when another process holds it. */
export type TakeLock = (name: string) => Promise<Lock | undefined>

/** The locks of processes that use this database. */
export const locksOf = (engine: Engine, location: string): TakeLock =>
  engine === 'postgres' ? postgresLocks(location) : sqliteLocks(location)

/** A small SQLite file beside the database, held under an exclusive lock that the kernel releases with the process. */
function sqliteLocks(location: string): TakeLock {
  const folder = join(dirname(location), 'locks')
  return async (name) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, `${name}.lock`)
    const file = new SqliteFile(path, { create: true })
    try {
      file.run('PRAGMA busy_timeout = 0')
      file.run('BEGIN EXCLUSIVE')
    } catch (error) {
      file.close()
      if (codeOf(error).startsWith('SQLITE_BUSY')) return undefined
      // A full disk, for one.
      const reason = error instanceof Error ? error.message : String(error)
      throw Object.assign(new Error(`The lock ${path}: ${reason}`, { cause: error }), { code: codeOf(error) })
    }
    let isHeld = true
    return {
      holds: async () => isHeld,
      async release() {
        if (!isHeld) return
        isHeld = false
        // Closing also ends the transaction; a rollback could fail on a failed disk.
        file.close()
        rmSync(path, { force: true })
      },
    }
  }
}

interface Session {
  connection: PoolConnection
  names: Set<string>
  isOpen: boolean
  end(): Promise<void>
}

/** Advisory locks of one session, on a connection that lasts as long as there are any: losing it releases them all. */
function postgresLocks(location: string): TakeLock {
  let current: Promise<Session> | undefined
  /** A request for a lock that is just being released gets it, instead of finding it taken. */
  const releasing = new Map<string, Promise<void>>()

  const begin = async (): Promise<Session> => {
    const pool = createPool(location, LIMITS)
    const close = () => pool.close().catch(() => {})
    const connection = await pool.acquire().catch(async (error) => {
      current = undefined
      await close()
      throw error
    })
    const session = {
      connection,
      names: new Set<string>(),
      isOpen: true,
      end() {
        if (session.isOpen) current = undefined
        session.isOpen = false
        return close()
      },
    }
    return session
  }

  const opened = async (): Promise<Session> => {
    current ??= begin()
    const session = await current
    // Its last lock may have been released while we waited.
    return session.isOpen ? session : opened()
  }

  const ask = async (session: Session, text: string, name: string) => {
    try {
      const [row] = await session.connection.unsafe(text, [name])
      return row?.done === true
    } catch (error) {
      await session.end()
      throw error
    }
  }

  const leave = async (session: Session, name: string) => {
    session.names.delete(name)
    if (session.names.size === 0) await session.end()
  }

  const giveBack = async (session: Session, name: string) => {
    // Said, although the lock goes with the connection: the server takes a moment to notice that one has gone.
    if (session.isOpen) await ask(session, GIVE, name).catch(() => {})
    await leave(session, name)
  }

  const take: TakeLock = async (name) => {
    await releasing.get(name)
    const wasOpen = current !== undefined
    const session = await opened()
    // A session may take its own lock twice; two of us may not.
    if (session.names.has(name)) return undefined
    session.names.add(name)
    const taken = await ask(session, TAKE, name).catch((error) => {
      // The connection may have been lost long ago, without anybody having asked it anything.
      if (wasOpen) return undefined
      throw error
    })
    if (taken === undefined) return take(name)
    if (!taken) {
      await leave(session, name)
      return undefined
    }
    let isHeld = true
    return {
      // Asked on the very connection that holds it: it fails with the connection, and the lock is gone with it.
      holds: async () => isHeld && session.isOpen && ask(session, "SELECT $1 <> '' AS done", name).catch(() => false),
      async release() {
        if (!isHeld) return
        isHeld = false
        const released = giveBack(session, name)
        releasing.set(name, released)
        await released
        releasing.delete(name)
      },
    }
  }
  return take
}

const LIMITS = { connectionsMax: 1, statementMs: 5000 }
const TAKE = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS done'
const GIVE = 'SELECT pg_advisory_unlock(hashtextextended($1, 0)) AS done'
