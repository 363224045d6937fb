import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { calendarPeriod, isZone } from './calendar.ts'

const at = (text: string) => Date.parse(text) / 1000

test.each([
  ['Europe/Berlin', '2026-03-29T10:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
  ['Europe/Berlin', '2026-10-25T10:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
  ['Asia/Shanghai', '2026-11-16T16:30:00Z', '2026-11-16T16:00:00Z', '2026-11-17T16:00:00Z'],
  // In São Paulo that day had no midnight: it began at one.
  ['America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'],
  // In Havana the first hour of that day occurred twice.
  ['America/Havana', '2026-11-01T12:00:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
])('a day in %s around %s begins at %s and ends at %s', (zone, moment, start, end) => {
  expect(calendarPeriod(zone, 'day', at(moment))).toEqual({ start: at(start), end: at(end) })
})

test('weeks begin on Monday and months on their first day, across the end of a year', () => {
  expect(calendarPeriod('UTC', 'week', at('2027-01-01T00:00:00Z'))).toEqual({
    start: at('2026-12-28T00:00:00Z'),
    end: at('2027-01-04T00:00:00Z'),
  })
  expect(calendarPeriod('Asia/Tokyo', 'month', at('2026-12-31T14:59:59Z'))).toEqual({
    start: at('2026-11-30T15:00:00Z'),
    end: at('2026-12-31T15:00:00Z'),
  })
})

test('every moment of a period belongs to the same one, and periods follow each other without a gap', () => {
  const zone = fc.constantFrom(
    'UTC',
    'Europe/London',
    'America/Havana',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Asia/Beirut',
  )
  const unit = fc.constantFrom('day' as const, 'week' as const, 'month' as const)
  const moment = fc.integer({ min: at('2010-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') })
  fc.assert(
    fc.property(zone, unit, moment, (zone, unit, moment) => {
      const period = calendarPeriod(zone, unit, moment)
      expect(period.start).toBeLessThanOrEqual(moment)
      expect(period.end).toBeGreaterThan(moment)
      expect(calendarPeriod(zone, unit, period.start)).toEqual(period)
      expect(calendarPeriod(zone, unit, period.end - 1)).toEqual(period)
      expect(calendarPeriod(zone, unit, period.end).start).toBe(period.end)
    }),
  )
})

test('an unknown zone is recognised as such', () => {
  expect(['UTC', 'Asia/Shanghai', 'Asia/Nowhere', '', '+25:00'].map(isZone)).toEqual([true, true, false, false, false])
})
