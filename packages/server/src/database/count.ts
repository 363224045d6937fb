import type { SelectQueryBuilder } from 'kysely'

/** How many rows a query without a selection has. */
export const countRows = async <DB, Table extends keyof DB>(query: SelectQueryBuilder<DB, Table, object>) => {
  const { count } = await query
    .select(({ fn }) => fn.countAll<number>().as('count'))
    // Its only column; of a query over any tables the compiler does not know that.
    .$castTo<{ count: number }>()
    .executeTakeFirstOrThrow()
  return Number(count)
}
