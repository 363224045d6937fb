import { type Kysely, sql } from 'kysely'

/**
 * `figure_packs`: the figures of a finished day, or of four, from `start` on, as bytes; `span` is how long. `kind` says what their rows are by: `total` (the hour),
 * `routes` (the hour, model and channel), `keys` (the key), or `calls` (all of them; several packs, `part` says which). `packed_days` has
 * the sum of all figures of the days when they were packed, which is compared with what it is now.
 *
 * They replace `figure_days` and the sums over more than a day, or a third of it. The table, and the columns of `total_usage` that say what was packed,
 * stay for nodes of an older version, which write them until they are replaced.
 */
export async function up(db: Kysely<unknown>, types: { int: string; bytes: string }) {
  const { int, bytes } = types
  const statements = [
    `CREATE TABLE figure_packs (
      kind text NOT NULL,
      span ${int} NOT NULL,
      start ${int} NOT NULL,
      part ${int} NOT NULL,
      bytes ${bytes} NOT NULL,
      PRIMARY KEY (kind, span, start, part)
    )`,
    // Numbers hardly get shorter, and PostgreSQL would try.
    ...(bytes === 'bytea' ? ['ALTER TABLE figure_packs ALTER COLUMN bytes SET STORAGE EXTERNAL'] : []),
    `CREATE TABLE packed_days (
      span ${int} NOT NULL,
      start ${int} NOT NULL,
      total ${int} NOT NULL,
      PRIMARY KEY (span, start)
    )`,
    'DELETE FROM figure_days',
    ...['total_usage', 'site_usage', 'key_usage'].map(
      (table) => `DELETE FROM ${table} WHERE span NOT IN (3600, 86400)`,
    ),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
