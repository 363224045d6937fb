import { PostgresDialect, type PostgresPool, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import { createPool, type PoolLimits } from './postgres-pool.ts'

export const postgresDialect = (url: string, limits: PoolLimits) => new PostgresDialect({ pool: poolFor(url, limits) })

/** Our pool in the shape that Kysely expects. */
function poolFor(url: string, limits: PoolLimits): PostgresPool {
  const pool = createPool(url, limits)
  return {
    async connect() {
      const connection = await pool.acquire()
      const client = {
        async query<R>(text: unknown, parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
          const rows = await connection.unsafe(String(text), [...parameters])
          return { command: rows.command, rowCount: rows.count, rows: rows.map((row) => plainRow<R>(row)) }
        },
        release: () => connection.release(),
      }
      // The omitted part is the cursor form of `query`, which only Kysely's `stream` uses and we do not.
      return client as PostgresPoolClient
    },
    end: () => pool.close(),
    options: {},
  }
}

/** Integers arrive as BigInt; beyond 2^53 a number would be inexact, which must never pass silently. */
function plainRow<R>(row: Record<string, unknown>): R {
  for (const name in row) {
    const value = row[name]
    if (typeof value === 'bigint') row[name] = safeNumber(value)
  }
  // The caller's typed query defines the row type; the database cannot.
  return row as R
}

function safeNumber(value: bigint) {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The database holds ${value}, beyond exact numbers`)
  return number
}
