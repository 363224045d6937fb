import { type Kysely, sql } from 'kysely'

/** `outcome`: how a call ended, by class; empty for other entries, and for older calls until a job has filled it in. */
export async function up(db: Kysely<unknown>) {
  await sql`ALTER TABLE logs ADD COLUMN outcome text NOT NULL DEFAULT ''`.execute(db)
}
