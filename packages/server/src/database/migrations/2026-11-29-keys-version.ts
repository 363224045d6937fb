import { type Kysely, sql } from 'kysely'

/** What calls know of a key and its owner. What the ledger writes all day long (quota, held, used_quota, accessed_time) is not part of it. */
const COLUMNS = {
  tokens: [
    ...['name', 'status', 'expired_time', 'unlimited_quota', 'models', 'subnet', 'deleted_at', 'fallback'],
    ...['rate_limits', 'recording', 'blocked_by', 'blocked_reason'],
  ],
  users: ['username', 'role', 'status', 'group', 'rate_limits'],
}

/** The triggers of earlier versions, each for some of these columns. */
const EARLIER = {
  tokens: ['tell', 'tell_fallback', 'tell_rate_limits', 'tell_blocked', 'tell_recording'],
  users: ['tell', 'tell_rate_limits'],
}

/** Every change of a key or its owner is told: PostgreSQL notifies the nodes, and SQLite, which cannot, counts the changes. */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  const isPostgres = types.int === 'bigint'
  if (!isPostgres) await sql`INSERT INTO meta (key, value) VALUES ('keys_version', '0')`.execute(db)
  for (const table of ['tokens', 'users'] as const) {
    const columns = COLUMNS[table].map((column) => `"${column}"`)
    const row = (side: 'OLD' | 'NEW') => `(${columns.map((column) => `${side}.${column}`).join(', ')})`
    const of = `AFTER UPDATE OF ${columns.join(', ')} ON ${table} FOR EACH ROW`
    const statements = isPostgres
      ? [
          ...EARLIER[table].map((trigger) => `DROP TRIGGER ${trigger} ON ${table}`),
          `CREATE TRIGGER tell ${of} WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})
            EXECUTE FUNCTION tollgate_tell('keys')`,
        ]
      : [
          `CREATE TRIGGER ${table}_keys_version ${of} WHEN ${row('OLD')} IS NOT ${row('NEW')}
            BEGIN UPDATE meta SET value = CAST(value + 1 AS TEXT) WHERE key = 'keys_version'; END`,
        ]
    for (const statement of statements) await sql.raw(statement).execute(db)
  }
}
