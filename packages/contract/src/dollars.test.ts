import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { centsText, dollarText } from './dollars.ts'
import { QUOTA_MAX } from './quota.ts'

const RATE = 500_000

test('an amount has two decimals, separators and a half-width dollar sign [R9.08]', () => {
  expect(dollarText(700_000, RATE)).toBe('$1.40')
  expect(dollarText(0, RATE)).toBe('$0.00')
  expect(dollarText(100_000_000_000_000, RATE)).toBe('$200,000,000.00')
  expect(centsText(1_234_567.891, '$')).toBe('$1,234,567.89')
  expect(centsText(-0.5, '¥')).toBe('-¥0.50')
})

test('an amount above zero never reads as free', () => {
  expect(dollarText(1, RATE)).toBe('<$0.01')
  expect(dollarText(2_499, RATE)).toBe('<$0.01')
  expect(dollarText(2_501, RATE)).toBe('$0.01')
  expect(dollarText(1, RATE, 4)).toBe('<$0.0001')
  expect(dollarText(1, RATE, 0)).toBe('<$1')
})

test('a debt has its sign before the dollar sign', () => {
  expect(dollarText(-250_000, RATE)).toBe('-$0.50')
  expect(dollarText(-1, RATE)).toBe('>-$0.01')
})

test('amounts below a cent are shown with two significant digits', () => {
  const fine = (quota: number) => dollarText(quota, RATE, 'fine')
  expect([0, 1, 123, 200, 5_000, 61_728, 500_000].map(fine)).toEqual([
    ...['$0.00', '$0.000002', '$0.00025', '$0.0004', '$0.01', '$0.12', '$1.00'],
  ])
})

test('an exact amount has every digit, and no zeros beyond the cents', () => {
  const exact = (quota: number) => dollarText(quota, RATE, 'exact')
  expect([0, 1, 123, 250_000, 617_283_951].map(exact)).toEqual([
    ...['$0.00', '$0.000002', '$0.000246', '$0.50', '$1,234.567902'],
  ])
})

const quota = fc.integer({ min: -QUOTA_MAX, max: QUOTA_MAX })
const small = fc.integer({ min: -1_000_000, max: 1_000_000 })
const rate = fc.constantFrom(1, 100, 7_300, 500_000, 3_000_000)
const precision = fc.constantFrom('cents' as const, 'fine' as const, 'exact' as const, 0, 2, 6)

test('every exact amount is money: a sign, a dollar sign, groups of three, digits', () => {
  fc.assert(
    fc.property(fc.oneof(quota, small), rate, precision, (amount, perUnit, how) => {
      const text = dollarText(amount, perUnit, how)
      expect(text).toMatch(/^(<|>?-)?\$\d{1,3}(,\d{3})*(\.\d+)?$/)
      expect(text.includes('-')).toBe(amount < 0)
      // Only zero is displayed as zero.
      expect(/[1-9]/.test(text)).toBe(amount !== 0)
    }),
  )
})

test('what is shown equals the amount, to the shown precision', () => {
  fc.assert(
    fc.property(fc.oneof(quota, small), rate, (amount, perUnit) => {
      const number = (text: string) => Number(text.replace(/[<>$,]/g, ''))
      const worth = amount / perUnit
      expect(Math.abs(number(dollarText(amount, perUnit)) - worth)).toBeLessThanOrEqual(0.01)
      const wanted = Math.abs(worth) * 1e-11
      expect(Math.abs(number(dollarText(amount, perUnit, 'exact')) - worth)).toBeLessThanOrEqual(
        Math.max(wanted, 1e-30),
      )
      const fine = Math.max(Math.abs(worth) * 0.05, 0)
      expect(Math.abs(number(dollarText(amount, perUnit, 'fine')) - worth)).toBeLessThanOrEqual(Math.min(fine, 0.005))
    }),
  )
})
