import { queryOptions } from '@tanstack/react-query'
import { users } from '@tollgate/contract'
import { call } from './call.ts'

/** The user's own account, shared by several screens: balance, profile, the default-password warning. */
export const ownUser = queryOptions({ queryKey: ['users', 'self'], queryFn: () => call(users.self) })
