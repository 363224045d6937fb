import { SQL } from 'bun'
import { sql } from 'kysely'
import type { Database } from './client.ts'

/** What other nodes may have changed of that which this one keeps in memory. */
export type Changed = 'options' | 'channels' | 'keys'

export const CHANGES: readonly Changed[] = ['options', 'channels', 'keys']

const CHANNEL = 'tollgate_changed'
const PULSE_MS = 15_000

/**
 * Tells what was changed on the database, by whichever node, as soon as it is committed. After a lost connection
 * everything may have changed; one that is lost without a word is found by a pulse of our own that does not arrive. The
 * embedded database tells nobody; there the look every second has to do, which is also the net under this.
 */
export const listenForChanges = async (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  location: string,
  onChange: (changed: Changed) => void,
  pulseMs = PULSE_MS,
) => {
  if (engine !== 'postgres') return { close: async () => {} }
  const pulse = Bun.randomUUIDv7()
  let missing = 0

  const listen = async () => {
    const client = new SQL(location, { max: 1, connectionTimeout: 5 })
    const onMessage = (payload: string) => {
      if (payload === pulse) missing = 0
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
    await sql`SELECT pg_notify(${CHANNEL}, ${pulse})`.execute(db)
  }
  // While the database is away, the next beat tries again.
  const timer = setInterval(() => beat().catch(() => {}), pulseMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await listening.close({ timeout: 0 })
    },
  }
}
