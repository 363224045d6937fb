import { expect, test } from 'bun:test'
import { parseSearch, stringifySearch } from './search-params.ts'

test('digits stay text, so that no code loses leading zeros', () => {
  expect(parseSearch('?code=0012345678901234567890&state=1e5')).toEqual({
    code: '0012345678901234567890',
    state: '1e5',
  })
})

test('a URL contains only what differs from the default', () => {
  expect(stringifySearch({ page: 2, keyword: 'a b', order: undefined, empty: '' })).toBe('?page=2&keyword=a+b')
  expect(stringifySearch({})).toBe('')
})
