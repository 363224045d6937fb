import { type Kysely, sql } from 'kysely'

/**
 * What a relayed call leaves behind. `logs` gets the call's request id, times, and a JSON `detail` with usage buckets,
 * price and attempts. `usage_hours` adds calls up by hour, in the transaction of the charge, so that no figure has to
 * read the log. `channels.changed` grows with every change, so that other nodes notice.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string; real: string }) {
  const { int } = types
  const statements = [
    `ALTER TABLE logs ADD COLUMN request_id text NOT NULL DEFAULT ''`,
    `ALTER TABLE logs ADD COLUMN elapsed_time ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE logs ADD COLUMN first_byte_time ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE logs ADD COLUMN is_stream ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE logs ADD COLUMN detail text NOT NULL DEFAULT ''`,

    `ALTER TABLE channels ADD COLUMN changed ${int} NOT NULL DEFAULT 0`,

    `CREATE TABLE usage_hours (
      user_id ${int} NOT NULL,
      hour ${int} NOT NULL,
      username text NOT NULL,
      token_name text NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      request_count ${int} NOT NULL,
      quota ${int} NOT NULL,
      prompt_tokens ${int} NOT NULL,
      completion_tokens ${int} NOT NULL,
      PRIMARY KEY (user_id, hour, model_name, token_name, channel, username)
    )`,
    'CREATE INDEX usage_hours_hour ON usage_hours (hour)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
