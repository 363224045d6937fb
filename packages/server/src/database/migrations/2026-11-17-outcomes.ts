import { type Kysely, sql } from 'kysely'

/**
 * `logs.outcome`: how a call ended, by class; empty for other entries, and for older calls until a job has filled it in.
 *
 * The figures count beside the calls that were answered (`request_count`) those that were not (`failed_count`), how many of
 * all had which outcome (what no column has, succeeded), and which tokens were cached, written to a cache, or reasoning.
 * `key_usage` has them by user and name of a key, in the order of time.
 *
 * `latency_days`: how long calls took, as histograms that are packed into a text: of the `whole` day (which begins in UTC), and
 * by its `hours`. A row is for what its `dimension` names (`model`, `channel`, `both` of them, a `user`, or nothing: `all`);
 * the others are '' or 0. They are estimates, which a node writes some seconds later, so that a call does not pay for
 * them.
 */
export async function up(db: Kysely<unknown>, types: { id: string; int: string; real: string; clustered: string }) {
  const { int, clustered } = types
  const added = [
    'failed_count',
    'client_error_count',
    'access_count',
    'rate_limited_count',
    'upstream_error_count',
    'timeout_count',
    'canceled_count',
    'cached_tokens',
    'cache_write_tokens',
    'reasoning_tokens',
  ]
  const sums = ['request_count', 'quota', 'prompt_tokens', 'completion_tokens']
  const statements = [
    `ALTER TABLE logs ADD COLUMN outcome text NOT NULL DEFAULT ''`,
    ...['usage_hours', 'usage_days', 'site_usage'].flatMap((table) =>
      added.map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} ${int} NOT NULL DEFAULT 0`),
    ),
    `CREATE TABLE key_usage (
      span ${int} NOT NULL,
      start ${int} NOT NULL,
      user_id ${int} NOT NULL,
      token_name text NOT NULL,
      username text NOT NULL,
      ${[...sums, ...added].map((column) => `${column} ${int} NOT NULL DEFAULT 0`).join(', ')},
      PRIMARY KEY (span, start, user_id, token_name, username)
    )${clustered}`,
    ...[
      ['3600', 'usage_hours', 'hour'],
      ['86400', 'usage_days', 'day'],
    ].map(
      ([span, table, begin]) => `INSERT INTO key_usage (span, start, user_id, token_name, username, ${sums})
        SELECT ${span}, ${begin}, user_id, token_name, username, ${sums.map((sum) => `sum(${sum})`)}
        FROM ${table} GROUP BY ${begin}, user_id, token_name, username`,
    ),
    `CREATE TABLE latency_days (
      dimension text NOT NULL,
      user_id ${int} NOT NULL,
      day ${int} NOT NULL,
      model_name text NOT NULL,
      channel ${int} NOT NULL,
      whole text NOT NULL,
      hours text NOT NULL,
      PRIMARY KEY (dimension, user_id, day, model_name, channel)
    )${clustered}`,
    // Where there are no calls yet, none has to be filled in.
    `INSERT INTO meta (key, value) SELECT 'outcomes filled up to', 'all' WHERE NOT EXISTS (SELECT 1 FROM logs)`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
