import { expect, test } from 'bun:test'
import { versionsDiffer } from './versions-differ.ts'

test('only two known, different versions differ [R2.41]', () => {
  expect(versionsDiffer('v1.2.0', '1.2.1')).toBe(true)
  expect(versionsDiffer('v1.2.0', '1.2.0')).toBe(false)
  expect(versionsDiffer('', '1.2.0')).toBe(false)
  expect(versionsDiffer('v0.0.0', '1.2.0')).toBe(false)
})
