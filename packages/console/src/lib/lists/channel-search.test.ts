import { expect, test } from 'bun:test'
import { channelSearch, countFilters, toFilter } from './channel-search.ts'

test('a URL selects channels; invalid parts are ignored', () => {
  const search = channelSearch.parse({
    page: '2',
    status: '3',
    failing: '10',
    test_failed: 'true',
    unpriced: 'true',
    without_key: 'true',
    model: 'gpt-4o',
  })
  expect(toFilter(search)).toEqual({
    ...{ status: 3, model: 'gpt-4o', failing: 10 },
    ...{ test_failed: 'true', unpriced: 'true', without_key: 'true' },
  })
  expect(toFilter(channelSearch.parse({ page: '2' }))).toEqual({})
  expect(countFilters(search)).toBe(6)
  expect(countFilters(channelSearch.parse({ page: '3', keyword: 'web' }))).toBe(0)
  expect(countFilters(channelSearch.parse({ status: '9', type: 'x', failing: '0', unpriced: 'no' }))).toBe(0)
})
