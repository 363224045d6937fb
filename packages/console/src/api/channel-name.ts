import { queryOptions } from '@tanstack/react-query'
import { channels } from '@tollgate/contract'
import { call } from './call.ts'

/** For administrators. It fails for a channel that was deleted. */
export const channelName = (id: number) =>
  queryOptions({
    queryKey: ['channels', 'name', id],
    queryFn: async () => (await call(channels.get, { params: { id } })).name,
    staleTime: 60_000,
    retry: false,
    meta: { silent: true },
  })
