import { expect, test } from 'bun:test'
import { formatDollars, formatQuota } from './money.tsx'

test('quota is shown in dollars with two decimals [R9.08]', () => {
  const settings = { quota_per_unit: 500_000, display_in_currency: true }
  expect(formatQuota(700_000, settings)).toBe('$1.40')
  expect(formatQuota(0, settings)).toBe('$0.00')
  expect(formatQuota(123, settings, 6)).toBe('$0.000246')
})

test('without currency display quota is a number [R9.08]', () => {
  expect(formatQuota(700_000, { quota_per_unit: 500_000, display_in_currency: false })).toBe('700.0k')
})

test('a debt has its sign before the dollar, and nothing owed has none', () => {
  expect(formatDollars(-250_000, 500_000)).toBe('-$0.50')
  expect(formatDollars(-1, 500_000)).toBe('$0.00')
})
