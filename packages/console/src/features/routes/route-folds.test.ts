import { expect, test } from 'bun:test'
import type { RouteLevel } from '@tollgate/contract'
import { SHOWN_OF_ALL, SHOWN_OF_FIRST, SHOWN_OF_LATER, shownOf } from './route-folds.ts'
import { channel, level } from './testing/a-route.ts'

const many = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => channel(from + index, { share: index / 100 }))
const ids = (levels: readonly RouteLevel[], folds: Partial<Parameters<typeof shownOf>[1]> = {}) =>
  shownOf(levels, { isOpen: () => false, isTouched: () => false, ...folds }).map((shown) =>
    shown.map((each) => each.channel),
  )

test('a short route is shown whole', () => {
  expect(ids([level(1, channel(1), channel(2)), level(0, channel(3))])).toEqual([[1, 2], [3]])
})

test('of a long level the channels with the largest shares are shown, in its order, and all on request', () => {
  const levels = [level(0, ...many(1, 25))]
  expect(ids(levels)).toEqual([[16, 17, 18, 19, 20, 21, 22, 23, 24, 25]])
  expect(ids(levels, { isOpen: () => true })[0]).toHaveLength(25)
})

test('a channel that was just moved is in sight, wherever it went', () => {
  const levels = Array.from({ length: 10 }, (_, index) => level(-index, ...many(index * 100, 20)))
  const shown = ids(levels, { isTouched: (id) => id === 1 || id === 903 })
  expect(shown[0]).toContain(1)
  expect(shown[9]).toEqual([903])
})

test('however many channels there are, the page begins with a bounded number of cards', () => {
  const levels = Array.from({ length: 30 }, (_, index) => level(-index, ...many(index * 100, 20)))
  const shown = ids(levels)
  expect(shown.flat()).toHaveLength(SHOWN_OF_ALL)
  expect(shown[0]).toHaveLength(SHOWN_OF_FIRST)
  expect(shown[1]).toHaveLength(SHOWN_OF_LATER)
  expect(shown.at(-1)).toEqual([])
})
