import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { audit, channels, options } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'
import { auditText } from '../../text/audit.ts'
import { textNow } from '../../text/text.ts'
import type { Undo } from './undo.ts'

export const auditEvents = (target: string) => (page: number) =>
  queryOptions({
    queryKey: ['audit', target, page],
    queryFn: () => callPage(audit.list, { query: { p: page, target } }),
  })

/** What somebody has changed again since is not overwritten. */
async function takeBack(undo: Undo) {
  if (undo.of === 'option') {
    const { key, value, base } = undo
    return call(options.update, { body: { key, value, base } })
  }
  const { id, restore, set } = undo
  const now: Record<string, unknown> = await call(channels.get, { params: { id } })
  if (Object.entries(set).some(([field, value]) => now[field] !== value))
    throw new Error(textNow(auditText).changedSince)
  return call(channels.update, { body: { id, ...restore } })
}

export function useUndo() {
  const client = useQueryClient()
  return useSend({
    mutationFn: takeBack,
    // Every screen may show what was restored.
    onSuccess: () => client.invalidateQueries(),
  })
}
