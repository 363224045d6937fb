import { type Kysely, sql } from 'kysely'

/** Why the last test of a channel failed, in Chinese and in English; empty when it passed or there was none. */
export async function up(db: Kysely<unknown>) {
  for (const column of ['test_error', 'test_error_en']) {
    await sql.raw(`ALTER TABLE channels ADD COLUMN ${column} text NOT NULL DEFAULT ''`).execute(db)
  }
}
