import { expect, test } from 'bun:test'
import { daysOfSpend } from './spend-days.ts'

test('the last amount is today’s in the zone of the reader, the others those of the days before', () => {
  const now = Date.UTC(2026, 2, 1, 23, 30) / 1000
  const days = (zone: string) => daysOfSpend([5, 0, 7], { zone, now }).map(({ day, quota }) => `${day} ${quota}`)
  expect(days('Asia/Shanghai')).toEqual(['02-28 5', '03-01 0', '03-02 7'])
  expect(days('UTC')).toEqual(['02-27 5', '02-28 0', '03-01 7'])
})
