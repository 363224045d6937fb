import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { type BudgetScope, budgets, channels, groups, type Sent, tokens, users } from '@tollgate/contract'
import { call, callPage } from '../../api/call.ts'
import { recordOf } from '../../api/record-of.ts'
import { useSend } from '../../api/use-send.ts'
import { budgetsText } from '../../text/budgets.ts'
import { textNow } from '../../text/text.ts'

export interface BudgetFilter {
  /** When false, only those that apply to the reader. */
  everyone: boolean
  scope: BudgetScope | ''
  target: string
}

export const budgetList =
  ({ everyone, scope, target }: BudgetFilter) =>
  (page: number) =>
    queryOptions({
      queryKey: ['budgets', 'list', everyone, scope, target, page],
      queryFn: () =>
        everyone
          ? callPage(budgets.list, { query: { p: page, scope, target } })
          : callPage(budgets.listSelf, { query: { p: page } }),
    })

export const budgetById = (id: number) =>
  queryOptions({
    queryKey: ['budgets', 'one', id],
    queryFn: () => recordOf(id, textNow(budgetsText).missing, () => call(budgets.get, { params: { id } })),
    meta: { shown: true },
  })

export interface Target {
  value: string
  label: string
}

/** Possible targets of a budget, found by a word. */
export const targetsOf = (scope: BudgetScope, keyword: string) =>
  queryOptions({
    queryKey: ['budgets', 'targets', scope, keyword],
    queryFn: () => TARGETS[scope](keyword),
    placeholderData: keepPreviousData,
  })

const TARGETS: Record<BudgetScope, (keyword: string) => Promise<Target[]>> = {
  key: async (keyword) => byId((await callPage(tokens.search, { query: { keyword, p: 0, order: '' } })).rows),
  user: async (keyword) => {
    const { rows } = await callPage(users.search, { query: { keyword, p: 0, order: '' } })
    return byId(rows.map(({ id, username }) => ({ id, name: username })))
  },
  channel: async (keyword) => byId((await callPage(channels.search, { query: { keyword, p: 0 } })).rows),
  group: async () => (await call(groups.list)).map((name) => ({ value: name, label: name })),
}

/** The label of one target: it need not be among the first results of a search. */
export const targetNamed = (scope: BudgetScope, target: string) =>
  queryOptions({
    queryKey: ['budgets', 'target', scope, target],
    queryFn: () => TARGET_NAMES[scope](target),
    meta: { shown: true },
  })

const TARGET_NAMES: Record<BudgetScope, (target: string) => Promise<string>> = {
  key: async (id) => named(await call(tokens.get, { params: { id: Number(id) } })),
  user: async (id) => {
    const user = await call(users.get, { params: { id: Number(id) } })
    return named({ id: user.id, name: user.username })
  },
  channel: async (id) => named(await call(channels.get, { params: { id: Number(id) } })),
  group: async (name) => name,
}

const named = ({ id, name }: { id: number; name: string }) => `${name} (#${id})`

const byId = (rows: readonly { id: number; name: string }[]) =>
  rows.map((row) => ({ value: String(row.id), label: named(row) }))

export function useCreateBudget() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof budgets.create>['body']) => call(budgets.create, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['budgets'] }),
  })
}

export function useUpdateBudget() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (body: Sent<typeof budgets.update>['body']) => call(budgets.update, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['budgets'] }),
  })
}

export function useRemoveBudget() {
  const client = useQueryClient()
  return useSend({
    mutationFn: (id: number) => call(budgets.remove, { params: { id } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['budgets'] }),
  })
}
