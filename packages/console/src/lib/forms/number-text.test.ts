import { expect, test } from 'bun:test'
import { numberFault, readNumber } from './number-text.ts'

test.each([
  ['1000', 1000],
  [' 1000 ', 1000],
  ['1,000', 1000],
  ['1 000 000', 1_000_000],
  ['1_000', 1000],
  ['1e9', 1_000_000_000],
  ['2.5E3', 2500],
  ['１０００', 1000],
  ['１，０００', 1000],
  ['－５', -5],
  ['\u22125', -5],
  ['+7', 7],
  ['0.01', 0.01],
  ['.5', 0.5],
  ['-5', -5],
])('%p means %p', (text, value) => expect(readNumber(text)).toBe(value))

test.each(['', '-', 'abc', '1,00', '1.000,50', '12a', '0x10', '1e', '1e9999', '$5', '5 quota', '1,000,00', 'NaN'])(
  '%p is not a number, rather than a part of it',
  (text) => expect(readNumber(text)).toBeUndefined(),
)

test('an unwanted number is refused for its own reason', () => {
  expect(numberFault('-5', { min: 0 })).toBe('below')
  expect(numberFault('101', { min: 1, max: 100 })).toBe('above')
  expect(numberFault('1.5', { min: 0 })).toBe('noWholeNumber')
  expect(numberFault('1.5', { min: 0, decimal: true })).toBeUndefined()
  expect(numberFault('x', {})).toBe('noNumber')
  expect(numberFault('1e9', { min: 0 })).toBeUndefined()
})
