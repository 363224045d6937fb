import { expect, test } from 'bun:test'
import { QUOTA_MAX } from '@tollgate/contract'
import fc from 'fast-check'
import { quotaOf, typedDollars } from './typed-money.ts'

test('money is typed as money and kept as quota', () => {
  expect(typedDollars(500_000, 500_000)).toBe('1')
  expect(typedDollars(123, 500_000)).toBe('0.000246')
  expect(typedDollars(50_000_000, 500_000)).toBe('100')
  expect(quotaOf('1.5', 500_000)).toBe(750_000)
  expect(['', '.', 'abc'].map((text) => quotaOf(text, 500_000))).toEqual([0, 0, 0])
})

test('a field that nobody touched gives back the very quota it was given', () => {
  const rate = fc.oneof(fc.constantFrom(0.01, 1, 100, 500_000, 1_000_000), fc.integer({ min: 1, max: 3_000_000 }))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: QUOTA_MAX / 1000 }), rate, (quota, perUnit) => {
      expect(quotaOf(typedDollars(quota, perUnit), perUnit)).toBe(quota)
    }),
    { numRuns: 2000 },
  )
})
