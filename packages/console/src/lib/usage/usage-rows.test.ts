import { expect, test } from 'bun:test'
import type { AnalyticsRow } from '@tollgate/contract'
import { keyIn, largestFirst, REST, rowFilter, tableRows } from './usage-rows.ts'

type Named = Parameters<typeof rowFilter>[0]
const row = (named: Partial<Named>): Named => ({ other: false, ...named })

test('two keys with the same name are different, and combined rows have no name', () => {
  expect(keyIn(row({ key: 'default', user: 'alice' }), 'key')).not.toBe(
    keyIn(row({ key: 'default', user: 'bob' }), 'key'),
  )
  expect(keyIn(row({ key: 'a b', user: 'c' }), 'key')).not.toBe(keyIn(row({ key: 'a', user: 'b c' }), 'key'))
  expect(keyIn(row({ other: true }), 'model')).toBe(REST)
  expect(keyIn(row({ model: 'rest' }), 'model')).not.toBe(REST)
  const others = row({ other: true, user: 'bob' })
  expect([keyIn(others, 'user'), keyIn(others, 'model')]).toEqual([keyIn(row({ user: 'bob' }), 'user'), REST])
})

test('a row can be filtered by, unless it stands for many or for nothing', () => {
  expect(rowFilter(row({ model: 'gpt-4.1' }), 'model')).toEqual({ model: 'gpt-4.1' })
  expect(rowFilter(row({ key: 'web', user: 'bob' }), 'key')).toEqual({ key: 'web', user: 'bob' })
  // The filter of one user's own usage stays.
  expect({ user: 'bob', ...rowFilter(row({ key: 'web' }), 'key') }).toEqual({ key: 'web', user: 'bob' })
  expect(rowFilter(row({ channel: 3 }), 'channel')).toEqual({ channel: 3 })
  expect(rowFilter(row({ other: true }), 'model')).toBeUndefined()
  expect(rowFilter(row({ other: true, user: 'bob' }), 'user')).toEqual({ user: 'bob' })
  expect(rowFilter(row({ model: '' }), 'model')).toEqual({ no_model: 'true' })
  expect(rowFilter(row({ key: '', user: 'bob' }), 'key')).toEqual({ no_key: 'true', user: 'bob' })
  expect(rowFilter(row({ group: '' }), 'group')).toEqual({ no_group: 'true' })
  expect(rowFilter(row({ user: '' }), 'user')).toBeUndefined()
  expect(rowFilter(row({ channel: 0 }), 'channel')).toEqual({ channel: 0 })
})

test('a table begins with the newest time or the first name, and each of them with its largest row', () => {
  const counted = (named: Partial<Named>, calls: number) => ({ ...row(named), calls }) as AnalyticsRow
  const callsIn = (rows: AnalyticsRow[], by: Parameters<typeof tableRows>[0]['by']) =>
    tableRows({ rows, by }, 'calls').map(({ calls }) => calls)
  const ofUsers = [
    counted({ user: 'bob', model: 'a' }, 1),
    counted({ user: 'bob', model: 'b' }, 3),
    counted({ user: 'bob', other: true }, 9),
    counted({ user: 'ann', model: 'a' }, 7),
    counted({ other: true }, 8),
  ]
  expect(callsIn(ofUsers, ['user', 'model'])).toEqual([3, 1, 9, 7, 8])
  const ofTimes = [
    counted({ time: 1, model: 'a' }, 5),
    counted({ time: 2, model: 'a' }, 1),
    counted({ time: 2, model: 'b' }, 2),
  ]
  expect(callsIn(ofTimes, ['time', 'model'])).toEqual([2, 1, 5])
  expect(callsIn([counted({ model: 'a' }, 1), counted({ model: 'b' }, 2)], ['model'])).toEqual([2, 1])
})

test('bars of amounts are ordered by them, bars of shares and times as the server ranked them, and the table has the order of its chart', () => {
  const of = (model: string, calls: number, failed: number) => ({ ...row({ model }), calls, failed }) as AnalyticsRow
  const usage = { rows: [of('a', 9, 3), of('b', 2, 2), of('c', 20, 0)], by: ['model' as const] }
  const order = (metric: 'calls' | 'failed' | 'failed_share') => [
    largestFirst(usage, metric).join(''),
    tableRows(usage, metric)
      .map(({ model }) => `=${model}`)
      .join(''),
  ]
  expect(order('calls')).toEqual(['=c=a=b', '=c=a=b'])
  expect(order('failed')).toEqual(['=a=b=c', '=a=b=c'])
  expect(order('failed_share')).toEqual(['=a=b=c', '=a=b=c'])
  const combined = { rows: [{ ...of('', 99, 9), model: undefined, other: true }, ...usage.rows], by: usage.by }
  expect(largestFirst(combined, 'calls').at(-1)).toBe(REST)
})
