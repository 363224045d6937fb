import { queryOptions } from '@tanstack/react-query'
import { routes } from '@tollgate/contract'
import { callPage } from '../../api/call.ts'

export const modelPrices = (keyword: string) => (page: number) =>
  queryOptions({
    queryKey: ['model prices', keyword, page],
    queryFn: async () => {
      const { rows, ...rest } = await callPage(routes.prices, { query: { keyword, p: page } })
      // Rows of a table have ids, and models have names alone.
      return { ...rest, rows: rows.map((row, index) => ({ id: index, ...row })) }
    },
  })
