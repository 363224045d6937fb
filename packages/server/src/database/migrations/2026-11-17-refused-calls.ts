import { type Kysely, sql } from 'kysely'

/**
 * Calls that did not succeed, refused ones among them, are found by how they ended. There are few of them among millions:
 * a call that succeeded costs this index nothing. It has what else a filter can name, so that no entry is passed over by
 * reading it.
 */
export async function up(db: Kysely<unknown>) {
  await sql`CREATE INDEX logs_outcome ON logs
    (outcome, created_at, id, type, channel, model_name, token_name, username, user_id)
    WHERE outcome <> '' AND outcome <> 'success'`.execute(db)
}
