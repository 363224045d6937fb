import { SQL } from 'bun'
import { sql } from 'kysely'
import { withTimeout } from '../common/with-timeout.ts'
import type { Database } from './client.ts'
import { metaRepository } from './meta-repository.ts'

/** In-memory state that other nodes may have changed. */
export type Changed = 'options' | 'channels' | 'keys'

const CHANGES: readonly Changed[] = ['options', 'channels', 'keys']

type OnChange = (changed: Changed) => void

export interface Changes {
  /** Announces every change from now on, whichever node made it. */
  listen(onChange: OnChange): Promise<void>
  /**
   * True when every change of keys that was committed before this call has been announced: everything else is still true. False
   * when that cannot be known.
   */
  catchUp(): Promise<boolean>
  close(): Promise<void>
}

/** How the engine announces changes. Others are noticed by the checks that happen every second. */
export const createChanges = ({ db, engine }: Pick<Database, 'db' | 'engine'>, location: string): Changes =>
  engine === 'postgres' ? createNotifications(db, location) : createCountedChanges(db)

/** SQLite has no notifications, but a number that changes with every change of a key. */
function createCountedChanges(db: Database['db']): Changes {
  const { get } = metaRepository(db)
  let tell: OnChange = () => {}
  let seen: string | undefined
  return {
    async listen(onChange) {
      tell = onChange
      seen = await get('keys_version')
    },
    async catchUp() {
      const version = await get('keys_version')
      if (version !== seen) tell('keys')
      seen = version
      return true
    },
    async close() {},
  }
}

const CHANNEL = 'tollgate_changed'
const HEARTBEAT_MS = 15_000
/** A heartbeat that takes longer will not arrive. */
const SILENT_MS = 10_000
const CATCH_UP_MS = 2000

/**
 * PostgreSQL notifies all nodes of a change as soon as it is committed, in the order of the commits. After a lost connection everything may
 * have changed; a silent loss is detected by a heartbeat that does not arrive.
 */
function createNotifications(db: Database['db'], location: string): Changes {
  const node = Bun.randomUUIDv7()
  /** What this node has sent to itself and not received yet. */
  const awaited = new Map<string, () => void>()
  let sent = 0
  let onChange: OnChange = () => {}
  let listening: SQL | undefined
  let timer: Timer | undefined
  let isSilent = false

  const onMessage = (payload: string) => {
    awaited.get(payload)?.()
    CHANGES.filter((name) => name === payload).forEach(onChange)
  }
  const connect = async () => {
    const client = new SQL(location, { max: 1, connectionTimeout: 5 })
    await client.listen(CHANNEL, onMessage, () => CHANGES.forEach(onChange))
    return client
  }
  /** False when it does not arrive in time. Whatever was committed before it arrives before it. */
  const notifySelf = async (timeoutMs: number) => {
    const payload = `${node}:${sent++}`
    const arrival = Promise.withResolvers<void>()
    awaited.set(payload, arrival.resolve)
    try {
      await sql`SELECT pg_notify(${CHANNEL}, ${payload})`.execute(db)
      return await withTimeout(timeoutMs, arrival.promise)
    } finally {
      awaited.delete(payload)
    }
  }
  const beat = async () => {
    if (isSilent) {
      await listening?.close({ timeout: 0 })
      listening = await connect()
      CHANGES.forEach(onChange)
    }
    isSilent = true
    isSilent = !(await notifySelf(SILENT_MS))
  }

  return {
    async listen(tell) {
      onChange = tell
      listening = await connect()
      // While the database is down, the next heartbeat retries.
      timer = setInterval(() => beat().catch(() => {}), HEARTBEAT_MS)
      timer.unref()
    },
    catchUp: async () => listening !== undefined && notifySelf(CATCH_UP_MS),
    async close() {
      clearInterval(timer)
      await listening?.close({ timeout: 0 })
    },
  }
}
