import { type Kysely, sql } from 'kysely'

/**
 * `model_lists`: what the last look at the list of a channel's provider found. `listed` is that list, `added` what came since the
 * look before and is not offered, `missing` what is offered and not listed, `kept` what of that somebody ignores, all as JSON.
 * `doubted` is a list that was so much shorter than the one before that it has to be seen twice. `place` is where it was
 * read, because a channel may be pointed elsewhere.
 */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  const { int } = types
  await sql
    .raw(`CREATE TABLE model_lists (
      channel_id ${int} NOT NULL PRIMARY KEY REFERENCES channels (id) ON DELETE CASCADE,
      place text NOT NULL,
      looked_at ${int} NOT NULL,
      listed_at ${int} NOT NULL,
      listed text NOT NULL,
      added text NOT NULL,
      missing text NOT NULL,
      kept text NOT NULL,
      doubted text NOT NULL,
      error text NOT NULL,
      error_en text NOT NULL
    )`)
    .execute(db)
}
