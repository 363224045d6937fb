import type { ActiveBudgets } from '../budgets/active-budgets.ts'
import type { Choice } from '../catalog/snapshot.ts'
import { BudgetSpent } from '../ledger/call-ledger.ts'
import { BUDGET_SPENT, type Candidates } from './candidates.ts'

/** Excludes the channel or group whose budget is spent. False when that is the caller's own budget, so that no other channel could help. */
export const continueWithoutBudget = (
  { route, group }: Choice,
  { budget }: BudgetSpent,
  { budgets, candidates }: { budgets: ActiveBudgets; candidates: Pick<Candidates, 'passOver' | 'leaveGroup'> },
): boolean => {
  const scope = budgets.scopeOf(budget)
  if (scope === 'channel') candidates.passOver({ route, group }, BUDGET_SPENT)
  if (scope === 'group') candidates.leaveGroup({ route, group })
  // The key and the account are the same for all.
  return scope === 'channel' || scope === 'group'
}

/** For work that only one channel can do: tries the groups in order until one has enough budget. */
export const inFirstGroup = async <T>(
  groups: readonly [string, ...string[]],
  budgets: ActiveBudgets,
  work: (group: string) => Promise<T>,
): Promise<T> => {
  const [group, next, ...others] = groups
  try {
    return await work(group)
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    if (next === undefined || budgets.scopeOf(error.budget) !== 'group') throw budgets.refusal(error.budget)
  }
  return inFirstGroup([next, ...others], budgets, work)
}

/** The caller's groups that have the channel, in their order; undefined without any. */
export const sharedGroups = (
  { groups }: { groups: readonly string[] },
  route: Pick<Choice['route'], 'groups'>,
): [string, ...string[]] | undefined => {
  const [first, ...others] = groups.filter((group) => route.groups.has(group))
  return first === undefined ? undefined : [first, ...others]
}
