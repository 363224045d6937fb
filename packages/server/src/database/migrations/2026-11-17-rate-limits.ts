import { type Kysely, sql } from 'kysely'

/**
 * `rate_limits` of a token and of a user: how many calls and tokens a minute, and how many calls at once, as JSON; empty
 * without any. Nodes keep them in memory with the keys, so that a change is told to all of them, where the database can.
 */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  for (const table of ['tokens', 'users']) {
    await sql.raw(`ALTER TABLE ${table} ADD COLUMN rate_limits text NOT NULL DEFAULT ''`).execute(db)
    if (types.int !== 'bigint') continue
    await sql
      .raw(
        `CREATE TRIGGER tell_rate_limits AFTER UPDATE ON ${table} FOR EACH ROW
          WHEN (OLD.rate_limits IS DISTINCT FROM NEW.rate_limits) EXECUTE FUNCTION tollgate_tell('keys')`,
      )
      .execute(db)
  }
}
