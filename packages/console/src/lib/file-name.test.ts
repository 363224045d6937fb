import { expect, test } from 'bun:test'
import { safeFileName } from './file-name.ts'

test('a name stays what it is where a file may be called so', () => {
  expect(safeFileName('双十一 2026', 'codes')).toBe('双十一 2026')
})

test('what a system would refuse or read as a path is replaced', () => {
  expect(safeFileName('../a\\b:c*d?"<e>|', 'codes')).toBe('_a_b_c_d___e__')
  expect(safeFileName('line\nbreak', 'codes')).toBe('line_break')
})

test('dots and spaces at the ends go, and nothing left is the fallback', () => {
  expect(safeFileName(' .name. ', 'codes')).toBe('name')
  expect(safeFileName('...', 'codes')).toBe('codes')
  expect(safeFileName('', 'codes')).toBe('codes')
})

test('a very long name is cut between characters', () => {
  expect([...safeFileName('🎁'.repeat(200), 'codes')]).toHaveLength(80)
})
