import { type BudgetPeriod, BudgetScope, type Text } from '@tollgate/contract'
import { GatewayError } from '../common/errors.ts'
import { type BudgetCalendar, calendarOf, renewalOf } from './budget-window.ts'
import type { StoredBudget } from './budgets-repository.ts'

/** Names the exhausted budget and when it renews. */
export function refusalOf(row: StoredBudget, now: number, amountText: (quota: number) => Text) {
  const calendar = calendarOf(row)
  const limit = now < row.raise_until ? row.quota + row.raise_quota : row.quota
  const scope = BudgetScope.parse(row.scope)
  // Another model may have a channel with budget left; the budgets of the caller bind whichever model answers.
  return new GatewayError(scope === 'channel' ? 'relay.channel_budget_spent' : 'relay.budget_spent', {
    scope: SCOPES[scope],
    period: periodName(calendar),
    model: row.model === '' ? EVERY_MODEL : { zh: `（模型 ${row.model}）`, en: ` for ${row.model}` },
    amount: amountText(limit),
    renewal: renewalText(calendar, now),
  })
}

const SCOPES: Record<BudgetScope, Text> = {
  key: { zh: '该密钥', en: 'this key' },
  user: { zh: '该账户', en: 'this account' },
  group: { zh: '该分组', en: 'this group' },
  channel: { zh: '该渠道', en: 'this channel' },
}

const PERIODS: Record<BudgetPeriod, Text> = {
  day: { zh: '每日', en: 'daily' },
  week: { zh: '每周', en: 'weekly' },
  month: { zh: '每月', en: 'monthly' },
  forever: { zh: '总', en: 'total' },
}

const ROLLING: Record<BudgetPeriod, Text> = {
  ...PERIODS,
  day: { zh: '最近 24 小时', en: '24-hour' },
  week: { zh: '最近 7 天', en: '7-day' },
  month: { zh: '最近 30 天', en: '30-day' },
}

export const periodName = ({ rolling, period }: BudgetCalendar) => (rolling ? ROLLING : PERIODS)[period]

const EVERY_MODEL: Text = { zh: '', en: '' }

function renewalText(calendar: BudgetCalendar, now: number): Text {
  const renews = renewalOf(calendar, now)
  if (calendar.period === 'forever') return { zh: '，请提高预算', en: ': it has to be raised' }
  if (renews === 0) return { zh: '，额度会随时间逐步恢复', en: ': it frees up as time passes' }
  // The Swedish date format is that of ISO 8601.
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: calendar.zone, dateStyle: 'short', timeStyle: 'short' })
  const moment = `${form.format(renews * 1000)} (${calendar.zone})`
  return { zh: `，将于 ${moment} 恢复`, en: `: it renews at ${moment}` }
}
