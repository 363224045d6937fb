import { queryOptions } from '@tanstack/react-query'
import { users } from '@tollgate/contract'
import { call } from './call.ts'

/** Models of the user's groups. A key may be limited to a part of them. */
export const availableModels = queryOptions({
  queryKey: ['users', 'available-models'],
  queryFn: () => call(users.availableModels),
  staleTime: 60_000,
})
