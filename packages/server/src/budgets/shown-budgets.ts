import { type Budget, BudgetScope } from '@tollgate/contract'
import { calendarOf, renewalOf, windowAt } from './budget-window.ts'
import type { budgetsRepository, StoredBudget } from './budgets-repository.ts'

/** Budgets as the API returns them: with the names of their targets and their usage in the current period. */
export const shownBudgets = async (
  repository: ReturnType<typeof budgetsRepository>,
  rows: readonly StoredBudget[],
  { readerId, now }: { readerId: number; now: number },
): Promise<Budget[]> => {
  const idsOf = (scope: string) => rows.filter((row) => row.scope === scope).map(({ target }) => Number(target))
  const names = {
    key: await repository.names('key', idsOf('key')),
    user: await repository.names('user', idsOf('user')),
    channel: await repository.names('channel', idsOf('channel')),
  }
  const owners = await repository.ownersOfKeys(idsOf('key'))
  return Promise.all(
    rows.map(async ({ changed: _, ...row }) => {
      const scope = BudgetScope.parse(row.scope)
      const calendar = calendarOf(row)
      const usage = await repository.usage({ id: row.id, ...windowAt(calendar, now) })
      const target_name = scope === 'group' ? row.target : (names[scope].get(row.target) ?? '')
      const keyOwner = scope === 'key' ? owners.get(row.target) : undefined
      const owner = keyOwner === undefined || keyOwner.id === readerId ? '' : keyOwner.username
      const flags = { rolling: row.rolling === 1, managed: row.managed === 1 }
      return {
        ...row,
        ...usage,
        ...calendar,
        ...flags,
        scope,
        target_name,
        owner,
        renews_at: renewalOf(calendar, now),
      }
    }),
  )
}
