import { type Kysely, sql } from 'kysely'

/**
 * A key of a pool cools down for the model that reached a rate limit. `cooldowns` is a JSON object of models and until when, in
 * milliseconds; empty when there are none. `cooldown_until` is the last of them.
 */
export async function up(db: Kysely<unknown>) {
  await sql.raw("ALTER TABLE channel_keys ADD COLUMN cooldowns text NOT NULL DEFAULT ''").execute(db)
}
