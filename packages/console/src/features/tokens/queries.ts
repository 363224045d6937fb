import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Sent, type Token, tokens } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { patchRow } from '../../api/list-cache.ts'
import { useSend } from '../../api/use-send.ts'
import { readersZone } from '../../lib/format/zone.ts'

const LIST = ['tokens', 'list'] as const

export interface TokenFilter {
  keyword: string
  order: '' | 'remain_quota' | 'used_quota'
}

export const tokenList = (filter: TokenFilter) => (page: number) =>
  queryOptions({
    queryKey: [...LIST, filter, page],
    queryFn: () =>
      filter.keyword === ''
        ? callPage(tokens.list, { query: { p: page, order: filter.order } })
        : callPage(tokens.search, { query: { p: page, ...filter } }),
  })

/** Recent use of these tokens; the list works without it. */
export const tokenActivity = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['tokens', 'activity', ids],
    queryFn: () => call(tokens.activity, { query: { token_ids: ids.join(','), zone: readersZone() } }),
    enabled: ids.length > 0,
    meta: { silent: true },
  })

/** Changed optimistically and reverted when the server refuses. */
export function useSetTokenStatus() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: { id: number; status: number }) => call(tokens.update, { query: { status_only: 'true' }, body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: LIST })
      return { undo: patchRow<Token>(client, LIST, change) }
    },
    onError: (_error, _change, context) => context?.undo(),
    onSuccess: (token) => void patchRow<Token>(client, LIST, token),
  })
}

export function useRemoveToken() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (id: number) => call(tokens.remove, { params: { id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

/** The answer to an administrator's request. What the owner had seen is sent along: it may have been changed meanwhile. */
export function useAnswerRecording() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof tokens.answerRecording>['body']) => call(tokens.answerRecording, { body }),
    // Refused, the request has changed too. Not awaited: with the request the dialog goes, and would miss its answer.
    onSettled: () => void client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}

export type TokenInput = Pick<
  Token,
  | 'name'
  | 'remain_quota'
  | 'unlimited_quota'
  | 'expired_time'
  | 'models'
  | 'subnet'
  | 'rate_limits'
  | 'fallback'
  | 'recording'
>

export function useCreateToken() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: TokenInput) => call(tokens.create, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}

export function useUpdateToken() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof tokens.update>['body']) => call(tokens.update, { query: {}, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
}
