import { expect, test } from 'bun:test'
import { listSearch, pageIndex } from './list-search.ts'

test('the second page of the URL is page 1 of the server [R4.26]', () => {
  expect(pageIndex(listSearch.parse({ page: '2' }))).toBe(1)
  expect(pageIndex(listSearch.parse({}))).toBe(0)
})

test.each(['0', '-3', 'two', '1.5'])('page %p is the first page', (page) => {
  expect(pageIndex(listSearch.parse({ page }))).toBe(0)
})
