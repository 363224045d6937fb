import { expect, test } from 'bun:test'
import { aRow } from '../../lib/testing/a-row.ts'
import { todaysPart } from './today.ts'

const at = (time: string) => Date.parse(time) / 1000
const week = { days: { first: '2026-11-10', last: '2026-11-16' }, today: '2026-11-16', zone: 'Asia/Shanghai' }

test('today is the reader’s own day: in Shanghai it begins at 16:00 UTC', () => {
  const rows = [
    aRow({ time: at('2026-11-14T16:00:00Z'), quota: 5 }),
    aRow({ time: at('2026-11-15T16:00:00Z'), quota: 7, model: 'a' }),
    aRow({ time: at('2026-11-15T16:00:00Z'), quota: 3, model: 'b' }),
  ]
  expect(todaysPart({ ...week, rows }, 'quota')).toBe(10)
  expect(todaysPart({ ...week, rows: [] }, 'quota')).toBe(0)
})

test('a range that is only today, or ends before it, has no separate value for today', () => {
  const rows = [aRow({ time: at('2026-11-15T16:00:00Z'), quota: 7 })]
  expect(todaysPart({ ...week, days: { first: '2026-11-16', last: '2026-11-16' }, rows }, 'quota')).toBeUndefined()
  expect(todaysPart({ ...week, days: { first: '2026-11-01', last: '2026-11-15' }, rows }, 'quota')).toBeUndefined()
})

test('values missing from the rows are not shown as zero', () => {
  const rows = [aRow({ time: at('2026-11-15T16:00:00Z'), quota: null, outcome: 'success', calls: 4 })]
  expect(todaysPart({ ...week, rows }, 'quota')).toBeUndefined()
  expect(todaysPart({ ...week, rows }, 'calls')).toBe(4)
})
