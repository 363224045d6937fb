import type { Db } from './client.ts'

/**
 * A text that differs after every change of a table. `changed` is a number that only grows, written with every change, and the sum of
 * all of them too: two changes at the same moment may write the same number. A deletion changes the count.
 */
export const tableVersion = async (db: Db, table: 'budgets' | 'channels') => {
  const row = await db
    .selectFrom(table)
    .select((column) => [
      column.fn.countAll<number>().as('count'),
      column.fn.sum('changed').as('changed'),
      column.fn.max('id').as('last'),
    ])
    .executeTakeFirstOrThrow()
  return `${row.count}:${row.changed}:${row.last}`
}
