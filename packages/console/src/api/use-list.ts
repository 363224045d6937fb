import { keepPreviousData, type QueryKey, type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { PAGE_SIZE } from '@tollgate/contract'
import { useEffect } from 'react'
import type { ListPage } from './call.ts'

/**
 * One page of a list. The previous page stays while the next one loads, and the following page is prefetched, so that paging forward
 * does not wait.
 */
export function useList<Row, Key extends QueryKey>(
  options: (page: number) => UseQueryOptions<ListPage<Row>, Error, ListPage<Row>, Key>,
  page: number,
  size = PAGE_SIZE,
) {
  const client = useQueryClient()
  const list = useQuery({ ...options(page), placeholderData: keepPreviousData })
  const more = list.isSuccess && !list.isPlaceholderData && (page + 1) * size < list.data.total
  const next = options(page + 1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the options are new at each render; their key is what counts.
  useEffect(() => {
    if (more) void client.prefetchQuery(next)
  }, [client, more, JSON.stringify(next.queryKey)])

  return list
}
