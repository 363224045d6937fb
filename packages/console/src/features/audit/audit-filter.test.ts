import { expect, test } from 'bun:test'
import { countFilters, toAuditFilter } from './audit-filter.ts'

const NOON = Date.UTC(2026, 10, 19, 12) / 1000
const NONE = { target: '', noun: '', actor: '', start: 0 }

test('a URL without filters asks for all entries, and each filter for its part', () => {
  expect(toAuditFilter({}, NOON)).toEqual(NONE)
  expect(toAuditFilter({ noun: 'nonsense', since: 'ever' }, NOON)).toEqual(NONE)
  expect(toAuditFilter({ keyword: 'main', noun: 'channel', actor: 'bob', page: 2 }, NOON)).toEqual({
    ...{ target: 'main', noun: 'channel', actor: 'bob', start: 0 },
  })
  expect(countFilters({ keyword: 'main', noun: 'channel', actor: 'bob' })).toBe(2)
})

test('a time begins a number of days before the current hour, so that it stays the same query within an hour', () => {
  const starts = (['day', 'week', 'month'] as const).map((since) => toAuditFilter({ since }, NOON + 1799).start)
  expect(starts).toEqual([1, 7, 30].map((days) => NOON - days * 86_400))
})
