import { sql } from 'kysely'
import type { Database, Db } from './client.ts'

/**
 * The log is read by time, newest first. `logs_by_time` covers the other filter columns, so that entries can be skipped
 * without reading them; a user's own entries have an index, because everybody searches them. The other indexes have few
 * entries and cost an answered call nothing.
 */
const INDEXES: Readonly<Record<string, string>> = {
  logs_by_time: '(created_at, id, type, quota, channel, user_id, model_name, token_name)',
  logs_by_user: '(user_id, created_at, id, type, channel, model_name, token_name)',
  logs_by_type: '(type, created_at, id, quota, channel, user_id, model_name, token_name) WHERE type <> 2',
  logs_session: '(session, created_at, id, type, user_id, quota) WHERE session IS NOT NULL',
  logs_outcome: `(outcome, created_at, id, type, channel, model_name, token_name, username, user_id)
    WHERE outcome <> '' AND outcome <> 'success'`,
  logs_money: '(created_at, type, quota) WHERE type <> 2 AND quota <> 0',
}

/** Indexes of earlier versions, which would still cost every call. */
const EARLIER = ['logs_created', 'logs_user', 'logs_username', 'logs_token', 'logs_model', 'logs_channel', 'logs_type']

type Target = Pick<Database, 'db' | 'engine'>

/**
 * Builds missing indexes of the log, then drops those of earlier versions. Not a migration: the log may have millions of
 * entries, and on PostgreSQL other nodes write to it meanwhile, which a transaction would block.
 */
export const buildLogIndexes = async (database: Target) =>
  database.engine === 'postgres' ? buildBesideOthers(database) : build(database)

async function build({ db }: Target) {
  for (const [name, columns] of Object.entries(INDEXES)) {
    await sql.raw(`CREATE INDEX IF NOT EXISTS ${name} ON logs ${columns}`).execute(db)
  }
  for (const name of EARLIER) await sql.raw(`DROP INDEX IF EXISTS ${name}`).execute(db)
}

/** `tlgi` in ASCII, unique among our locks. */
const LOCK = 0x74_6c_67_69
const LOCK_RETRY_MS = 500

async function buildBesideOthers({ db }: Target) {
  if (isDone(await builtOn(db))) return
  await db.connection().execute(async (one) => {
    // Waiting inside the database would block the node that builds the index.
    while (!(await takeLock(one))) await Bun.sleep(LOCK_RETRY_MS)
    try {
      const known = await builtOn(one)
      for (const [name, columns] of Object.entries(INDEXES)) {
        if (known.get(name)) continue
        // The leftover of an interrupted build is useless.
        if (known.has(name)) await sql.raw(`DROP INDEX CONCURRENTLY ${name}`).execute(one)
        await sql.raw(`CREATE INDEX CONCURRENTLY ${name} ON logs ${columns}`).execute(one)
      }
      for (const name of EARLIER) {
        if (known.has(name)) await sql.raw(`DROP INDEX CONCURRENTLY ${name}`).execute(one)
      }
    } finally {
      await sql`SELECT pg_advisory_unlock(${LOCK})`.execute(one)
    }
  })
}

async function takeLock(one: Db) {
  const { rows } = await sql<{ taken: boolean }>`SELECT pg_try_advisory_lock(${LOCK}) AS taken`.execute(one)
  return rows[0]?.taken === true
}

const isDone = (known: Map<string, boolean>) =>
  Object.keys(INDEXES).every((name) => known.get(name)) && !EARLIER.some((name) => known.has(name))

/** The log's indexes, and whether each build was completed. */
async function builtOn(db: Db) {
  const { rows } = await sql<{ name: string; valid: boolean }>`SELECT relname AS name, indisvalid AS valid
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indrelid = 'logs'::regclass`.execute(db)
  return new Map(rows.map(({ name, valid }) => [name, valid]))
}
