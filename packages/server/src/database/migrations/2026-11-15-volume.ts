import { type Kysely, sql } from 'kysely'

/**
 * What keeps answers quick when there are millions of rows. The log is read by time, newest first, narrowed by one of
 * its columns: each has an index that goes on with (created_at, id), and then with what else is asked for beside it, so
 * that entries can be passed over without reading them. `logs_money` has the few entries beside consumption that carry
 * quota. The figures exist by day as well as by hour: `usage_days` per user (and `usage_models`, by hour, for the
 * overview), and without users in `site_usage` and, for each name of a token, `token_usage`, whose `span` is 3600 or
 * 86400 seconds.
 *
 * The books: `users.overrun` is how far charges beyond their holds, or an administrator, took the available balance
 * below zero. A ledger row of the kind `checkpoint` stands for `calls` calls. Closed holds are found by age.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string; real: string; clustered: string }) {
  const { int, clustered } = types
  const figures = `request_count ${int} NOT NULL, quota ${int} NOT NULL,
      prompt_tokens ${int} NOT NULL, completion_tokens ${int} NOT NULL`
  const sums = 'sum(request_count), sum(quota), sum(prompt_tokens), sum(completion_tokens)'
  const spans = ['3600', '86400']
  const statements = [
    'DROP INDEX logs_created',
    'DROP INDEX logs_user',
    'CREATE INDEX logs_created ON logs (created_at, id)',
    'CREATE INDEX logs_user ON logs (user_id, created_at, id, type, model_name, token_name)',
    'CREATE INDEX logs_username ON logs (username, created_at, id, type, model_name, token_name, channel)',
    'CREATE INDEX logs_token ON logs (token_name, created_at, id, type, model_name, channel)',
    'CREATE INDEX logs_model ON logs (model_name, created_at, id, type, channel)',
    'CREATE INDEX logs_channel ON logs (channel, created_at, id, type)',
    'CREATE INDEX logs_type ON logs (type, created_at, id, quota)',
    'CREATE INDEX logs_money ON logs (created_at, type, quota) WHERE type <> 2 AND quota <> 0',

    // The same table, its rows kept in the order of its key: those of a user are read one after the other.
    'DROP INDEX usage_hours_hour',
    'ALTER TABLE usage_hours RENAME TO usage_hours_before',
    `CREATE TABLE usage_hours (
      user_id ${int} NOT NULL,
      hour ${int} NOT NULL,
      username text NOT NULL,
      token_name text NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      ${figures},
      PRIMARY KEY (user_id, hour, model_name, token_name, channel, username)
    )${clustered}`,
    `INSERT INTO usage_hours SELECT user_id, hour, username, token_name, model_name, channel, request_count, quota,
      prompt_tokens, completion_tokens FROM usage_hours_before`,
    'DROP TABLE usage_hours_before',

    `CREATE TABLE usage_models (
      user_id ${int} NOT NULL,
      hour ${int} NOT NULL,
      model_name text NOT NULL,
      ${figures},
      PRIMARY KEY (user_id, hour, model_name)
    )${clustered}`,
    `INSERT INTO usage_models SELECT user_id, hour, model_name, ${sums} FROM usage_hours GROUP BY 1, 2, 3`,

    `CREATE TABLE usage_days (
      user_id ${int} NOT NULL,
      day ${int} NOT NULL,
      username text NOT NULL,
      token_name text NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      ${figures},
      PRIMARY KEY (user_id, day, model_name, token_name, channel, username)
    )${clustered}`,
    'CREATE INDEX usage_days_username ON usage_days (username, user_id)',
    `INSERT INTO usage_days SELECT user_id, hour - hour % 86400, username, token_name, model_name, channel, ${sums}
      FROM usage_hours GROUP BY 1, 2, 3, 4, 5, 6`,

    `CREATE TABLE site_usage (
      span ${int} NOT NULL,
      start ${int} NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      ${figures},
      PRIMARY KEY (span, start, model_name, channel)
    )${clustered}`,
    `CREATE TABLE token_usage (
      token_name text NOT NULL,
      span ${int} NOT NULL,
      start ${int} NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      ${figures},
      PRIMARY KEY (token_name, span, start, model_name, channel)
    )${clustered}`,
    ...spans.flatMap((span) => [
      `INSERT INTO site_usage SELECT ${span}, hour - hour % ${span}, model_name, channel, ${sums}
        FROM usage_hours GROUP BY 2, 3, 4`,
      `INSERT INTO token_usage SELECT token_name, ${span}, hour - hour % ${span}, model_name, channel, ${sums}
        FROM usage_hours GROUP BY 1, 3, 4, 5`,
    ]),

    `ALTER TABLE users ADD COLUMN overrun ${int} NOT NULL DEFAULT 0 CHECK (overrun >= 0)`,
    'UPDATE users SET overrun = held - quota WHERE held > quota',
    `ALTER TABLE ledger ADD COLUMN calls ${int} NOT NULL DEFAULT 0`,
    'CREATE INDEX holds_closed ON holds (closed_at) WHERE state <> 0',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
