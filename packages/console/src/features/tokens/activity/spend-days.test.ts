import { expect, test } from 'bun:test'
import { daysOfSpend, spanOfSpend } from './spend-days.ts'

test('the last amount is today’s in the zone of the reader, the others those of the days before', () => {
  const now = Date.UTC(2026, 2, 1, 23, 30) / 1000
  const days = (zone: string) => daysOfSpend([5, 0, 7], { zone, now }).map(({ day, quota }) => `${day} ${quota}`)
  expect(days('Asia/Shanghai')).toEqual(['02-28 5', '03-01 0', '03-02 7'])
  expect(days('UTC')).toEqual(['02-27 5', '02-28 0', '03-01 7'])
})

test('the calls behind the amounts begin with the first whole hour of these days in the zone of the reader', () => {
  const now = Date.UTC(2026, 10, 3, 15, 20) / 1000
  const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16)
  const span = (zone: string) => Object.values(spanOfSpend(7, { zone, now })).map(iso)
  expect(span('UTC')).toEqual(['2026-10-28T00:00', '2026-11-03T16:00'])
  expect(span('Asia/Kathmandu')).toEqual(['2026-10-27T19:00', '2026-11-03T16:00'])
  // The clock went back on the first of November.
  expect(span('America/New_York')).toEqual(['2026-10-28T04:00', '2026-11-03T16:00'])
})
