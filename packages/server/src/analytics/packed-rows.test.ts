import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { FIGURE_COLUMNS } from '../ledger/stores/usage-figures.ts'
import { type PackedRow, packRows, type Route, unpackRows } from './packed-rows.ts'

const figure = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  fc.nat(300),
  fc.nat(70_000),
  fc.integer({ min: -1_000_000, max: 2 ** 51 }),
)
const row: fc.Arbitrary<PackedRow> = fc.record({
  hour: fc.nat(95),
  route: fc.tuple(fc.constantFrom('', 'model-1', '模型 "2"', '😀'), fc.constantFrom(0, 1, 70_000)),
  key: fc.oneof(fc.constant(0), fc.nat(200), fc.nat(3_000_000)),
  sums: fc.array(figure, { minLength: FIGURE_COLUMNS.length, maxLength: FIGURE_COLUMNS.length }),
})

function rowsOf(bytes: Uint8Array): PackedRow[] {
  const packed = unpackRows(bytes)
  const routes: Route[] = JSON.parse(packed.routes)
  // What an earlier pack left in them must not matter.
  const [hours, routeOf, keys] = [0, 0, 0].map(() => new Int32Array(packed.length + 3).fill(7)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  packed.hours(hours)
  packed.routeOf(routeOf)
  packed.keys(keys)
  const sums = Array.from({ length: packed.length }, () => FIGURE_COLUMNS.map(() => 0))
  for (const column of FIGURE_COLUMNS.keys()) {
    const values = new Float64Array(packed.length + 3).fill(7)
    const listed = packed.figures(column, values) ?? Int32Array.from(sums.keys())
    for (const [place, at] of listed.entries()) sums[at]?.splice(column, 1, values[place] ?? 0)
  }
  return sums.map((some, at) => ({
    ...{ hour: hours[at] ?? 0, route: routes[routeOf[at] ?? 0] ?? ['', 0], key: keys[at] ?? 0, sums: some },
  }))
}

test('every number of packed rows comes back, also one below zero, and wherever the bytes begin', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 40 }), fc.nat(9), (rows, offset) => {
      const packed = packRows(rows)
      const moved = new Uint8Array(packed.length + offset)
      moved.set(packed, offset)
      expect(rowsOf(moved.subarray(offset))).toEqual(rows)
    }),
  )
})

test('some rows of a column are those of all its rows', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 40 }),
      fc.uniqueArray(fc.nat(39), { maxLength: 9 }),
      (rows, wanted) => {
        const packed = unpackRows(packRows(rows))
        const some = Int32Array.from(wanted.filter((one) => one < rows.length))
        for (const column of FIGURE_COLUMNS.keys()) {
          const all = new Float64Array(rows.length)
          const few = new Float64Array(rows.length)
          const listed = packed.figures(column, all)
          expect(packed.someFigures(column, some, some.length, few)).toEqual(listed)
          const expected =
            listed === undefined ? [...some].map((one) => all[one] ?? 0) : [...all.subarray(0, listed.length)]
          expect([...few.subarray(0, expected.length)]).toEqual(expected)
        }
      },
    ),
  )
})
