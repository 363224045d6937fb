import { type Kysely, sql } from 'kysely'

/**
 * `files`: what callers have handed over, or batches have made, and which channel, and key of its pool, has it. `plan` says of a
 * file for a batch what its lines ask for; it is empty for the others.
 *
 * `batches`: work that a vendor does within a day, by its `kind`: openai, anthropic, or response, which is one response in the
 * background. The hold of its price has the same id. `status` is the vendor's word, and `creating` until the vendor has told
 * its name of it; `body` is what the vendor said of it last. `settled_at` is null as long as it is not paid.
 */
export async function up(db: Kysely<unknown>, { int, clustered }: { int: string; clustered: string }) {
  const statements = [
    `CREATE TABLE files (
      id text PRIMARY KEY,
      user_id ${int} NOT NULL,
      token_id ${int} NOT NULL,
      channel_id ${int} NOT NULL,
      channel_key_id ${int},
      upstream_id text NOT NULL,
      purpose text NOT NULL,
      filename text NOT NULL,
      bytes ${int} NOT NULL,
      plan text NOT NULL,
      created_at ${int} NOT NULL
    )${clustered}`,
    'CREATE INDEX files_user ON files (user_id, id)',
    `CREATE TABLE batches (
      id text PRIMARY KEY,
      kind text NOT NULL,
      user_id ${int} NOT NULL,
      token_id ${int} NOT NULL,
      channel_id ${int} NOT NULL,
      channel_key_id ${int},
      upstream_id text NOT NULL,
      input_file_id text NOT NULL,
      output_file_id text NOT NULL,
      error_file_id text NOT NULL,
      status text NOT NULL,
      plan text NOT NULL,
      amount ${int} NOT NULL,
      body text NOT NULL,
      created_at ${int} NOT NULL,
      settled_at ${int}
    )${clustered}`,
    'CREATE INDEX batches_user ON batches (user_id, kind, id)',
    'CREATE INDEX batches_upstream ON batches (upstream_id)',
    'CREATE INDEX batches_open ON batches (created_at) WHERE settled_at IS NULL',
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
