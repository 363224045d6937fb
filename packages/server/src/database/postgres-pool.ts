import { Connection, DatabaseSilent, type Rows } from './postgres-connection.ts'

export interface PoolLimits {
  connectionsMax: number
  /** Statement timeout. The server ends a slow statement; when nothing comes back, the connection is dropped. */
  statementMs: number
  /** For statements that find every row by its key. */
  byKeys?: boolean
}

export interface PoolConnection {
  unsafe(text: string, parameters?: unknown[]): Promise<Rows>
  release(): void
}

export interface Pool {
  acquire(): Promise<PoolConnection>
  close(): Promise<void>
}

interface Waiting {
  resolve(connection: PoolConnection): void
  reject(error: unknown): void
  checks: number
}

const CHECK_INTERVAL_MS = 250
/** The server should time out first: then its connection can be kept. */
const SERVER_FIRST_MS = 1000
/** Idle connections are closed before a firewall silently drops them. */
const IDLE_CHECKS_MAX = 60_000 / CHECK_INTERVAL_MS

/**
 * A bounded pool of connections to PostgreSQL. Bun's own pool waits forever on a silent connection; this one drops it, and the
 * idle ones with it, because they end at the same server.
 */
export const createPool = (url: string, limits: PoolLimits): Pool => {
  const { connectionsMax, statementMs } = limits
  const checksMax = Math.ceil((statementMs + SERVER_FIRST_MS) / CHECK_INTERVAL_MS)
  const all = new Set<Connection>()
  const idle: Connection[] = []
  const waiting: Waiting[] = []
  let opening = 0
  let closed = false

  const drop = (connection: Connection) => {
    if (!all.delete(connection)) return
    const place = idle.indexOf(connection)
    if (place !== -1) idle.splice(place, 1)
    void connection.end()
    serveNext()
  }

  const check = () => {
    const checked = [...all].map((connection) => ({ connection, checks: connection.countChecks() }))
    const silent = checked.filter(({ connection, checks }) => connection.isAsking() && checks > checksMax)
    const unused = checked.filter(({ connection, checks }) => idle.includes(connection) && checks > IDLE_CHECKS_MAX)
    for (const { connection } of [...silent, ...unused]) drop(connection)
    if (silent.length > 0) [...idle].forEach(drop)
    for (const one of waiting) one.checks++
    while ((waiting[0]?.checks ?? 0) > checksMax) {
      waiting.shift()?.reject(new DatabaseSilent('No connection to the database was free in time'))
    }
  }
  const timer = setInterval(check, CHECK_INTERVAL_MS)
  timer.unref()

  const lend = (connection: Connection): PoolConnection => ({
    unsafe: (text, parameters) => connection.ask(text, parameters),
    release() {
      if (!all.has(connection) || idle.includes(connection)) return
      // After a failover the next connection reaches the new primary; this one would be refused for ever.
      if (connection.isReadOnly) return drop(connection)
      idle.push(connection)
      serveNext()
    },
  })

  const openFor = async (next: Waiting) => {
    opening++
    try {
      const connection = await Connection.open(url, limits, drop)
      all.add(connection)
      next.resolve(lend(connection))
      if (closed) drop(connection)
    } catch (error) {
      // While others are in use, one of them will become free; otherwise each would have to time out separately.
      if (all.size > 0) waiting.unshift(next)
      else for (const one of [next, ...waiting.splice(0)]) one.reject(error)
      // Or became free meanwhile.
      if (idle.length > 0) serveNext()
    } finally {
      opening--
    }
  }

  /** Uses a free connection, or a new one in place of a dropped one. */
  const serveNext = () => {
    const [next] = waiting
    if (next === undefined) return
    const free = idle.pop()
    if (free === undefined && all.size + opening >= connectionsMax) return
    waiting.shift()
    if (free !== undefined) next.resolve(lend(free))
    else void openFor(next)
  }

  return {
    acquire: () =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new DatabaseSilent('The connections to the database are closed'))
        waiting.push({ resolve, reject, checks: 0 })
        serveNext()
      }),
    async close() {
      closed = true
      clearInterval(timer)
      for (const { reject } of waiting.splice(0)) reject(new DatabaseSilent('The connections are closed'))
      const ended = [...all].map((connection) => connection.end())
      all.clear()
      await Promise.all(ended)
    },
  }
}
