import { expect, test } from 'bun:test'
import type { RouteLevel } from '@tollgate/contract'
import { arrange, changesOf, type Edits, move, stepOf } from './route-order.ts'
import { channel, level } from './testing/a-route.ts'

const NONE: Edits = new Map()
const ids = (levels: RouteLevel[]) => levels.map(({ channels }) => channels.map((each) => each.channel))
const order = (levels: RouteLevel[], edits: Edits) => ids(arrange(levels, edits))
const before = (at: number) => ({ group: 'default', before: at })
const into = (at: number) => ({ group: 'default', level: at })

test('a typed weight changes the shares of its level at once; a cooling channel has none, and one with weight 0 waits', () => {
  const levels = [level(0, channel(1, { weight: 1 }), channel(2), channel(3, { weight: 5, reason: 'rate_limited' }))]
  const shares = (edits: Edits) => arrange(levels, edits).flatMap(({ channels }) => channels.map(({ share }) => share))
  expect(shares(NONE)).toEqual([1, 0, 0])
  expect(shares(new Map([[2, { priority: 0, weight: 3 }]]))).toEqual([0.25, 0.75, 0])
  expect(shares(new Map([[1, { priority: 0, weight: 0 }]]))).toEqual([0.5, 0.5, 0])
})

test('shares follow the policy: balanced prefers the better of two, and cheapest-first cannot be reordered', () => {
  const levels = [level(0, channel(1, { weight: 1, score: 900 }), channel(2, { weight: 1, score: 100 }))]
  const shares = (policy: 'balanced' | 'cheapest', edits: Edits = NONE) =>
    arrange(levels, edits, policy).map(({ channels }) => channels.map(({ share }) => share))
  expect(shares('balanced')).toEqual([[0.25, 0.75]])
  expect(shares('cheapest', new Map([[2, { priority: 9, weight: 3 }]]))).toEqual([[0.25, 0.75]])
})

test('a channel is moved into another level, or between two levels', () => {
  const levels = [level(10, channel(1), channel(2)), level(0, channel(3))]
  expect(order(levels, move(levels, NONE, 3, into(0)))).toEqual([[1, 2, 3]])
  expect(order(levels, move(levels, NONE, 2, before(1)))).toEqual([[1], [2], [3]])
  expect(order(levels, move(levels, NONE, 1, before(0)))).toEqual([[1], [2], [3]])
  expect(order(levels, move(levels, NONE, 1, before(2)))).toEqual([[2], [3], [1]])
  expect(move(levels, NONE, 2, before(1)).get(2)).toEqual({ priority: 5, weight: 0 })
})

test('if two levels have no number between them, as few as possible are renumbered', () => {
  const levels = [level(2, channel(1)), level(1, channel(2), channel(3)), level(0, channel(4), channel(5))]
  const edits = move(levels, NONE, 5, before(1))
  expect(order(levels, edits)).toEqual([[1], [5], [2, 3], [4]])
  expect([...edits.keys()].sort()).toEqual([1, 5])
  const lower = move(levels, NONE, 1, before(2))
  expect(order(levels, lower)).toEqual([[2, 3], [1], [4, 5]])
})

test('whatever is moved, all others keep their order', () => {
  const levels = [
    level(3, channel(1)),
    level(2, channel(2), channel(3)),
    level(1, channel(4)),
    level(-4, channel(5), channel(6), channel(7)),
  ]
  for (const id of [1, 2, 3, 4, 5, 6, 7]) {
    const others = ids(levels)
      .map((some) => some.filter((each) => each !== id))
      .filter((some) => some.length > 0)
    for (const target of [...[0, 1, 2, 3, 4].map(before), ...[0, 1, 2, 3].map(into)]) {
      const after = order(levels, move(levels, NONE, id, target))
      expect(after.map((some) => some.filter((each) => each !== id)).filter((some) => some.length > 0)).toEqual(others)
    }
  }
})

test('single steps lead from the bottom to the top, and no further', () => {
  const levels = [level(1, channel(1)), level(0, channel(2), channel(3))]
  let edits = NONE
  const seen: number[][][] = []
  for (let at = stepOf(levels, 3, 'up'); at !== undefined; at = stepOf(arrange(levels, edits), 3, 'up')) {
    edits = move(arrange(levels, edits), edits, 3, at)
    seen.push(order(levels, edits))
  }
  expect(seen).toEqual([
    [[1], [3], [2]],
    [[1, 3], [2]],
    [[3], [1], [2]],
  ])
  expect(stepOf(levels, 1, 'up')).toBeUndefined()
  expect(stepOf(levels, 99, 'down')).toBeUndefined()
})

test('only differences are saved, together with the values that were displayed', () => {
  const levels = [level(1, channel(1, { weight: 2 })), level(0, channel(2))]
  const there = move(levels, NONE, 2, into(0))
  expect(changesOf(levels, there)).toEqual([{ id: 2, priority: 1, weight: 0, seen: { priority: 0, weight: 0 } }])
  const back = move(arrange(levels, there), there, 2, before(1))
  expect(changesOf(levels, back)).toEqual([])
})

test('dragging does not move a channel out of its group', () => {
  const levels = [level(0, channel(1)), { ...level(0, channel(2)), group: 'vip' }]
  expect(move(levels, NONE, 1, { group: 'vip', level: 0 })).toBe(NONE)
})
