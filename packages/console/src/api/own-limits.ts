import { queryOptions } from '@tanstack/react-query'
import { users } from '@tollgate/contract'
import { call } from './call.ts'

const REFRESH_MS = 10_000

/** The user's rate limits and their use. A user without any is queried once. */
export const ownLimits = queryOptions({
  queryKey: ['users', 'limits'],
  queryFn: () => call(users.limits),
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data !== undefined && state.data.limits.length > 0 ? REFRESH_MS : false),
})
