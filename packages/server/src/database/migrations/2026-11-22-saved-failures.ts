import { type Kysely, sql } from 'kysely'

/**
 * `saved_failures`: by hour and channel, the failures that no caller saw as a failed call: attempts after which another one answered
 * (`retried`) and answers that the vendor broke off (`broken`). With the last of their errors, and the call it belongs to.
 */
export async function up(db: Kysely<unknown>, types: { int: string; clustered: string }) {
  const { int, clustered } = types
  await sql
    .raw(`CREATE TABLE saved_failures (
      hour ${int} NOT NULL,
      channel ${int} NOT NULL,
      retried ${int} NOT NULL,
      broken ${int} NOT NULL,
      last_at ${int} NOT NULL,
      last_error text NOT NULL,
      last_request_id text NOT NULL,
      PRIMARY KEY (hour, channel)
    )${clustered}`)
    .execute(db)
}
