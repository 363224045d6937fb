import { type Kysely, sql } from 'kysely'

/**
 * A channel may have a pool of keys. `key_count` is how many; 0 where the channel has its own key alone, and then nobody
 * looks into `channel_keys`. `key_order` says which key of a pool is next. A key of a pool is `status` 1 in use, 2 paused by
 * a person, or 3 set aside because its vendor refused it, for `status_reason`. `cooldown_until` is in milliseconds. Its
 * `used_quota` and `calls` are written with the charge. Routing hears of a change by `channels.changed`.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string }) {
  const { id, int } = types
  const statements = [
    `ALTER TABLE channels ADD COLUMN key_count ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE channels ADD COLUMN key_order text NOT NULL DEFAULT 'round_robin'`,
    `CREATE TABLE channel_keys (
      id ${id},
      channel_id ${int} NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
      key_hash text NOT NULL,
      key_sealed text NOT NULL,
      key_hint text NOT NULL,
      status ${int} NOT NULL,
      status_reason text NOT NULL DEFAULT '',
      rate_limits text NOT NULL DEFAULT '',
      cooldown_until ${int} NOT NULL DEFAULT 0,
      last_error text NOT NULL DEFAULT '',
      last_error_time ${int} NOT NULL DEFAULT 0,
      test_time ${int} NOT NULL DEFAULT 0,
      response_time ${int} NOT NULL DEFAULT 0,
      used_quota ${int} NOT NULL DEFAULT 0,
      calls ${int} NOT NULL DEFAULT 0,
      accessed_time ${int} NOT NULL DEFAULT 0,
      created_time ${int} NOT NULL
    )`,
    'CREATE UNIQUE INDEX channel_keys_hash ON channel_keys (channel_id, key_hash)',
    'CREATE INDEX channel_keys_status ON channel_keys (channel_id, status)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
