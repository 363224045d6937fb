import { type Kysely, sql } from 'kysely'

/**
 * `tokens.recording`: what the owner of a key agreed to have kept of its calls, as JSON; empty where nothing is.
 *
 * `recordings`: what a caller sent and got, compressed and sealed, for calls that have an entry in the log. It goes when
 * its days are over, and with the log, the key or the account before that.
 */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  const { int } = types
  const statements = [
    `ALTER TABLE tokens ADD COLUMN recording text NOT NULL DEFAULT ''`,
    `CREATE TABLE recordings (
      request_id text NOT NULL PRIMARY KEY,
      user_id ${int} NOT NULL,
      token_id ${int} NOT NULL,
      created_at ${int} NOT NULL,
      expires_at ${int} NOT NULL,
      operation text NOT NULL,
      status ${int} NOT NULL,
      is_stream ${int} NOT NULL,
      request_sealed text NOT NULL,
      request_size ${int} NOT NULL,
      request_cut ${int} NOT NULL,
      response_sealed text NOT NULL,
      response_size ${int} NOT NULL,
      response_cut ${int} NOT NULL
    )`,
    'CREATE INDEX recordings_user ON recordings (user_id)',
    'CREATE INDEX recordings_token ON recordings (token_id)',
    'CREATE INDEX recordings_created ON recordings (created_at)',
    'CREATE INDEX recordings_expires ON recordings (expires_at)',
    ...(int === 'bigint'
      ? [
          `CREATE TRIGGER tell_recording AFTER UPDATE ON tokens FOR EACH ROW
            WHEN (OLD.recording IS DISTINCT FROM NEW.recording) EXECUTE FUNCTION tollgate_tell('keys')`,
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
