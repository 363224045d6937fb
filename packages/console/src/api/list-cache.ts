import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ListPage } from './call.ts'

/**
 * Changes one row in every cached page under `key` before the server has answered. The returned function reverts it if the server
 * refuses.
 */
export function patchRow<Row extends { id: number }>(
  client: QueryClient,
  key: QueryKey,
  patch: Partial<Row> & { id: number },
) {
  const before = client.getQueriesData<ListPage<Row>>({ queryKey: key })
  client.setQueriesData<ListPage<Row>>(
    { queryKey: key },
    (page) => page && { ...page, rows: page.rows.map((row) => (row.id === patch.id ? { ...row, ...patch } : row)) },
  )
  return () => {
    for (const [queryKey, page] of before) client.setQueryData(queryKey, page)
  }
}
