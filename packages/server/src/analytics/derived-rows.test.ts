import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { callersOf, routesUntil } from './derived-rows.ts'
import type { PackedRow } from './packed-rows.ts'

const row: fc.Arbitrary<PackedRow> = fc.record({
  hour: fc.nat(95),
  route: fc.tuple(fc.constantFrom('', 'a', 'b 1'), fc.constantFrom(0, 1, 2)),
  key: fc.nat(5),
  sums: fc.array(fc.integer({ min: -50, max: 1000 }), {
    minLength: FIGURE_COLUMNS.length,
    maxLength: FIGURE_COLUMNS.length,
  }),
})

const sumOf = (rows: readonly PackedRow[]) =>
  FIGURE_COLUMNS.map((_, column) => rows.reduce((sum, { sums }) => sum + (sums[column] ?? 0), 0))

test('what was counted until an hour is the sum of the hours of the day before it, by model and channel', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), (rows) => {
      const all = [...routesUntil(rows)]
      expect(all.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour + 1))
      for (const { hour, rows: until } of all)
        for (const { route, hour: day, sums } of until) {
          const own = rows.filter(
            (one) => String(one.route) === String(route) && one.hour >= day && one.hour < day + hour,
          )
          expect(sums).toEqual(sumOf(own))
        }
      expect(sumOf(all.at(-1)?.rows ?? [])).toEqual(sumOf(rows))
    }),
  )
})

test('callers are named once, with or without what they called', () => {
  const call = (key: number, model: string) => ({ hour: key, route: [model, 1] as const, key, sums: [1] })
  const rows = [call(1, 'a'), call(1, 'a'), call(1, 'b'), call(2, 'a')]
  expect(callersOf(rows, true)).toEqual([
    { hour: 0, route: ['a', 1], key: 1, sums: [] },
    { hour: 0, route: ['b', 1], key: 1, sums: [] },
    { hour: 0, route: ['a', 1], key: 2, sums: [] },
  ])
  expect(callersOf(rows, false).map(({ key, route }) => [key, ...route])).toEqual([
    [1, '', 0],
    [2, '', 0],
  ])
})
