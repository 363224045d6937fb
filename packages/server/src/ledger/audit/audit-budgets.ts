import type { Db } from '../../database/client.ts'
import { claimsIn } from '../budget-claims.ts'
import type { Finding } from './report.ts'

const I14 = { invariant: 'I14', says: 'what a budget has set aside is the sum of the open holds that count against it' }

/** The claims of a hold are JSON, and open holds are few, so they are summed here. A removed budget has none. */
export const auditBudgets = async (view: Db): Promise<Finding[]> => {
  const holds = await view
    .selectFrom('holds')
    .select(['amount', 'budgets'])
    .where('state', '=', 0)
    .where('budgets', '<>', '')
    .execute()
  const usage = await view.selectFrom('budget_usage').select(['budget_id', 'slot', 'held']).execute()
  const expected = new Map<string, number>()
  for (const hold of holds) {
    for (const { id, slot } of claimsIn(hold.budgets)) {
      expected.set(`${id}:${slot}`, (expected.get(`${id}:${slot}`) ?? 0) + hold.amount)
    }
  }
  return usage.flatMap(({ budget_id, slot, held }): Finding[] => {
    const subject = `${budget_id}:${slot}`
    const sum = expected.get(subject) ?? 0
    return held === sum ? [] : [{ ...I14, subject: `budget ${subject}`, found: String(held), expected: String(sum) }]
  })
}
