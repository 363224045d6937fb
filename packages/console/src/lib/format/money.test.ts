import { expect, test } from 'bun:test'
import { formatQuota } from './money.tsx'

test('quota is shown in dollars with two decimals [R9.08]', () => {
  const settings = { quota_per_unit: 500_000, display_in_currency: true }
  expect(formatQuota(700_000, settings)).toBe('$1.40')
  expect(formatQuota(0, settings)).toBe('$0.00')
  expect(formatQuota(123, settings, 'exact')).toBe('$0.000246')
})

test('without currency display quota is a number [R9.08]', () => {
  const settings = { quota_per_unit: 500_000, display_in_currency: false }
  expect(formatQuota(700_000, settings)).toBe('700.0k')
  expect(formatQuota(700_000, settings, 'exact')).toBe('700,000')
})
