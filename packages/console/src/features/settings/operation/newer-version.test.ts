import { expect, test } from 'bun:test'
import { isNewer } from './newer-version.ts'

test('versions are compared number by number [R2.79]', () => {
  expect(isNewer('v0.2.0', 'v0.1.9')).toBe(true)
  expect(isNewer('v0.10.0', 'v0.9.1')).toBe(true)
  expect(isNewer('1.0.0', 'v1.0.0')).toBe(false)
  expect(isNewer('v1.0', 'v1.0.1')).toBe(false)
  expect(isNewer('v1.0.0-alpha', 'v1.0.0')).toBe(false)
})
