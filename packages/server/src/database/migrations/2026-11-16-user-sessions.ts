import { type Kysely, sql } from 'kysely'

/**
 * `session`: the conversation of an agent that a call belongs to, by the id that the agent gave it; null without one. Only
 * entries that have one are in the index, so that every other call costs what it did; and it has numbers only beside the
 * id, because a session has few entries and the wider ones cost each call of an agent twice as much.
 */
export async function up(db: Kysely<unknown>) {
  await sql`ALTER TABLE logs ADD COLUMN session text`.execute(db)
  await sql`CREATE INDEX logs_session ON logs (session, created_at, id, type, user_id, quota)
    WHERE session IS NOT NULL`.execute(db)
}
