import { type Kysely, sql } from 'kysely'

/** Why the gateway disabled a channel, in English beside Chinese. What is stored already stands in both. */
export async function up(db: Kysely<unknown>) {
  await sql`ALTER TABLE channels ADD COLUMN status_reason_en text NOT NULL DEFAULT ''`.execute(db)
  await sql`UPDATE channels SET status_reason_en = status_reason WHERE status_reason <> ''`.execute(db)
}
