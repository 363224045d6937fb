import { sql } from 'kysely'
import { type Database, transact } from '../database/client.ts'

const ROWS_AT_ONCE = 250_000
const DAYS_SEC = 90 * 86_400

interface Made {
  rows: number
  /** They are the calls of the 90 days before that. */
  until: number
}

const createdAt = (number: number, { rows, until }: Made) => until - DAYS_SEC + Math.floor((number * DAYS_SEC) / rows)

/** In the gateway's format, which begins with the time of the request. */
export function requestIdOf(number: number, made: Made) {
  const time = (createdAt(number, made) * 1000).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`
}

/** A log that contains only calls, numbered from 1. */
export async function fillRequests({ db, engine }: Pick<Database, 'db' | 'engine'>, { rows, until }: Made) {
  // Data lost in a crash is generated again.
  if (engine === 'sqlite') await sql`PRAGMA synchronous = OFF`.execute(db)
  const hex = (value: string) =>
    engine === 'postgres' ? `lpad(to_hex((${value})::bigint), 12, '0')` : `printf('%012x', ${value})`
  for (let first = 1; first <= rows; first += ROWS_AT_ONCE) {
    const last = Math.min(first + ROWS_AT_ONCE - 1, rows)
    const numbers =
      engine === 'postgres'
        ? `SELECT generate_series(${first}::bigint, ${last}) AS n`
        : `WITH RECURSIVE numbers(n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last}) SELECT n FROM numbers`
    await transact(db, async (tx) => {
      await sql
        .raw(
          `INSERT INTO logs (user_id, created_at, type, channel, username, token_name, model_name, prompt_tokens,
            completion_tokens, quota, content, content_en, request_id, elapsed_time, first_byte_time, is_stream, detail, outcome)
          SELECT n % 2000 + 1, at, 2, n % 40 + 1, 'user-' || (n % 2000 + 1), 'key-' || (n % 3), 'model-' || (n % 60), 1200,
            300, 1500, '', '', substr(time, 1, 8) || '-' || substr(time, 9) || '-7000-8000-' || ${hex('n')}, 900, 200, 1,
            '{}', 'success'
          FROM (SELECT n, at, ${hex('at * 1000')} AS time FROM
            (SELECT n, ${until - DAYS_SEC} + n * ${DAYS_SEC} / ${rows} AS at FROM (${numbers}) AS numbers) AS timed) AS named`,
        )
        .execute(tx)
    })
  }
  await sql.raw('ANALYZE').execute(db)
}
