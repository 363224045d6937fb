import { expect, test } from 'bun:test'
import { QUOTA_MAX } from '@tollgate/contract'
import fc from 'fast-check'
import { quotaOf } from './typed-money.ts'

test('money is typed as money and stored as quota', () => {
  expect(quotaOf(1.5, 500_000)).toBe(750_000)
  expect(quotaOf(0.000246, 500_000)).toBe(123)
  expect(quotaOf('', 500_000)).toBe(0)
  expect(quotaOf(Number.POSITIVE_INFINITY, 500_000)).toBe(0)
})

test('an unchanged amount returns exactly the quota it was made from', () => {
  const rate = fc.oneof(fc.constantFrom(0.01, 1, 100, 500_000, 1_000_000), fc.integer({ min: 1, max: 3_000_000 }))
  fc.assert(
    fc.property(fc.integer({ min: 0, max: QUOTA_MAX / 1000 }), rate, (quota, perUnit) => {
      expect(quotaOf(quota / perUnit, perUnit)).toBe(quota)
    }),
    { numRuns: 2000, seed: 7 },
  )
})
