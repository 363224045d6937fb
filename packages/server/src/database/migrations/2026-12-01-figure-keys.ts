import { type Kysely, sql } from 'kysely'

/**
 * `figure_keys`: a number for each key that made calls, under the name that its owner then had. With it, `figure_days` also has the
 * hours of a model at a channel by key (`dimension` is 'key'). `keys_packed` is 1 where a rolled-up span has these: nodes of an older
 * version roll up without.
 */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  const { int } = types
  const statements = [
    `CREATE TABLE figure_keys (
      id ${int} NOT NULL PRIMARY KEY,
      user_id ${int} NOT NULL,
      username text NOT NULL,
      token_name text NOT NULL,
      UNIQUE (user_id, token_name, username)
    )`,
    `ALTER TABLE total_usage ADD COLUMN keys_packed ${int} NOT NULL DEFAULT 0`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
