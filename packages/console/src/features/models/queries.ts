import { queryOptions } from '@tanstack/react-query'
import { routes } from '@tollgate/contract'
import { callPage } from '../../api/call.ts'
import { sizeQuery } from '../../lib/lists/rows-per-page.ts'

interface PricesFilter {
  keyword: string
  /** The reader's own groups where it is empty. */
  group: string
}

export const modelPrices =
  ({ keyword, group }: PricesFilter, rowsPerPage: number) =>
  (page: number) =>
    queryOptions({
      queryKey: ['model prices', keyword, group, rowsPerPage, page],
      queryFn: async () => {
        const query = { keyword, p: page, ...sizeQuery(rowsPerPage) }
        const { rows, ...rest } = await (group === ''
          ? callPage(routes.prices, { query })
          : callPage(routes.groupPrices, { query: { ...query, group } }))
        // Rows of a table have ids, and models have names alone.
        return { ...rest, rows: rows.map((row, index) => ({ id: index, ...row })) }
      },
    })
