import { SQL } from 'bun'
import { sql } from 'kysely'
import type { Database } from './client.ts'

/** In-memory state that other nodes may have changed. */
export type Changed = 'options' | 'channels' | 'keys'

export const CHANGES: readonly Changed[] = ['options', 'channels', 'keys']

const CHANNEL = 'tollgate_changed'
const HEARTBEAT_MS = 15_000

/**
 * Signals changes made by any node as soon as they are committed. After a lost connection everything may have changed; a
 * silent loss is detected by a heartbeat that does not arrive. SQLite has no notifications; there, and as a safety net, the
 * check every second applies.
 */
export const listenForChanges = async (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  location: string,
  onChange: (changed: Changed) => void,
  heartbeatMs = HEARTBEAT_MS,
) => {
  if (engine !== 'postgres') return { close: async () => {} }
  const heartbeat = Bun.randomUUIDv7()
  let missing = 0

  const listen = async () => {
    const client = new SQL(location, { max: 1, connectionTimeout: 5 })
    const onMessage = (payload: string) => {
      if (payload === heartbeat) missing = 0
      CHANGES.filter((name) => name === payload).forEach(onChange)
    }
    await client.listen(CHANNEL, onMessage, () => CHANGES.forEach(onChange))
    return client
  }

  let listening = await listen()
  const replace = async () => {
    await listening.close({ timeout: 0 })
    listening = await listen()
    CHANGES.forEach(onChange)
  }
  const beat = async () => {
    if (missing > 0) await replace()
    missing++
    await sql`SELECT pg_notify(${CHANNEL}, ${heartbeat})`.execute(db)
  }
  // While the database is down, the next heartbeat retries.
  const timer = setInterval(() => beat().catch(() => {}), heartbeatMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await listening.close({ timeout: 0 })
    },
  }
}
