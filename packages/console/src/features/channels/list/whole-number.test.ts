import { expect, test } from 'bun:test'
import { wholeNumber } from './whole-number.ts'

test('priority and weight are integers, a weight below 0 becomes 0, and an empty field stays empty [R5.34]', () => {
  expect(wholeNumber('12')).toBe(12)
  expect(wholeNumber(' 12.9 ')).toBe(12)
  expect(wholeNumber('-3')).toBe(-3)
  expect(wholeNumber('-3', { min: 0 })).toBe(0)
  expect(wholeNumber('')).toBeUndefined()
  expect(wholeNumber('abc')).toBeUndefined()
})
