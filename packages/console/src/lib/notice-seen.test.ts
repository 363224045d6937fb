import { expect, test } from 'bun:test'
import { fingerprint } from './notice-seen.ts'

test('a changed notice has another fingerprint', () => {
  expect(fingerprint('维护公告')).toBe(fingerprint('维护公告'))
  expect(fingerprint('维护公告')).not.toBe(fingerprint('维护公告！'))
  expect(fingerprint('')).not.toBe(fingerprint(' '))
})
