import { type Kysely, sql } from 'kysely'

/**
 * `figure_days`: the figures of a finished day by the hour, packed into a text, by model and by channel. What `dimension` does not name
 * is '' or 0. Rows are in the order of names, because a question about many days is about few of them. `hours_packed` is 1 where a
 * rolled-up span has them: nodes of an older version roll up without.
 */
export async function up(db: Kysely<unknown>, types: { int: string; clustered: string }) {
  const { int, clustered } = types
  const statements = [
    `CREATE TABLE figure_days (
      dimension text NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      day ${int} NOT NULL,
      hours text NOT NULL,
      PRIMARY KEY (dimension, model_name, channel, day)
    )${clustered}`,
    `ALTER TABLE total_usage ADD COLUMN hours_packed ${int} NOT NULL DEFAULT 0`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
