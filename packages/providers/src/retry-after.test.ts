import { expect, test } from 'bun:test'
import { retryAfter } from './retry-after.ts'

const NOW = Date.UTC(2026, 10, 15, 12, 0, 0)
const asked = (headers: Record<string, string>) => retryAfter(new Headers(headers), NOW)

test.each([
  ['seconds', { 'retry-after': '7' }, 7],
  ['a part of a second', { 'retry-after': '0.3' }, 1],
  ['nothing at all to wait for', { 'retry-after': '0' }, 0],
  ['milliseconds', { 'retry-after-ms': '1500' }, 2],
  [
    'milliseconds, which are more exact than the seconds beside them',
    { 'retry-after-ms': '200', 'retry-after': '9' },
    1,
  ],
  ['a date', { 'retry-after': 'Sun, 15 Nov 2026 12:02:00 GMT' }, 120],
  ['a date of the old form', { 'retry-after': 'Sunday, 15-Nov-26 12:02:00 GMT' }, 120],
  ['a date of the C library', { 'retry-after': 'Sun Nov 15 12:02:00 2026 GMT' }, 120],
  ['a date as others write it', { 'retry-after': '2026-11-15T12:02:00Z' }, 120],
  [
    'a date by the clock of a vendor that is an hour ahead',
    { 'retry-after': 'Sun, 15 Nov 2026 13:02:00 GMT', date: 'Sun, 15 Nov 2026 13:00:00 GMT' },
    120,
  ],
  ['a date that has passed', { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
  ['a date in another century', { 'retry-after': 'Sun, 15 Nov 2126 11:00:00 GMT' }, 86_400],
  ['more seconds than anybody waits', { 'retry-after': '99999999999' }, 86_400],
])('a vendor may ask to wait by %s', (_, headers, seconds) => {
  expect(asked(headers)).toBe(seconds)
})

test.each([
  {},
  { 'retry-after': '' },
  { 'retry-after': '-1' },
  { 'retry-after': 'soon' },
  { 'retry-after': '1e9' },
  { 'retry-after-ms': 'NaN' },
  { 'retry-after': 'Sun, 99 Nov 2026 77:02:00 GMT' },
])('what is neither says nothing: %p', (headers) => {
  expect(asked(headers)).toBeUndefined()
})
