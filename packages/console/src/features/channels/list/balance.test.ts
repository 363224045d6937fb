import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { formatBalance } from './balance.ts'

test('a balance is shown in the unit of its channel type [R9.10]', () => {
  expect([1, 8].map((type) => formatBalance(type, 12.345))).toEqual(['$12.35', '$12.35'])
  expect(formatBalance(1, 12_345.6)).toBe('$12,345.60')
  expect([4, 12].map((type) => formatBalance(type, 7))).toEqual(['¥7.00', '¥7.00'])
  expect(formatBalance(5, 25_000)).toBe('¥2.50')
  expect([10, 13].map((type) => formatBalance(type, 12_500))).toEqual(['12.5k', '12.5k'])
})

test('vendors added later show their balance in their own currency', () => {
  expect([20, 55].map((type) => formatBalance(type, 7.5))).toEqual(['$7.50', '$7.50'])
  expect([36, 44].map((type) => formatBalance(type, 7.5))).toEqual(['¥7.50', '¥7.50'])
})

test('other types have no balance [R9.10]', () => {
  const supported = new Set([1, 8, 4, 12, 5, 10, 13, 20, 36, 44, 55])
  const others = CHANNEL_TYPES.filter(({ value }) => !supported.has(value))
  expect(others).toHaveLength(CHANNEL_TYPES.length - supported.size)
  expect(others.map(({ value }) => formatBalance(value, 1))).toEqual(others.map(() => undefined))
})
