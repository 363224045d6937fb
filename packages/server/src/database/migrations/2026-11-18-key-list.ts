import { type Kysely, sql } from 'kysely'

/**
 * `tokens.blocked_by`: the administrator who disabled the key, 0 where none did; `blocked_reason` is what its owner and its callers
 * are told. Nodes keep the reason in memory with the keys, so that a change is told to all of them, where the database can.
 *
 * `key_addresses`: from where a key was used, since when and until when. A node writes it up to a minute later, so that a
 * call does not pay for it; what nobody used for some days is removed.
 */
export async function up(db: Kysely<unknown>, types: { int: string; clustered: string }) {
  const { int, clustered } = types
  const statements = [
    `ALTER TABLE tokens ADD COLUMN blocked_by ${int} NOT NULL DEFAULT 0`,
    `ALTER TABLE tokens ADD COLUMN blocked_reason text NOT NULL DEFAULT ''`,
    `CREATE TABLE key_addresses (
      token_id ${int} NOT NULL,
      address text NOT NULL,
      first_at ${int} NOT NULL,
      last_at ${int} NOT NULL,
      PRIMARY KEY (token_id, address)
    )${clustered}`,
    'CREATE INDEX key_addresses_last ON key_addresses (last_at)',
    ...(int === 'bigint'
      ? [
          `CREATE TRIGGER tell_blocked AFTER UPDATE ON tokens FOR EACH ROW
            WHEN (OLD.blocked_reason IS DISTINCT FROM NEW.blocked_reason) EXECUTE FUNCTION tollgate_tell('keys')`,
        ]
      : []),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
