import { expect, test } from 'bun:test'
import { formatTimestamp } from '../../lib/format/time.ts'
import {
  countFilters,
  filterErrors,
  isFiltered,
  rangeOf,
  toAdminQuery,
  toQuery,
  toSearch,
  toValues,
  typedSince,
} from './log-filter.ts'

const NOW = 1_800_000_000
const empty = toValues({}, NOW)

test('without a filter the range is open at the start and ends one hour ahead [R2.96]', () => {
  expect(toQuery({}, NOW)).toEqual({
    type: 0,
    token_name: '',
    model_name: '',
    session: '',
    request_id: '',
    no_model: '',
    offered: '',
    no_token: '',
    outcome: '',
    min_quota: 0,
    min_elapsed: 0,
    stream: '',
    start_timestamp: 0,
    end_timestamp: NOW + 3600,
  })
  expect(empty).toMatchObject({ start: '', end: formatTimestamp(NOW + 3600) })
})

test('only the query of an administrator has a channel, a username and a group [R6.03 R6.05]', () => {
  const search = { username: 'bob', group: 'vip', no_group: 'true' as const, channel: 3 }
  for (const name of Object.keys(search)) expect(toQuery(search, NOW)).not.toHaveProperty(name)
  expect(toAdminQuery(search, NOW)).toMatchObject(search)
  // The server's 0 means all; here it means that there was none.
  expect(toAdminQuery({ channel: 0 }, NOW).channel).toBe(-1)
  expect([toAdminQuery({}, NOW).channel, toSearch({ ...empty, channel: '0' }, empty.end).channel]).toEqual([0, 0])
})

test('typed values become a URL and are read back from it [R2.95]', () => {
  const search = {
    type: 2,
    token_name: 'prod',
    model_name: 'gpt-4o',
    session: 's-1',
    request_id: '0199b4c2-7a10-7abc-8def-0123456789ab',
    username: 'alice',
    group: '企业客户',
    channel: 12,
    outcome: 'timeout' as const,
    min_quota: 250_000,
    min_elapsed: 1500,
    stream: 'true' as const,
    start: NOW - 100,
    end: NOW,
  }
  expect(toSearch(toValues(search, NOW), empty.end)).toEqual(search)
  // As the user types it: half a dollar, and one and a half seconds.
  expect(toValues(search, NOW, 500_000)).toMatchObject({ min_quota: '0.5', min_elapsed: '1.5' })
  expect(toSearch(toValues(search, NOW, 500_000), empty.end, 500_000)).toEqual(search)
})

test('names that are empty are a filter too, until a name is typed', () => {
  const search = { no_model: 'true', no_token: 'true', no_group: 'true' } as const
  const values = toValues(search, NOW)
  expect(toSearch(values, empty.end)).toEqual(search)
  expect(toAdminQuery(search, NOW)).toMatchObject({ ...search, model_name: '', token_name: '' })
  expect(toSearch({ ...values, model_name: 'gpt', group: 'vip' }, empty.end)).toEqual({
    ...{ model_name: 'gpt', group: 'vip', no_token: 'true' },
  })
})

test('a user named by a link is found under former names too, until another name is typed', () => {
  const search = { username: 'bob', user_id: 7 }
  expect(toAdminQuery(search, NOW)).toMatchObject({ username: '', user_id: 7 })
  expect(toAdminQuery({ username: 'bob' }, NOW)).toMatchObject({ username: 'bob', user_id: 0 })
  expect(toQuery(search, NOW)).not.toHaveProperty('user_id')
  const values = toValues(search, NOW)
  expect(toSearch(values, empty.end)).toEqual(search)
  expect(countFilters(search)).toBe(1)
  // An id without the name would be a filter that nobody sees.
  expect(toSearch({ ...values, username: '' }, empty.end)).toEqual({})
  expect(toAdminQuery({ user_id: 7 }, NOW)).toMatchObject({ username: '', user_id: 0 })
})

test('an untouched or emptied end is not part of the URL', () => {
  expect(toSearch(empty, empty.end)).toEqual({})
  expect(toSearch({ ...empty, end: '' }, empty.end).end).toBeUndefined()
})

test('an invalid time, an end before the start and an invalid channel id are refused', () => {
  expect(filterErrors(empty)).toEqual({})
  expect(filterErrors({ ...empty, start: 'soon', end: '2026-02-30' })).toEqual({ start: 'badTime', end: 'badTime' })
  expect(filterErrors({ ...empty, start: '2026-02-02', end: '2026-02-01' })).toEqual({ end: 'endBeforeStart' })
  for (const channel of ['00', '-1', '1.5', 'x'])
    expect(filterErrors({ ...empty, channel })).toEqual({ channel: 'badChannel' })
  expect(filterErrors({ ...empty, min_quota: '-1', min_elapsed: 'long' })).toEqual({
    min_quota: 'badNumber',
    min_elapsed: 'badNumber',
  })
})

test('quick ranges reach back an hour, to midnight, 7 days, 30 days, and without end [R2.96]', () => {
  expect(rangeOf('hour', NOW)).toEqual({ start: NOW - 3600 })
  expect(formatTimestamp(rangeOf('today', NOW).start ?? 0)).toEndWith(' 00:00:00')
  expect(rangeOf('week', NOW)).toEqual({ start: NOW - 604_800 })
  expect(rangeOf('month', NOW)).toEqual({ start: NOW - 2_592_000 })
  expect(rangeOf('allTime', NOW)).toEqual({})
})

test('yesterday is the whole day before this one', () => {
  const { start = 0, end = 0 } = rangeOf('yesterday', NOW)
  expect([start, end].map((at) => formatTimestamp(at).slice(11))).toEqual(['00:00:00', '23:59:59'])
  expect(end).toBe((rangeOf('today', NOW).start ?? 0) - 1)
})

test('a time range filters, but is not counted among the hidden fields', () => {
  expect(countFilters({ start: 1, type: 2, channel: 1 })).toBe(2)
  expect([{}, { start: 1 }, { type: 1 }].map(isFiltered)).toEqual([false, true, true])
})

test('what is typed while a filter is on its way to the URL is kept, and what was sent is not', () => {
  const sent = toValues({ channel: 3, model_name: 'o3' }, NOW)
  expect(typedSince(sent, sent)).toEqual({})
  expect(typedSince(sent, { ...sent, username: 'ali', model_name: '', end: '' })).toEqual({
    username: 'ali',
    model_name: '',
  })
})
