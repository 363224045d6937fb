import { type Kysely, sql } from 'kysely'

/** `tag`: one line by which an operator with many channels sorts them; empty without one. */
export async function up(db: Kysely<unknown>) {
  await sql`ALTER TABLE channels ADD COLUMN tag text NOT NULL DEFAULT ''`.execute(db)
}
