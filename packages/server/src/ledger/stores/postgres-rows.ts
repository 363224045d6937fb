import type { PoolConnection } from '../../database/postgres-pool.ts'

/* Columns are passed as arrays, so that a statement is the same for any number of rows and is planned once. */

export type Value = string | number | null

/** The first column is the key, the others are numbers. */
export async function updateRows(sql: PoolConnection, table: string, columns: string[], values: Value[][]) {
  if (values.length === 0) return
  const [key, ...rest] = columns
  await sql.unsafe(
    `UPDATE ${table} SET ${rest.map((column) => `${column} = new.${column}`)} FROM unnest(${arrays(values)})
     AS new (${columns}) WHERE ${table}.${key} = new.${key}`,
    columnsOf(values),
  )
}

export async function insertRows(sql: PoolConnection, head: string, values: Value[][], tail: string) {
  if (values.length === 0) return
  await sql.unsafe(`${head} SELECT * FROM unnest(${arrays(values)}) ${tail}`, columnsOf(values))
}

/** A column of only nulls may have either type: numbers fit both. */
function arrays(values: Value[][]) {
  const types = (values[0] ?? []).map((_, column) =>
    values.some((row) => typeof row[column] === 'string') ? 'text' : 'bigint',
  )
  return types.map((type, column) => `$${column + 1}::text::${type}[]`).join(', ')
}

export function columnsOf(values: readonly (readonly Value[])[]) {
  return (values[0] ?? []).map((_, column) => arrayOf(values.map((row) => row[column] ?? null)))
}

export function arrayOf(values: readonly Value[]) {
  const written = values.map((value) => {
    if (typeof value === 'string') return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
    return value === null ? 'NULL' : String(value)
  })
  return `{${written.join(',')}}`
}

export const rows = <R>(sql: PoolConnection, text: string, keys: readonly Value[]): Promise<R[]> =>
  select(sql, text, [arrayOf(keys)])

/** Several that are called one after the other and awaited together are sent together, and run in that order. */
export async function select<R>(sql: PoolConnection, text: string, values: string[]): Promise<R[]> {
  return (await sql.unsafe(text, values)).map(plain<R>)
}

/** Integers arrive as BigInt, and the reducer uses numbers; the database's own bounds keep them exact. */
function plain<R>(row: Record<string, unknown>): R {
  for (const [name, value] of Object.entries(row)) if (typeof value === 'bigint') row[name] = Number(value)
  return row as R
}
