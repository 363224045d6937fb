import type { PoolConnection } from '../../database/postgres-pool.ts'

/* Columns are passed as arrays, so that a statement is the same for any number of rows and is planned once. */

export type Value = string | number | null

/** Names and types of columns, in the order of the values of a row. */
export type Columns = Readonly<Record<string, 'bigint' | 'text'>>

/** A statement whose parameters may be numbered from any number, and their values. */
export interface Change {
  text(first: number): string
  values: string[]
}

/** The first column is the key. */
export const updateOf = (table: string, columns: Columns, rows: Value[][]): Change[] => {
  const [key, ...rest] = Object.keys(columns)
  return ofRows(
    rows,
    (first) => `UPDATE ${table} SET ${rest.map((column) => `${column} = new.${column}`)}
      FROM unnest(${arrays(columns, first)}) AS new (${[key, ...rest]}) WHERE ${table}.${key} = new.${key}`,
  )
}

export const insertOf = (table: string, columns: Columns, rows: Value[][], tail = ''): Change[] =>
  ofRows(
    rows,
    (first) => `INSERT INTO ${table} (${Object.keys(columns)}) SELECT * FROM unnest(${arrays(columns, first)}) ${tail}`,
  )

export const deleteOf = (table: string, ids: readonly string[]): Change[] =>
  ids.length === 0
    ? []
    : [{ text: (first) => `DELETE FROM ${table} WHERE id = ANY($${first}::text::text[])`, values: [arrayOf(ids)] }]

interface Addition {
  /** Columns that are added to. */
  sums: readonly string[]
  /** Columns that are replaced. */
  latest?: readonly string[]
}

/** Adds to rows that no earlier statement has locked, in the order in which every node locks them. A row's values begin with its id. */
export const addOf = (table: string, { sums, latest = [] }: Addition, rows: Value[][]): Change[] => {
  const names = ['id', ...sums, ...latest]
  const columns: Columns = Object.fromEntries(names.map((name) => [name, 'bigint']))
  const set = [
    ...sums.map((name) => `${name} = ${table}.${name} + new.${name}`),
    ...latest.map((name) => `${name} = new.${name}`),
  ]
  return ofRows(
    rows,
    (first) => `UPDATE ${table} SET ${set}
      FROM (SELECT new.* FROM unnest(${arrays(columns, first)}) AS new (${names}) JOIN ${table} AS locked USING (id)
        ORDER BY id FOR NO KEY UPDATE OF locked) AS new WHERE ${table}.id = new.id`,
  )
}

const ofRows = (rows: Value[][], text: Change['text']): Change[] =>
  rows.length === 0 ? [] : [{ text, values: columnsOf(rows) }]

const arrays = (columns: Columns, first: number) =>
  Object.values(columns)
    .map((type, index) => `$${first + index}::text::${type}[]`)
    .join(', ')

/** Changes of different rows as one statement: the client and the database have much less to do than with one for each. */
export const together = (changes: readonly Change[]) => {
  const values: string[] = []
  const texts = changes.map((change, index) => {
    const first = values.length + 1
    values.push(...change.values)
    return `change_${index} AS (${change.text(first)})`
  })
  return { text: `WITH ${texts.join(',\n')} SELECT 1`, values }
}

export function columnsOf(values: readonly (readonly Value[])[]) {
  return (values[0] ?? []).map((_, column) => arrayOf(values.map((row) => row[column] ?? null)))
}

function arrayOf(values: readonly Value[]) {
  const written = values.map((value) => {
    if (typeof value === 'string') return `"${value.replace(/["\\]/g, '\\$&')}"`
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
