import { SQL } from 'bun'
import { PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'

const CONNECTIONS_MAX = 20

export const postgresDialect = (url: string) => new PostgresDialect({ pool: pool(url) })

/** Bun's PostgreSQL client in the shape that Kysely expects. */
function pool(url: string): PostgresPool {
  const sql = new SQL(url, { bigint: true, max: CONNECTIONS_MAX })
  return {
    async connect() {
      const connection = await sql.reserve()
      const client = {
        async query<R>(text: unknown, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
          const rows = await connection.unsafe(String(text), [...parameters])
          return { command: rows.command, rowCount: rows.count, rows: rows.map(plainRow) }
        },
        release: () => void connection.release(),
      }
      // The part left out is the cursor form of `query`, which only Kysely's `stream` uses and we do not.
      return client as PostgresPoolClient
    },
    end: () => sql.close(),
    options: {},
  }
}

/** Whole numbers come as BigInt; beyond 2^53 a number would be another number, which must never pass silently. */
function plainRow<R>(row: Record<string, unknown>): R {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint') row[name] = safeNumber(value)
  }
  // The caller's typed query says what a row is; the database cannot.
  return row as R
}

function safeNumber(value: bigint) {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The database holds ${value}, beyond exact numbers`)
  return number
}
