import { expect, test } from 'bun:test'
import { parseSorting, sorted, sortingText } from './sorting.ts'

const columns = [{ key: 'size', compare: (a: number, b: number) => a - b }, { key: 'name' }]

test('a sorting survives the address', () => {
  for (const sorting of [
    { key: 'quota', descending: false },
    { key: 'used_quota', descending: true },
  ]) {
    expect(parseSorting(sortingText(sorting))).toEqual(sorting)
  }
  expect(parseSorting(undefined)).toBeUndefined()
  expect(parseSorting('')).toBeUndefined()
})

test('rows are ordered both ways and left alone by a column that cannot be compared', () => {
  expect(sorted([2, 1, 3], columns, { key: 'size', descending: false })).toEqual([1, 2, 3])
  expect(sorted([2, 1, 3], columns, { key: 'size', descending: true })).toEqual([3, 2, 1])
  expect(sorted([2, 1, 3], columns, { key: 'name', descending: true })).toEqual([2, 1, 3])
  expect(sorted([2, 1, 3], columns, undefined)).toEqual([2, 1, 3])
})
