import { type Kysely, sql } from 'kysely'

/**
 * One row per `Idempotency-Key` that a caller sent with a creation. `id` is a hash of who sent it, to which call, under
 * which key. `fingerprint` (what was asked) and `answer` are sealed: both may hold passwords, codes and keys. While
 * `answer` is null and `running_until` lies ahead, the first request is still being carried out.
 */
export async function up(db: Kysely<unknown>, { int }: { int: string }) {
  const statements = [
    `CREATE TABLE idempotency_keys (
      id text PRIMARY KEY,
      fingerprint text NOT NULL,
      answer text,
      running_until ${int} NOT NULL,
      created_at ${int} NOT NULL
    )`,
    'CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at)',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
