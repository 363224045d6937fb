import { type Kysely, sql } from 'kysely'

/**
 * On PostgreSQL, a change of what nodes keep in memory is told to all of them when it is committed, whoever made it: the
 * channel `tollgate_changed` names the options, the channels or the keys. What the ledger writes all day long (quota,
 * held, used_quota, request_count, accessed_time) is nothing of that kind and tells nobody.
 */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  if (types.int !== 'bigint') return
  const changed = (columns: readonly string[]) => {
    const row = (side: 'OLD' | 'NEW') => `ROW(${columns.map((column) => `${side}."${column}"`).join(', ')})`
    return `${row('OLD')} IS DISTINCT FROM ${row('NEW')}`
  }
  const statements = [
    `CREATE FUNCTION tollgate_tell() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_notify('tollgate_changed', TG_ARGV[0]); RETURN NULL; END $$`,
    `CREATE TRIGGER tell AFTER INSERT OR UPDATE OR DELETE ON options
      FOR EACH STATEMENT EXECUTE FUNCTION tollgate_tell('options')`,
    `CREATE TRIGGER tell AFTER INSERT OR DELETE OR UPDATE OF changed ON channels
      FOR EACH STATEMENT EXECUTE FUNCTION tollgate_tell('channels')`,
    `CREATE TRIGGER tell AFTER UPDATE ON tokens FOR EACH ROW
      WHEN (${changed(['name', 'status', 'expired_time', 'unlimited_quota', 'models', 'subnet', 'deleted_at'])})
      EXECUTE FUNCTION tollgate_tell('keys')`,
    `CREATE TRIGGER tell AFTER UPDATE ON users FOR EACH ROW
      WHEN (${changed(['username', 'role', 'status', 'group'])}) EXECUTE FUNCTION tollgate_tell('keys')`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
