import { expect, test } from 'bun:test'
import { neighbour } from './row-keys.ts'

test('down and up stop at the ends; without a selection, or from a removed row, they start at the top', () => {
  const ids = [7, 5, 3]
  expect(neighbour(ids, undefined, 1)).toBe(7)
  expect(neighbour(ids, 9, -1)).toBe(7)
  expect(neighbour(ids, 7, 1)).toBe(5)
  expect(neighbour(ids, 3, 1)).toBe(3)
  expect(neighbour(ids, 7, -1)).toBe(7)
  expect(neighbour([], undefined, 1)).toBeUndefined()
})
