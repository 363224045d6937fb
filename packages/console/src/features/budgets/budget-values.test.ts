import { expect, test } from 'bun:test'
import type { Budget } from '@tollgate/contract'
import { formatTimestamp, nowSeconds } from '../../lib/format/time.ts'
import { isRaise, limitOf, newBudget, toAmounts, toValues, usedPercent } from './budget-values.ts'

const BUDGET: Budget = {
  ...{ id: 1, scope: 'key', target: '3', target_name: 'agents', owner: '', model: '', quota: 1000, period: 'day' },
  ...{ rolling: false, zone: 'UTC', raise_quota: 0, raise_until: 0, managed: false, created_time: 1 },
  ...{ used: 0, held: 0, renews_at: 0 },
}

test('a budget that is opened and saved unchanged is sent as it was', () => {
  const until = nowSeconds() + 3600
  const budget = { ...BUDGET, raise_quota: 50, raise_until: until }
  expect(toAmounts(toValues(budget))).toEqual({
    ...{ quota: 1000, period: 'day', rolling: false, zone: 'UTC', raise_quota: 50, raise_until: until },
  })
})

test('an expired raise is dropped, and one without an end is refused', () => {
  expect(toValues({ ...BUDGET, raise_quota: 50, raise_until: 5 })).toMatchObject({ raise_quota: 0, raiseUntil: '' })
  expect(isRaise({ raise_quota: 0, raiseUntil: '' })).toBe(true)
  expect(isRaise({ raise_quota: 5, raiseUntil: 'soon' })).toBe(false)
  expect(isRaise({ raise_quota: 5, raiseUntil: formatTimestamp(nowSeconds()) })).toBe(true)
})

test('a budget that never renews is not rolling', () => {
  expect(toAmounts({ ...newBudget('key', '3'), period: 'forever', rolling: true }).rolling).toBe(false)
})

test('usage is shown in whole percents of the current budget, and as 100 only when all of it is used', () => {
  const raised = { ...BUDGET, used: 990, held: 9, raise_quota: 1000, raise_until: 100 }
  expect(usedPercent(raised, limitOf(raised, 99))).toBe(49)
  expect(usedPercent(raised, limitOf(raised, 100))).toBe(99)
  expect(usedPercent({ ...raised, held: 10 }, 1000)).toBe(100)
  expect(usedPercent({ ...raised, held: 500 }, 1000)).toBe(100)
})
