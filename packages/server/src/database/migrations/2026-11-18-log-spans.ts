import { type Kysely, sql } from 'kysely'

/**
 * `log_spans`: in which hours the log has entries of a model, a key's name, a channel; `log_users`: which users it has
 * under which names. Entries are found by them, and need no index for each of these columns: with forty accounts those
 * took more of a call's time than everything else that is written of it. A job fills both, some minutes behind the log.
 */
export async function up(db: Kysely<unknown>, { int, clustered }: { int: string; clustered: string }) {
  await sql
    .raw(
      `CREATE TABLE log_spans (
        dimension text NOT NULL,
        value text NOT NULL,
        start ${int} NOT NULL,
        PRIMARY KEY (dimension, value, start)
      )${clustered}`,
    )
    .execute(db)
  await sql
    .raw(
      `CREATE TABLE log_users (
        username text NOT NULL,
        user_id ${int} NOT NULL,
        PRIMARY KEY (username, user_id)
      )${clustered}`,
    )
    .execute(db)
  await sql`CREATE INDEX log_users_user ON log_users (user_id)`.execute(db)
}
