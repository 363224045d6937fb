import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { addKeyHours, type KeyHour, packKeyHours } from './packed-keys.ts'

const figure = fc.oneof(fc.constant(0), fc.nat(300), fc.integer({ min: -1_000_000, max: 2 ** 51 }))
const keyHour = fc.record({
  hour: fc.nat(23),
  key: fc.integer({ min: 1, max: 3_000_000 }),
  sums: fc.array(figure, { minLength: FIGURE_COLUMNS.length, maxLength: FIGURE_COLUMNS.length }),
})

test('every figure of a packed day is added to the sums of its hour and key, also one below zero', () => {
  fc.assert(
    fc.property(fc.array(keyHour), (hours) => {
      const found: KeyHour[] = []
      addKeyHours(packKeyHours(hours), (hour, key) => {
        const sums = FIGURE_COLUMNS.map(() => 0)
        found.push({ hour, key, sums })
        return sums
      })
      expect(found).toEqual(hours)
    }),
  )
})

test('an hour without sums is skipped as a whole', () => {
  const sums = [1, 1]
  const packed = packKeyHours([
    { hour: 3, key: 500, sums: [70_000, -5] },
    { hour: 4, key: 2, sums: [0, 6] },
  ])
  addKeyHours(packed, (hour) => (hour === 4 ? sums : undefined))
  expect(sums).toEqual([1, 7])
})
