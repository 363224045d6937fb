import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { emptyHistogram, type Histogram } from './histogram.ts'
import { createLatencyAdder, type NamedCounts, packLatencies } from './packed-latencies.ts'
import type { Route } from './packed-rows.ts'

const counts = fc
  .uniqueArray(fc.tuple(fc.nat(299), fc.integer({ min: 1, max: 2 ** 40 })), {
    minLength: 1,
    selector: ([bucket]) => bucket,
  })
  .map((pairs) => new Map(pairs))
const route = fc.tuple(fc.constantFrom('', 'model-1', '模型 "2"'), fc.constantFrom(0, 1, 70_000))
const rows: fc.Arbitrary<NamedCounts[]> = fc.uniqueArray(fc.record({ day: fc.nat(3), route, counts }), {
  selector: ({ day, route: names }) => `${day} ${names}`,
  maxLength: 20,
})

test('counts are unchanged by packing, whatever was read before, and are subtracted as they are added', () => {
  const add = createLatencyAdder()
  fc.assert(
    fc.property(rows, (given) => {
      const found = new Map<string, Histogram>()
      const read = (sign: 1 | -1) =>
        add(packLatencies(given), (routes: readonly Route[]) => (day, place) => {
          const name = `${day} ${JSON.stringify(routes[place])}`
          const histogram = found.get(name) ?? emptyHistogram()
          found.set(name, histogram)
          return [{ histogram, sign }]
        })
      read(1)
      const told = [...found].map(([name, histogram]) => [
        name,
        [...histogram.entries()].filter(([, count]) => count !== 0),
      ])
      const right = given.map(({ day, route: names, counts: ofDay }) => [
        `${day} ${JSON.stringify(names)}`,
        [...ofDay].sort(([one], [other]) => one - other),
      ])
      expect(told.sort()).toEqual(right.sort())
      read(-1)
      expect([...found.values()].every((histogram) => histogram.every((count) => count === 0))).toBe(true)
    }),
  )
})
