import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Sent, tokens, type UserToken } from '@tollgate/contract'
import { call, callPage } from '../../../api/call.ts'
import { patchRow } from '../../../api/list-cache.ts'
import { useSend } from '../../../api/use-send.ts'
import { readersZone } from '../../../lib/format/zone.ts'
import { sizeQuery } from '../../../lib/lists/rows-per-page.ts'

const LIST = ['tokens', 'all'] as const

type Filter = Omit<Sent<typeof tokens.all>['query'], 'p' | 'page_size'>

export const userTokenList = (filter: Filter, rows: number) => (page: number) =>
  queryOptions({
    queryKey: [...LIST, filter, rows, page],
    queryFn: () => callPage(tokens.all, { query: { p: page, ...sizeQuery(rows), zone: readersZone(), ...filter } }),
  })

export function useAskRecording() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof tokens.askRecording>['body']) => call(tokens.askRecording, { body }),
    onSuccess: (token) => {
      patchRow<UserToken>(client, LIST, token)
      return client.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
}

export function useLimitToken() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof tokens.setLimits>['body']) => call(tokens.setLimits, { body }),
    onSuccess: (token) => {
      patchRow<UserToken>(client, LIST, token)
      return client.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
}

export function useManageToken() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof tokens.manage>['body']) => call(tokens.manage, { body }),
    onSuccess: (token) => {
      patchRow<UserToken>(client, LIST, token)
      // It may be the user's own key, or no longer match the filter.
      return client.invalidateQueries({ queryKey: ['tokens'] })
    },
  })
}
