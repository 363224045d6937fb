import { expect, test } from 'bun:test'
import { ConfigError } from '../../common/config.ts'
import { readAuditOptions } from './audit-options.ts'

const NOW = Date.UTC(2026, 10, 15, 12) / 1000
const since = (text: string) => readAuditOptions({ since: text }, NOW).sinceSec

test('without flags the audit checks everything, prints for people and repairs nothing', () => {
  expect(readAuditOptions({}, NOW)).toEqual({ json: false, sinceSec: undefined, repair: 'not' })
})

test('a repair is listed; only with --yes is it carried out', () => {
  expect(readAuditOptions({ repair: '' }, NOW).repair).toBe('list')
  expect(readAuditOptions({ repair: '', yes: '' }, NOW).repair).toBe('carry out')
})

test('--since takes a duration, a day in UTC, or a time with its zone', () => {
  expect(since('45s')).toBe(NOW - 45)
  expect(since('90m')).toBe(NOW - 5400)
  expect(since('24h')).toBe(NOW - 86_400)
  expect(since('2w')).toBe(NOW - 14 * 86_400)
  expect(since('2026-11-14')).toBe(NOW - 36 * 3600)
  expect(since('2026-11-15T10:00Z')).toBe(NOW - 7200)
  expect(since('2026-11-15T10:00:30+08:00')).toBe(NOW - 10 * 3600 + 30)
  // Longer ago than a date can express.
  expect(since('999999w')).toBe(0)
})

test.each([
  '',
  '0',
  '24',
  'h',
  '-1h',
  '1.5h',
  '1h30m',
  '1y',
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '2026-11-15T10:00',
  '2026-11-15 10:00Z',
  '15.11.2026',
  '1731672000',
  '2026-11-16',
  '2026-11-15T12:01Z',
])('--since %p is refused', (text) => {
  expect(() => since(text)).toThrow(ConfigError)
})
