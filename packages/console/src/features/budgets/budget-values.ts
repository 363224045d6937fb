import type { Budget, BudgetPeriod, BudgetScope } from '@tollgate/contract'
import { formatTimestamp, nowSeconds, parseTimestamp } from '../../lib/format/time.ts'

/** The form values of a budget. */
export interface BudgetValues {
  scope: BudgetScope
  target: string
  model: string
  quota: number
  period: BudgetPeriod
  rolling: boolean
  zone: string
  raise_quota: number
  /** As typed. */
  raiseUntil: string
}

export const newBudget = (scope: BudgetScope, target: string): BudgetValues => ({
  ...{ scope, target, model: '', quota: 0, period: 'month', rolling: false, zone: ownZone() },
  ...{ raise_quota: 0, raiseUntil: '' },
})

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** An expired raise is dropped. */
export const toValues = (budget: Budget): BudgetValues => {
  const { scope, target, model, quota, period, rolling, zone, raise_quota, raise_until } = budget
  const lasts = raise_until > nowSeconds()
  return {
    ...{ scope, target, model, quota, period, rolling, zone },
    raise_quota: lasts ? raise_quota : 0,
    raiseUntil: lasts ? formatTimestamp(raise_until) : '',
  }
}

export const isRaise = ({ raise_quota, raiseUntil }: Pick<BudgetValues, 'raise_quota' | 'raiseUntil'>) =>
  raise_quota === 0 || parseTimestamp(raiseUntil) !== undefined

/** The part of the body shared by both calls. */
export const toAmounts = ({ quota, period, rolling, zone, raise_quota, raiseUntil }: BudgetValues) => ({
  ...{ quota: Math.trunc(quota), period, rolling: rolling && period !== 'forever', zone },
  raise_quota: Math.trunc(raise_quota),
  raise_until: raise_quota === 0 ? 0 : (parseTimestamp(raiseUntil) ?? 0),
})

/** The current limit, including a raise. */
export const limitOf = ({ quota, raise_quota, raise_until }: Budget, now: number) =>
  now < raise_until ? quota + raise_quota : quota

/** Whole percents, and never 100 before everything is used. */
export const usedPercent = ({ used, held }: Budget, limit: number) =>
  limit === 0 ? 100 : Math.min(100, Math.floor(((used + held) / limit) * 100))

/** Its target as a reader calls it: a key with its owner, unless it is the reader's own. Empty when the target was deleted. */
export const targetOf = ({ target_name, owner }: Pick<Budget, 'target_name' | 'owner'>) =>
  target_name !== '' && owner !== '' ? `${target_name} · ${owner}` : target_name
