import { type Kysely, sql } from 'kysely'

/**
 * `pending_usage`: what calls add to the figures, as written with their charges and not yet summed up. It has no key: rows are
 * only ever appended, and removed in the transaction that adds them to the tables of figures.
 */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  const { int } = types
  const sums = [
    ...['request_count', 'quota', 'prompt_tokens', 'completion_tokens', 'failed_count', 'client_error_count'],
    ...['access_count', 'rate_limited_count', 'upstream_error_count', 'timeout_count', 'canceled_count'],
    ...['cached_tokens', 'cache_write_tokens', 'reasoning_tokens'],
  ]
  await sql
    .raw(`CREATE TABLE pending_usage (
      user_id ${int} NOT NULL,
      hour ${int} NOT NULL,
      model_name text NOT NULL,
      token_name text NOT NULL,
      channel ${int} NOT NULL,
      username text NOT NULL,
      ${sums.map((column) => `${column} ${int} NOT NULL`).join(', ')}
    )`)
    .execute(db)
}
