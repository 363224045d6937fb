import { expect, test } from 'bun:test'
import { rateLimitReset, retryAfter, retryDelay } from './retry-after.ts'

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
])('an invalid value is ignored: %p', (headers) => {
  expect(asked(headers)).toBeUndefined()
})

const limits = (requests: [left: string, reset: string] | undefined, tokens?: [left: string, reset: string]) => ({
  ...(requests && { 'x-ratelimit-remaining-requests': requests[0], 'x-ratelimit-reset-requests': requests[1] }),
  ...(tokens && { 'x-ratelimit-remaining-tokens': tokens[0], 'x-ratelimit-reset-tokens': tokens[1] }),
})

test.each([
  ['no calls left', limits(['0', '8.64s'], ['900', '1m0s']), 9],
  ['too few tokens left', limits(['499', '120ms'], ['12', '6m0s']), 360],
  ['neither left', limits(['0', '1s'], ['0', '1h2m3s']), 3_723],
  ['tokens only', { 'x-ratelimit-reset-tokens': '20ms', 'x-ratelimit-remaining-tokens': '0' }, 1],
  ['calls only', { 'x-ratelimit-reset-requests': '1d' }, 86_400],
  ['a time that is none', limits(['0', 'soon']), undefined],
  ['an instant instead of a duration', limits(['0', '1731672000']), undefined],
  ['endless digits', limits(['0', `${'9'.repeat(400)}s`]), undefined],
  ['nothing', {}, undefined],
])('the limits of a refusal determine how long it lasts: %s', (_, headers, seconds) => {
  expect(rateLimitReset(new Headers(headers))).toBe(seconds)
})

test("Google's delay is found in any dialect", () => {
  const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }
  expect(retryDelay(JSON.stringify([{ error: { code: 429, details: [info] } }], null, 2))).toBe(12)
  expect(retryDelay('{"retryDelay":"12"}')).toBeUndefined()
})
