import { type Kysely, sql } from 'kysely'

/** `tokens.recording_request`: what an administrator asks the owner of the key to agree to, as JSON; empty for nothing. */
export async function up(db: Kysely<unknown>) {
  await sql.raw(`ALTER TABLE tokens ADD COLUMN recording_request text NOT NULL DEFAULT ''`).execute(db)
}
