import { queryOptions } from '@tanstack/react-query'
import { tokens } from '@tollgate/contract'
import { call } from './call.ts'
import { recordOf } from './record-of.ts'

/** One of the user's own keys; `missing` is the message when it does not exist. */
export const tokenById = (id: number, missing: string) =>
  queryOptions({
    queryKey: ['tokens', 'one', id],
    queryFn: () => recordOf(id, missing, () => call(tokens.get, { params: { id } })),
    meta: { shown: true },
  })
