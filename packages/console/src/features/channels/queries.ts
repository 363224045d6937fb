import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import {
  type ChannelChange as BulkChange,
  type Channel,
  type ChannelFilter,
  channels,
  options,
  PAGE_SIZE,
  routes,
  type Sent,
} from '@tollgate/contract'
import { ask, call, callPage } from '../../api/call.ts'
import { patchRow } from '../../api/list-cache.ts'
import { recordOf } from '../../api/record-of.ts'
import { useSend } from '../../api/use-send.ts'
import { rememberChannelModels, rememberedChannelModels } from '../../lib/browser/channel-models.ts'
import { nowSeconds } from '../../lib/format/time.ts'
import { channelsText } from '../../text/channels.ts'
import { textNow } from '../../text/text.ts'
import type { KnownModels } from './models/known-models.ts'

export const LIST = ['channels', 'list'] as const
const WATCH_MS = 1500

export type TestScope = 'all' | 'disabled'

export const channelList = (filter: Partial<ChannelFilter>, pageSize: number) => (page: number) =>
  queryOptions({
    queryKey: [...LIST, filter, pageSize, page],
    queryFn: () =>
      callPage(filter.keyword === undefined ? channels.list : channels.search, {
        query: { p: page, ...filter, ...(pageSize === PAGE_SIZE ? {} : { page_size: pageSize }) },
      }),
  })

/** How many calls of each channel failed in a day. */
export const channelOutcomes = queryOptions({
  queryKey: ['channels', 'outcomes'],
  queryFn: async () => new Map((await call(channels.outcomes)).map(({ id, day }) => [id, day])),
  staleTime: 10_000,
})

export const channelById = (id: number) =>
  queryOptions({
    queryKey: ['channels', 'one', id],
    queryFn: () => recordOf(id, textNow(channelsText).missing, () => call(channels.get, { params: { id } })),
    meta: { shown: true },
  })

export const modelsByType = queryOptions({
  queryKey: ['channels', 'models-by-type'],
  queryFn: async (): Promise<KnownModels> => {
    const { data, extra } = await ask(channels.modelsByType)
    return { models: rememberChannelModels(data), unpriced: extra.unpriced }
  },
  placeholderData: () => {
    const models = rememberedChannelModels()
    return models && { models, unpriced: {} }
  },
  staleTime: 60_000,
})

export const allModels = queryOptions({
  queryKey: ['channels', 'models'],
  queryFn: async () => (await call(channels.models)).map(({ id }) => id),
  staleTime: 60_000,
})

/** Which of these models have no price in a channel of this type. */
export const unpricedModels = (body: Sent<typeof channels.findUnpriced>['body']) =>
  queryOptions({
    queryKey: ['channels', 'unpriced', body],
    queryFn: () => call(channels.findUnpriced, { body }),
    staleTime: 60_000,
  })

/** The position a channel would have with the form's current values. */
export const placementOf = (body: Sent<typeof routes.placement>['body']) =>
  queryOptions({
    queryKey: ['routes', 'placement', body],
    queryFn: () => call(routes.placement, { body }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
    gcTime: 0,
  })

/** How many other channels a failed call is retried on. */
export const retryTimes = queryOptions({
  queryKey: ['options', 'RetryTimes'],
  queryFn: async () => Number((await call(options.list)).find(({ key }) => key === 'RetryTimes')?.value ?? 0),
  staleTime: 60_000,
})

/** What the channels offer, also those that are disabled. */
export const offeredModels = queryOptions({
  queryKey: ['channels', 'offered-models'],
  queryFn: () => call(channels.offeredModels),
})

export const channelTags = queryOptions({
  queryKey: ['channels', 'tags'],
  queryFn: () => call(channels.tags),
})

/** Some channels by their ids, or all that a filter finds. */
export type ChannelSelection = { ids: number[] } | { filter: Partial<ChannelFilter> }

/** What a change would do. */
export const bulkPreview = (selection: ChannelSelection, change: BulkChange) =>
  queryOptions({
    queryKey: ['channels', 'bulk', selection, change],
    queryFn: () => call(channels.bulk, { body: { ...selection, change, preview: true } }),
    meta: { shown: true },
    staleTime: 0,
    gcTime: 0,
  })

export function useBulkChange() {
  const client = useQueryClient()
  return useSend({
    mutationFn: ({ ids, change }: { ids: number[]; change: BulkChange }) =>
      call(channels.bulk, { body: { ids, change, preview: false } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

type ChannelChange = Pick<Channel, 'id'> & Partial<Pick<Channel, 'status' | 'priority' | 'weight' | 'test_model'>>

/** One value of a row, changed optimistically and reverted when the server refuses. */
export function useChangeChannel() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: ChannelChange) => call(channels.update, { body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: LIST })
      return { undo: patchRow<Channel>(client, LIST, change) }
    },
    onError: (_error, _change, context) => context?.undo(),
    // Only lists contain model list changes.
    onSuccess: ({ model_list: _, ...channel }) => void patchRow<Channel>(client, LIST, channel),
  })
}

export function useRemoveChannel() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (id: number) => call(channels.remove, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

export function useRemoveDisabled() {
  const client = useQueryClient()
  return useSend({
    mutationFn: () => call(channels.removeDisabled),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

/** Returns the time in seconds and the tested model. A failed test changes the list too. */
export function useTestChannel() {
  const client = useQueryClient()
  return useSend({
    mutationFn: async ({ id, model }: { id: number; model: string }) =>
      (await ask(channels.test, { params: { id }, query: { model } })).extra,
    onSettled: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

/** The progress of a test of many channels. Polled only while one runs that was started here. */
export const testProgress = queryOptions({
  queryKey: ['channels', 'test-progress'],
  queryFn: () => call(channels.testProgress),
  refetchInterval: WATCH_MS,
  gcTime: 0,
})

/** Returns the server's message, if any. */
export const useTestMany = () =>
  useSend({
    mutationFn: async (scope: TestScope) => (await ask(channels.testAll, { query: { scope } })).message,
  })

export function useRefreshBalance() {
  const client = useQueryClient()
  return useSend({
    mutationFn: async (id: number) => (await ask(channels.updateBalance, { params: { id } })).extra.balance,
    onSuccess: (balance, id) =>
      void patchRow<Channel>(client, LIST, { id, balance, balance_updated_time: nowSeconds() }),
  })
}

export function useRefreshBalances() {
  const client = useQueryClient()
  return useSend({
    mutationFn: async () => (await ask(channels.updateAllBalances)).message,
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

/** A stored channel, or the values of the form. */
export type ModelSource = { id: number } | Sent<typeof channels.listModels>['body']

/** The vendor's models for the key. */
export const useFetchModels = () =>
  useSend({
    mutationFn: async (source: ModelSource) =>
      'id' in source
        ? (await call(channels.fetchModels, { params: source })).models
        : call(channels.listModels, { body: source }),
  })

export function useCreateChannel() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof channels.create>['body']) => call(channels.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

export function useUpdateChannel() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof channels.update>['body']) => call(channels.update, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}
