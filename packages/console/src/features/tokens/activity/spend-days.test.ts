import { expect, test } from 'bun:test'
import { daysOfSpend } from './spend-days.ts'

test('the last amount is today’s in UTC, the others those of the days before', () => {
  const now = Date.UTC(2026, 2, 2, 0, 30) / 1000
  expect(daysOfSpend([5, 0, 7], now)).toEqual([
    { day: '02-28', quota: 5 },
    { day: '03-01', quota: 0 },
    { day: '03-02', quota: 7 },
  ])
})
