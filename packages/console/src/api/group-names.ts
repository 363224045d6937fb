import { queryOptions } from '@tanstack/react-query'
import { groups } from '@tollgate/contract'
import { call } from './call.ts'

/** For administrators. */
export const groupNames = queryOptions({
  queryKey: ['groups'],
  queryFn: () => call(groups.list),
  staleTime: 60_000,
})
