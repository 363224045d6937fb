import { expect, test } from 'bun:test'
import { safeFileName } from './file-name.ts'

test('a valid file name stays unchanged', () => {
  expect(safeFileName('双十一 2026', 'codes')).toBe('双十一 2026')
})

test('characters that a system would refuse or read as a path are replaced', () => {
  expect(safeFileName('../a\\b:c*d?"<e>|', 'codes')).toBe('_a_b_c_d___e__')
  expect(safeFileName('line\nbreak', 'codes')).toBe('line_break')
})

test('dots and spaces at the ends are removed, and an empty name becomes the fallback', () => {
  expect(safeFileName(' .name. ', 'codes')).toBe('name')
  expect(safeFileName('...', 'codes')).toBe('codes')
  expect(safeFileName('', 'codes')).toBe('codes')
})

test('a very long name is cut between characters', () => {
  expect([...safeFileName('🎁'.repeat(200), 'codes')]).toHaveLength(80)
})
