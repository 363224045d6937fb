import { type Kysely, sql } from 'kysely'

/** As in the version before, and `admin_rate_limits`. */
const COLUMNS = [
  ...['name', 'status', 'expired_time', 'unlimited_quota', 'models', 'subnet', 'deleted_at', 'fallback'],
  ...['rate_limits', 'recording', 'blocked_by', 'blocked_reason', 'admin_rate_limits'],
]

/** `tokens.admin_rate_limits`: what an administrator allows a key, as JSON; empty for no limit. Calls know it, so that every change is told. */
export async function up(db: Kysely<unknown>, types: { int: string }) {
  const row = (side: 'OLD' | 'NEW') => `(${COLUMNS.map((column) => `${side}.${column}`).join(', ')})`
  const of = `AFTER UPDATE OF ${COLUMNS.join(', ')} ON tokens FOR EACH ROW`
  const statements = [
    `ALTER TABLE tokens ADD COLUMN admin_rate_limits text NOT NULL DEFAULT ''`,
    ...(types.int === 'bigint'
      ? [
          'DROP TRIGGER tell ON tokens',
          `CREATE TRIGGER tell ${of} WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})
            EXECUTE FUNCTION tollgate_tell('keys')`,
        ]
      : [
          'DROP TRIGGER tokens_keys_version',
          `CREATE TRIGGER tokens_keys_version ${of} WHEN ${row('OLD')} IS NOT ${row('NEW')}
            BEGIN UPDATE meta SET value = CAST(value + 1 AS TEXT) WHERE key = 'keys_version'; END`,
        ]),
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
