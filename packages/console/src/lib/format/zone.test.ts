import { expect, test } from 'bun:test'
import { addDays, dayIn, dayStart, isDay, zoneInWords } from './zone.ts'

const seconds = (time: string) => Date.parse(time) / 1000

test('a day is that of the local clock', () => {
  expect(dayIn('Asia/Shanghai', seconds('2026-11-15T16:00:00Z'))).toBe('2026-11-16')
  expect(dayIn('Asia/Shanghai', seconds('2026-11-15T15:59:59Z'))).toBe('2026-11-15')
  expect(dayIn('America/Sao_Paulo', seconds('2026-11-15T02:59:59Z'))).toBe('2026-11-14')
  expect(dayIn('UTC', seconds('2026-11-15T00:00:00Z'))).toBe('2026-11-15')
})

test('a day begins at local midnight, also when clocks change', () => {
  expect(dayStart('2026-11-15', 'Asia/Shanghai')).toBe(seconds('2026-11-14T16:00:00Z'))
  expect(dayStart('2026-11-15', 'Asia/Kathmandu')).toBe(seconds('2026-11-14T18:15:00Z'))
  // In Berlin the 29th of March has 23 hours and the 25th of October has 25.
  const hours = (day: string) => (dayStart(addDays(day, 1), 'Europe/Berlin') - dayStart(day, 'Europe/Berlin')) / 3600
  expect(['2026-03-28', '2026-03-29', '2026-03-30', '2026-10-25'].map(hours)).toEqual([24, 23, 24, 25])
})

test('where clocks skip midnight, the day begins after it; where they repeat it, with the first', () => {
  // Santiago goes from 23:59:59 to 01:00 in September; Havana from 01:00 back to midnight in November.
  expect(dayStart('2026-09-06', 'America/Santiago')).toBe(seconds('2026-09-06T04:00:00Z'))
  expect(dayIn('America/Santiago', dayStart('2026-09-06', 'America/Santiago') - 1)).toBe('2026-09-05')
  expect(dayStart('2026-11-01', 'America/Havana')).toBe(seconds('2026-11-01T04:00:00Z'))
  // Apia had no 30th of December in 2011.
  expect(dayStart('2011-12-30', 'Pacific/Apia')).toBe(dayStart('2011-12-31', 'Pacific/Apia') - 86_400)
})

test('days are counted across the ends of months and years', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
  expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
})

test.each(['', 'today', '2026-2-3', '0001-01-01', '2026-02-30', '2026-13-01', '2026-11-15T00:00'])(
  '%p is not a day',
  (text) => {
    expect(isDay(text)).toBe(false)
  },
)

test('an invalid day is refused', () => {
  expect(['2026-11-15', '2028-02-29'].map(isDay)).toEqual([true, true])
})

test('a range of days is named by the clock of those days, not of today', () => {
  expect(zoneInWords('Europe/Berlin', { first: '2026-07-01', last: '2026-07-31' })).toBe('Europe/Berlin (UTC+2)')
  expect(zoneInWords('Europe/Berlin', { first: '2026-12-01', last: '2026-12-01' })).toBe('Europe/Berlin (UTC+1)')
  expect(zoneInWords('Europe/Berlin', { first: '2026-10-25', last: '2026-10-25' })).toBe(
    'Europe/Berlin (UTC+2 → UTC+1)',
  )
  expect(zoneInWords('Australia/Lord_Howe', { first: '2026-07-01', last: '2026-12-31' })).toBe(
    'Australia/Lord_Howe (UTC+10:30 → UTC+11)',
  )
  expect(zoneInWords('Asia/Kolkata')).toBe('Asia/Kolkata (UTC+5:30)')
  expect(zoneInWords('UTC', { first: '2026-07-01', last: '2026-07-31' })).toBe('UTC')
})
