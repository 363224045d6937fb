import { expect, test } from 'bun:test'
import { formatExact, formatNumber } from './numbers.ts'

test('numbers from ten thousand on are shortened to one decimal [R9.07]', () => {
  expect([0, 7, 9_999].map(formatNumber)).toEqual(['0', '7', '9999'])
  expect(formatNumber(10_000)).toBe('10.0k')
  expect(formatNumber(999_949)).toBe('999.9k')
  expect(formatNumber(1_000_000)).toBe('1.0M')
  expect(formatNumber(2_500_000)).toBe('2.5M')
  expect(formatNumber(1_000_000_000)).toBe('1.0B')
  expect(formatNumber(7_250_000_000_000)).toBe('7250.0B')
})

test('a debt is shortened like a balance', () => {
  expect(formatNumber(-12_000)).toBe('-12.0k')
  expect(formatNumber(-5)).toBe('-5')
})

test('an exact number keeps every digit', () => {
  expect(formatExact(1_234_567)).toBe('1,234,567')
})
