import { queryOptions } from '@tanstack/react-query'
import { status } from '@tollgate/contract'
import { call } from '../../api/call.ts'

export const aboutContent = queryOptions({ queryKey: ['about'], queryFn: () => call(status.about) })
