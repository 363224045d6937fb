import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { channelKeys, channels, type KeyOrder, PAGE_SIZE, type RateLimit } from '@tollgate/contract'
import { ask, call, callPage } from '../../../api/call.ts'
import { useSend } from '../../../api/use-send.ts'

const keysOf = (channel: number) => ['channel-keys', channel] as const

export const keyList = (id: number, filter: { status: number; hint: string }, pageSize: number) => (page: number) =>
  queryOptions({
    queryKey: [...keysOf(id), 'list', filter, pageSize, page],
    queryFn: () =>
      callPage(channelKeys.list, {
        params: { id },
        query: { p: page, ...filter, ...(pageSize === PAGE_SIZE ? {} : { page_size: pageSize }) },
      }),
  })

export const keyCounts = (id: number) =>
  queryOptions({
    queryKey: [...keysOf(id), 'counts'],
    queryFn: () => call(channelKeys.counts, { params: { id } }),
  })

/** A change of keys affects their list and the channel. Not awaited, because the row may be gone by then. */
function useRenewed(channel: number) {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: keysOf(channel) })
    void client.invalidateQueries({ queryKey: ['channels'] })
  }
}

export function useAddKeys(id: number) {
  const onSuccess = useRenewed(id)
  return useSend({
    mutationFn: (body: { key: string; rate_limits: RateLimit }) => call(channelKeys.add, { params: { id }, body }),
    onSuccess,
  })
}

export function useChangeKeys(id: number) {
  const onSuccess = useRenewed(id)
  return useSend({
    mutationFn: (body: { ids: number[]; status?: 1 | 2; rate_limits?: RateLimit }) =>
      call(channelKeys.update, { params: { id }, body }),
    onSuccess,
  })
}

export function useRemoveKey(id: number) {
  const onSuccess = useRenewed(id)
  return useSend({
    mutationFn: (key: number) => call(channelKeys.remove, { params: { id, key } }),
    onSuccess,
  })
}

export function useRemoveKeys(id: number) {
  const onSuccess = useRenewed(id)
  return useSend({
    mutationFn: (ids: number[]) => call(channelKeys.removeSome, { params: { id }, body: { ids } }),
    onSuccess,
  })
}

export function useRemoveSetAside(id: number) {
  const onSuccess = useRenewed(id)
  return useSend({ mutationFn: () => call(channelKeys.removeSetAside, { params: { id } }), onSuccess })
}

/** A failed test changes the list too. */
export function useTestKey(id: number) {
  const onSettled = useRenewed(id)
  return useSend({
    mutationFn: async (key: number) =>
      (await ask(channelKeys.test, { params: { id, key }, query: { model: '' } })).extra,
    onSettled,
  })
}

export function useChangeOrder(id: number) {
  const onSuccess = useRenewed(id)
  return useSend({
    mutationFn: (key_order: KeyOrder) => call(channels.update, { body: { id, key_order } }),
    onSuccess,
  })
}
