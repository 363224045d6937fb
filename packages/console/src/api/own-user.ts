import { queryOptions } from '@tanstack/react-query'
import { users } from '@tollgate/contract'
import { call } from './call.ts'

/** One's own account, as several screens show it: balance, profile, the default-password warning. */
export const ownUser = queryOptions({ queryKey: ['users', 'self'], queryFn: () => call(users.self) })
