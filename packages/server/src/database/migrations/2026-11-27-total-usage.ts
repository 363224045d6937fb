import { type Kysely, sql } from 'kysely'

/**
 * `total_usage`: the figures of the whole site, a row for each `span` of time. Charges add to those of 3600 and 86400. Longer ones are
 * rolled up from the days by a job, which also makes those that are missing after this, and list in `active` the keys that made
 * calls: `<user id> <name of the key>`, a line for each.
 */
export async function up(db: Kysely<unknown>, types: { int: string; clustered: string }) {
  const { int, clustered } = types
  const sums = [
    ...['request_count', 'quota', 'prompt_tokens', 'completion_tokens', 'failed_count', 'client_error_count'],
    ...['access_count', 'rate_limited_count', 'upstream_error_count', 'timeout_count', 'canceled_count'],
    ...['cached_tokens', 'cache_write_tokens', 'reasoning_tokens'],
  ]
  const statements = [
    `CREATE TABLE total_usage (
      span ${int} NOT NULL,
      start ${int} NOT NULL,
      ${sums.map((column) => `${column} ${int} NOT NULL DEFAULT 0`).join(', ')},
      active text NOT NULL DEFAULT '',
      PRIMARY KEY (span, start)
    )${clustered}`,
    `INSERT INTO total_usage (span, start, ${sums.join(', ')})
      SELECT span, start, ${sums.map((column) => `sum(${column})`).join(', ')} FROM site_usage
      WHERE span IN (3600, 86400) GROUP BY span, start`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
