import { type Kysely, sql } from 'kysely'

/** How often in a row, and since when, the vendor answered that it does not know a batch. */
export async function up(db: Kysely<unknown>, { int }: { int: string }) {
  const statements = [
    `ALTER TABLE batches ADD COLUMN unknown_times ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE batches ADD COLUMN unknown_since ${int}`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
