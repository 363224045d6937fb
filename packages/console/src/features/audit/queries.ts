import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type AuditFilter, alerts, audit, budgets, channels, options, users } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'
import { sizeQuery } from '../../lib/lists/rows-per-page.ts'
import { auditText } from '../../text/audit.ts'
import { textNow } from '../../text/text.ts'
import type { Undo } from './undo.ts'

export const auditEvents = (filter: AuditFilter, rows: number) => (page: number) =>
  queryOptions({
    queryKey: ['audit', filter, rows, page],
    queryFn: () => callPage(audit.list, { query: { p: page, ...sizeQuery(rows), ...filter } }),
  })

/** What somebody has changed again since is not overwritten. */
async function takeBack(undo: Undo) {
  if (undo.of === 'option') {
    const { key, value, base } = undo
    return call(options.update, { body: { key, value, base } })
  }
  const { of, id, restore, set } = undo
  const { read, save } = PLACES[of]
  const now = new Map<string, unknown>(Object.entries((await read(id)) ?? {}))
  const isChanged = Object.entries(set).some(
    ([field, value]) => JSON.stringify(now.get(field)) !== JSON.stringify(value),
  )
  if (isChanged) throw new Error(textNow(auditText).changedSince)
  return save({ id, ...restore, base: set })
}

type Body = { id: number; base: Record<string, unknown> } & Record<string, unknown>

interface Place {
  read(id: number): Promise<object | undefined>
  save(body: Body): Promise<unknown>
}

/** Where what was changed is read and changed back. The server validates it as any other change. */
const PLACES: Record<Exclude<Undo['of'], 'option'>, Place> = {
  channel: {
    read: (id) => call(channels.get, { params: { id } }),
    save: (body) => call(channels.update, { body }),
  },
  user: {
    read: (id) => call(users.get, { params: { id } }),
    save: (body) => call(users.update, { body }),
  },
  budget: {
    read: (id) => call(budgets.get, { params: { id } }),
    save: ({ base: _, ...body }) => call(budgets.update, { body }),
  },
  alert_rule: {
    read: async (id) => {
      const rules = await Promise.all(
        (['gateway', 'own'] as const).map((owner) => call(alerts.listRules, { query: { owner } })),
      )
      return rules.flat().find((rule) => rule.id === id)
    },
    save: ({ base: _, ...body }) => call(alerts.updateRule, { body }),
  },
}

export function useUndo() {
  const client = useQueryClient()
  return useSend({
    mutationFn: takeBack,
    // Every screen may show what was restored.
    onSuccess: () => client.invalidateQueries(),
  })
}
