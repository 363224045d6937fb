import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type Redemption, redemptions } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { patchRow } from '../../api/list-cache.ts'
import { recordOf } from '../../api/record-of.ts'
import { useSend } from '../../api/use-send.ts'
import { sizeQuery } from '../../lib/lists/rows-per-page.ts'
import { redemptionsText } from '../../text/redemptions.ts'
import { textNow } from '../../text/text.ts'

const LIST = ['redemptions', 'list'] as const

interface RedemptionFilter {
  keyword: string
  /** 0 for all. */
  status: number
}

export const redemptionList =
  ({ keyword, status }: RedemptionFilter, rows: number) =>
  (page: number) =>
    queryOptions({
      queryKey: [...LIST, keyword, status, rows, page],
      queryFn: () =>
        keyword === ''
          ? callPage(redemptions.list, { query: { p: page, ...sizeQuery(rows), status } })
          : callPage(redemptions.search, { query: { p: page, ...sizeQuery(rows), keyword, status } }),
    })

export const redemptionById = (id: number) =>
  queryOptions({
    queryKey: ['redemptions', 'one', id],
    queryFn: () => recordOf(id, textNow(redemptionsText).missing, () => call(redemptions.get, { params: { id } })),
    meta: { shown: true },
  })

/** Changed optimistically and reverted when the server refuses. */
export function useSetRedemptionStatus() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: { id: number; status: number }) =>
      call(redemptions.update, { query: { status_only: 'true' }, body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: LIST })
      return { undo: patchRow<Redemption>(client, LIST, change) }
    },
    onError: (_error, _change, context) => context?.undo(),
    onSuccess: (redemption) => void patchRow<Redemption>(client, LIST, redemption),
  })
}

export function useRemoveRedemption() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (id: number) => call(redemptions.remove, { params: { id } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: LIST }),
  })
}

export function useCreateRedemptions() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: { name: string; quota: number; count: number }) => call(redemptions.create, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['redemptions'] }),
  })
}

export function useUpdateRedemption() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: { id: number; name?: string; quota?: number }) => call(redemptions.update, { query: {}, body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['redemptions'] }),
  })
}
