import { expect, test } from 'bun:test'
import { createRecentItems } from './recent-items.ts'

const fixture = (charactersMax?: number) => {
  let now = 1_767_225_600_000
  const items = createRecentItems({ clock: { now: () => now }, ...(charactersMax !== undefined && { charactersMax }) })
  return { items, later: (ms: number) => (now += ms) }
}

const anItem = (id: string, text = 'hello') => ({ id, type: 'message', text })

test('an item can be referenced again by the caller who received it, and by nobody else', () => {
  const { items } = fixture()
  items.of(1).remember([anItem('msg_1')])
  expect(items.of(1).recall('msg_1')).toEqual(anItem('msg_1'))
  expect(items.of(2).recall('msg_1')).toBeUndefined()
  expect(items.of(1).recall('msg_2')).toBeUndefined()
})

test('an item is kept for an hour', () => {
  const { items, later } = fixture()
  items.of(1).remember([anItem('msg_1')])
  later(60 * 60 * 1000 - 1)
  expect(items.of(1).recall('msg_1')).toBeDefined()
  later(1)
  expect(items.of(1).recall('msg_1')).toBeUndefined()
})

test('the oldest are evicted when there is no more room', () => {
  const { items } = fixture(1500)
  const mine = items.of(1)
  for (const id of ['a', 'b', 'c', 'd', 'e']) mine.remember([anItem(id, 'x'.repeat(300))])
  expect(['a', 'b', 'c', 'd', 'e'].map((id) => mine.recall(id) !== undefined)).toEqual([false, true, true, true, true])
})

test('an item so large that it would evict the others is not kept', () => {
  const { items } = fixture(1500)
  items.of(1).remember([anItem('a')])
  items.of(2).remember([anItem('b', 'x'.repeat(1000))])
  expect([items.of(1).recall('a') !== undefined, items.of(2).recall('b') !== undefined]).toEqual([true, false])
})
