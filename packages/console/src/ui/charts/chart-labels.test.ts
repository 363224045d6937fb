import { expect, test } from 'bun:test'
import { lettersOf, shortened } from './chart-labels.ts'

test('a long name is shortened by its width, and never within a character', () => {
  expect([shortened('gpt-4.1'), shortened('a'.repeat(22))]).toEqual(['gpt-4.1', 'a'.repeat(22)])
  expect(shortened('a'.repeat(23))).toBe(`${'a'.repeat(21)}…`)
  expect(shortened('渠'.repeat(12))).toBe(`${'渠'.repeat(10)}…`)
  expect(shortened('a😀'.repeat(9))).toBe(`${'a😀'.repeat(7)}…`)
  for (const name of ['渠道'.repeat(50), '😀'.repeat(50), 'x'.repeat(50)])
    expect(lettersOf(shortened(name))).toBeLessThanOrEqual(22)
})
