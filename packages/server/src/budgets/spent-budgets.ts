import type { BudgetLeft, BudgetRenewal } from '@tollgate/contract'
import { calendarOf, renewalOf, windowAt } from './budget-window.ts'
import type { budgetsRepository } from './budgets-repository.ts'

export interface SpentBudgets {
  channels: ReadonlyMap<number, BudgetRenewal>
  groups: ReadonlyMap<string, BudgetRenewal>
  /** Of those that are not used up, the least that is left. */
  left: { channels: ReadonlyMap<number, BudgetLeft>; groups: ReadonlyMap<string, BudgetLeft> }
}

/** Channels and groups that have exhausted a budget for this model, and when it has room again. */
export const spentBudgets = async (
  repository: ReturnType<typeof budgetsRepository>,
  model: string,
  now: number,
): Promise<SpentBudgets> => {
  const channels = new Map<number, BudgetRenewal>()
  const groups = new Map<string, BudgetRenewal>()
  const left = { channels: new Map<number, BudgetLeft>(), groups: new Map<string, BudgetLeft>() }
  for (const row of await repository.ofRoutes(model)) {
    const calendar = calendarOf(row)
    const { used, held } = await repository.usage({ id: row.id, ...windowAt(calendar, now) })
    const quota = row.quota + (row.raise_until > now ? row.raise_quota : 0)
    if (used + held < quota) {
      const rest = { left: quota - used - held, quota }
      if (row.scope === 'group') left.groups.set(row.target, lessOf(rest, left.groups.get(row.target)))
      else left.channels.set(Number(row.target), lessOf(rest, left.channels.get(Number(row.target))))
      continue
    }
    const renewal = {
      renews_at: renewalOf(calendar, now),
      rolling: calendar.rolling && calendar.period !== 'forever',
    }
    if (row.scope === 'group') groups.set(row.target, laterOf(renewal, groups.get(row.target)))
    else channels.set(Number(row.target), laterOf(renewal, channels.get(Number(row.target))))
  }
  return { channels, groups, left }
}

/** Where several budgets are exhausted, all of them need room: one that has to be raised decides, then one that frees up gradually. */
function laterOf(one: BudgetRenewal, other: BudgetRenewal | undefined): BudgetRenewal {
  if (other === undefined) return one
  return rankOf(one) > rankOf(other) || (rankOf(one) === rankOf(other) && one.renews_at > other.renews_at) ? one : other
}

const lessOf = (one: BudgetLeft, other: BudgetLeft | undefined) =>
  other === undefined || one.left < other.left ? one : other

const rankOf = ({ renews_at, rolling }: BudgetRenewal) => (renews_at > 0 ? 0 : rolling ? 1 : 2)
