import { queryOptions } from '@tanstack/react-query'
import { users } from '@tollgate/contract'
import { call } from './call.ts'

/** What one's groups may call. A key may be limited to a part of it. */
export const availableModels = queryOptions({
  queryKey: ['users', 'available-models'],
  queryFn: () => call(users.availableModels),
  staleTime: 60_000,
})
