import { expect, test } from 'bun:test'
import { truncateName } from './names.ts'

test('a name of more than 15 characters shows 12 and an ellipsis [R9.05]', () => {
  expect(truncateName('fifteen-letters')).toBe('fifteen-letters')
  expect(truncateName('sixteen-letters!')).toBe('sixteen-lett...')
})

test('a character of two code units counts once', () => {
  expect(truncateName('😀'.repeat(15))).toBe('😀'.repeat(15))
  expect(truncateName('😀'.repeat(16))).toBe(`${'😀'.repeat(12)}...`)
})
