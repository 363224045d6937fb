import { expect, test } from 'bun:test'
import { userTokenSearch } from '../../../lib/lists/user-token-search.ts'
import { countFilters, toFilter } from './user-token-filter.ts'

const NOW = 1_900_000_000
const ALL = { used_after: 0, used_before: 0, order: '' as const }
const HOUR_BEGAN = NOW - (NOW % 3600)

test('a URL is the filter of the server: what it leaves out is not sent', () => {
  expect(toFilter(userTokenSearch.parse({}), NOW)).toEqual(ALL)
  const search = userTokenSearch.parse({ page: '2', owner: 17, model: 'o3', status: '5', used: 'week', keyword: 'web' })
  const filter = { ...ALL, owner: '17', model: 'o3', status: 5, keyword: 'web', used_after: HOUR_BEGAN - 7 * 86_400 }
  expect<object>(toFilter(search, NOW)).toEqual(filter)
  expect(countFilters(search)).toBe(4)
  expect<object>(toFilter({ used: 'not_quarter' }, NOW)).toEqual({ ...ALL, used_before: HOUR_BEGAN - 90 * 86_400 })
})

test('invalid values in a URL are ignored', () => {
  const search = userTokenSearch.parse({ status: '9', used: 'sometimes', order: 'key_hash', page: '-1' })
  expect(toFilter(search, NOW)).toEqual(ALL)
  expect(countFilters(search)).toBe(0)
})
