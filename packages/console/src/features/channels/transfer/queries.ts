import { useQueryClient } from '@tanstack/react-query'
import { channels, type Sent } from '@tollgate/contract'
import { call } from '../../../api/call.ts'
import { useSend } from '../../../api/use-send.ts'
import { LIST } from '../queries.ts'

export function useCopyChannel() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof channels.copy>['body']) => call(channels.copy, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}

export const useExportChannels = () =>
  useSend({
    mutationFn: (body: Sent<typeof channels.exportFile>['body']) => call(channels.exportFile, { body }),
  })

/** What a file would do. */
export const usePreviewImport = () =>
  useSend({
    mutationFn: (file: { content: string; passphrase: string }) =>
      call(channels.importFile, { body: { ...file, preview: true } }),
  })

export function useImportChannels() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (file: { content: string; passphrase: string }) =>
      call(channels.importFile, { body: { ...file, preview: false } }),
    onSuccess: () => client.invalidateQueries({ queryKey: LIST }),
  })
}
