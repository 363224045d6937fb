import { SQL } from 'bun'
import { ConfigError } from '../common/config.ts'

const WITHIN_MS = 10_000

/**
 * The locks that prove a process alive belong to its session. A pooler that lends sessions for one transaction would keep those of dead
 * processes, so that their holds stay open, and hand them to living ones.
 */
export const refuseSharedSessions = async (url: string) => {
  const open = () => new SQL(url, { max: 1, prepare: false, connectionTimeout: WITHIN_MS / 1000 })
  const one = open()
  const other = open()
  const close = () => Promise.allSettled([one, other].map((sql) => sql.close({ timeout: 0 })))
  // The client's own timeout covers only the handshake.
  const tooLate = setTimeout(close, WITHIN_MS)
  try {
    const session = await sessionOf(one)
    await other.begin(async (transaction) => {
      // A pooler lends the session that was used last, or else it has to give the first one another now.
      if ((await sessionOf(transaction)) === session || (await sessionOf(one)) !== session)
        throw new ConfigError(SHARED)
    })
  } finally {
    clearTimeout(tooLate)
    await close()
  }
}

const SHARED =
  'DATABASE_URL leads to a connection pooler that lends sessions for one transaction, but locks need a session of their own: ' +
  "use PgBouncer's session mode, or PostgreSQL itself"

async function sessionOf(sql: Pick<SQL, 'unsafe'>) {
  const [row] = await sql.unsafe<{ pid: number }[]>('SELECT pg_backend_pid() AS pid')
  return row?.pid
}
