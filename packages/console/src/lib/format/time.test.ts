import { expect, test } from 'bun:test'
import { formatTimestamp, parseTimestamp, zoneName } from './time.ts'

const at = (text: string) => Math.floor(new Date(text).getTime() / 1000)

test('a point in time reads YYYY-MM-DD HH:mm:ss in the local zone [R9.06]', () => {
  expect(formatTimestamp(at('2026-03-09T08:05:07'))).toBe('2026-03-09 08:05:07')
})

test('what was formatted is parsed to the same second', () => {
  const seconds = at('2031-12-31T23:59:59')
  expect(parseTimestamp(formatTimestamp(seconds))).toBe(seconds)
})

test('seconds and the time of day may be left out', () => {
  expect(parseTimestamp('2026-03-09 08:05')).toBe(at('2026-03-09T08:05:00'))
  expect(parseTimestamp(' 2026-03-09 ')).toBe(at('2026-03-09T00:00:00'))
  expect(parseTimestamp('2026-03-09T08:05:07')).toBe(at('2026-03-09T08:05:07'))
})

test.each(['', 'tomorrow', '2026-02-30', '2026-13-01', '2026-03-09 24:00', '2026-03-09 08:60', '09.03.2026', '-1'])(
  '%p is not a valid time [R5.23]',
  (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  },
)

test('a zone is named by its offset from UTC', () => {
  expect([480, 0, -210, 345, -720].map(zoneName)).toEqual(['UTC+8', 'UTC', 'UTC-3:30', 'UTC+5:45', 'UTC-12'])
})
