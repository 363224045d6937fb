import { BudgetScope, type Text } from '@tollgate/contract'
import type { Log } from '../common/log.ts'
import type { Db } from '../database/client.ts'
import type { BudgetChange } from '../ledger/commands.ts'
import { periodName } from './budget-refusal.ts'
import { calendarOf } from './budget-window.ts'
import { budgetsRepository, type StoredBudget } from './budgets-repository.ts'

/** How much of a budget is spent. */
export interface BudgetUse {
  name: Text
  /** Undefined when the administrators are responsible. */
  ownerId: number | undefined
  percent: number
  used: number
  limit: number
}

interface Needs {
  db: Db
  notify(use: BudgetUse): Promise<unknown>
  log: Log
}

const PERCENTS = [100, 80, 50]

/** Notifies a budget's owner when 50, 80 or 100 percent are spent. */
export const createBudgetWarnings = ({ db, notify, log }: Needs) => {
  const warn = async ({ id, to, limit }: BudgetChange, percent: number) => {
    const repository = budgetsRepository(db)
    const row = await repository.find(id)
    if (row === undefined) return
    const [name, ownerId] = [await budgetName(db, row), await ownerOf(db, row)]
    await notify({ name, ownerId, percent, used: to, limit })
  }
  return (changes: readonly BudgetChange[]) => {
    for (const change of changes) {
      const percent = percentReached(change)
      if (percent === undefined) continue
      warn(change, percent).catch((error) => log.error('A warning about a budget could not be sent', { error }))
    }
  }
}

/** The highest percentage that this charge has reached; undefined for nearly all charges. */
function percentReached({ from, to, limit }: BudgetChange) {
  for (const percent of PERCENTS) {
    const part = (percent * limit) / 100
    if (to >= part) return from < part ? percent : undefined
  }
  return undefined
}

/** The administrators are responsible for groups and channels. */
async function ownerOf(db: Db, { scope, target }: StoredBudget) {
  if (scope === 'user') return Number(target)
  return scope === 'key' ? budgetsRepository(db).ownerOfKey(Number(target)) : undefined
}

/** Owner and period: `the daily budget of the key agents`. */
export async function budgetName(db: Db, row: StoredBudget): Promise<Text> {
  const scope = BudgetScope.parse(row.scope)
  const names = scope === 'group' ? undefined : await budgetsRepository(db).names(scope, [Number(row.target)])
  const target = names?.get(row.target) ?? row.target
  const period = periodName(calendarOf(row))
  const model = row.model === '' ? '' : `, ${row.model}`
  return {
    zh: `${SCOPES[scope].zh} ${target} 的${period.zh}预算${model.replace(', ', '，')}`,
    en: `the ${period.en} budget of the ${SCOPES[scope].en} ${target}${model}`,
  }
}

const SCOPES: Record<BudgetScope, Text> = {
  key: { zh: '令牌', en: 'key' },
  user: { zh: '用户', en: 'user' },
  group: { zh: '分组', en: 'group' },
  channel: { zh: '渠道', en: 'channel' },
}
