import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { formatExact, formatNumber } from './numbers.ts'

test('numbers from ten thousand on are shortened to one decimal [R9.07]', () => {
  expect([0, 7, 9_999].map(formatNumber)).toEqual(['0', '7', '9,999'])
  expect(formatNumber(10_000)).toBe('10.0k')
  expect(formatNumber(999_949)).toBe('999.9k')
  expect(formatNumber(1_000_000)).toBe('1.0M')
  expect(formatNumber(2_500_000)).toBe('2.5M')
  expect(formatNumber(1_000_000_000)).toBe('1.0B')
  expect(formatNumber(7_250_000_000_000)).toBe('7,250.0B')
})

test('a number that rounds up to the next unit is shown in that unit [R9.07]', () => {
  expect([9_999.6, 999_950, 999_999].map(formatNumber)).toEqual(['10.0k', '1.0M', '1.0M'])
  expect([999_949_999, 999_950_000].map(formatNumber)).toEqual(['999.9M', '1.0B'])
})

test('a debt is shortened like a balance', () => {
  expect(formatNumber(-12_000)).toBe('-12.0k')
  expect(formatNumber(-999_950)).toBe('-1.0M')
  expect(formatNumber(-5)).toBe('-5')
})

test('an exact number keeps every digit', () => {
  expect(formatExact(1_234_567)).toBe('1,234,567')
})

const SIZE = { '': 1, k: 1e3, M: 1e6, B: 1e9 } as const
const SHAPE = /^(-?)([\d,.]+)([kMB]?)$/

const parsed = (text: string) => {
  const [, sign = '', digits = '', suffix = ''] = SHAPE.exec(text) ?? []
  const unit = SIZE[suffix as keyof typeof SIZE]
  return {
    shown: Number(digits.replaceAll(',', '')),
    value: Number(`${sign}1`) * Number(digits.replaceAll(',', '')) * unit,
    unit,
  }
}

const numbers = fc.oneof(
  fc.integer({ min: -2e15, max: 2e15 }),
  fc.integer({ min: -20_000, max: 20_000 }),
  fc.integer({ min: 900_000, max: 1_100_000 }),
  fc.integer({ min: 900_000_000, max: 1_100_000_000 }),
)

test('a shortened number is off by at most half of its last digit, and never reaches the next unit', () => {
  fc.assert(
    fc.property(numbers, (value) => {
      const { shown, value: read, unit } = parsed(formatNumber(value))
      expect(Math.abs(read - value)).toBeLessThanOrEqual(unit === 1 ? 0 : unit * 0.0501)
      if (unit === 1) expect(shown).toBeLessThan(10_000)
      if (unit === 1e3 || unit === 1e6) expect(shown).toBeLessThan(1000)
    }),
    { numRuns: 2000 },
  )
})

test('the larger of two numbers never reads as less', () => {
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one]
      expect(parsed(formatNumber(less)).value).toBeLessThanOrEqual(parsed(formatNumber(more)).value)
    }),
    { numRuns: 2000 },
  )
})
