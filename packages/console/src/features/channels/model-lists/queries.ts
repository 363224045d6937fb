import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type ModelListChange, modelLists, PAGE_SIZE } from '@tollgate/contract'
import { call, callPage } from '../../../api/call.ts'
import { useSend } from '../../../api/use-send.ts'

const LISTS = ['model-lists'] as const

export const modelListPage = (pageSize: number) => (page: number) =>
  queryOptions({
    queryKey: [...LISTS, 'list', pageSize, page],
    queryFn: () =>
      callPage(modelLists.list, { query: { p: page, ...(pageSize === PAGE_SIZE ? {} : { page_size: pageSize }) } }),
  })

export const modelListOf = (id: number) =>
  queryOptions({
    queryKey: [...LISTS, 'one', id],
    queryFn: () => call(modelLists.get, { params: { id } }),
    meta: { shown: true },
    gcTime: 0,
  })

/** What accepting would change. */
export const acceptPreview = (changes: readonly ModelListChange[]) =>
  queryOptions({
    queryKey: [...LISTS, 'preview', changes],
    queryFn: () => call(modelLists.accept, { body: { changes: [...changes], preview: true } }),
    meta: { shown: true },
    staleTime: 0,
    gcTime: 0,
  })

/** A decision changes the lists of channels, too. */
function useRenewed() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: [...LISTS, 'list'] })
    void client.invalidateQueries({ queryKey: [...LISTS, 'one'] })
    void client.invalidateQueries({ queryKey: ['channels'] })
  }
}

export function useCheckModelList() {
  const client = useQueryClient()
  const renew = useRenewed()
  return useSend({
    mutationFn: (id: number) => call(modelLists.look, { params: { id } }),
    onSuccess: (found) => {
      client.setQueryData(modelListOf(found.id).queryKey, found)
      renew()
    },
  })
}

export function useAccept() {
  const onSuccess = useRenewed()
  return useSend({
    mutationFn: (changes: readonly ModelListChange[]) =>
      call(modelLists.accept, { body: { changes: [...changes], preview: false } }),
    onSuccess,
  })
}

export function useIgnore() {
  const onSuccess = useRenewed()
  return useSend({
    mutationFn: (changes: readonly ModelListChange[]) => call(modelLists.ignore, { body: { changes: [...changes] } }),
    onSuccess,
  })
}
