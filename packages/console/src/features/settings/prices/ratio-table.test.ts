import { expect, test } from 'bun:test'
import { dollarsOf, parseRatio, ratioFault, ratioOf, ratioRows, ratioText, sameRatios } from './ratio-table.ts'

test('a ratio option is JSON from names to numbers of at least 0 [R5.10 R5.11 R5.12]', () => {
  expect(ratioFault('{"gpt-4o": 1.25}')).toBeUndefined()
  expect(ratioFault('')).toBeUndefined()
  expect(ratioFault('{"gpt-4o": }')).toBe('notJson')
  expect(ratioFault('["gpt-4o"]')).toBe('notRatios')
  expect(ratioFault('{"gpt-4o": -1}')).toBe('notRatios')
})

test('rows become text and text becomes the same rows, in their order', () => {
  const rows = [
    { name: 'gpt-4o', ratio: 1.25 },
    { name: 'a "quoted" name', ratio: 0 },
    { name: '__proto__', ratio: 2 },
  ]
  expect(ratioRows(ratioText(rows))).toEqual(rows)
  expect(ratioText([])).toBe('{}')
})

test('the layout of the text makes no difference', () => {
  expect(sameRatios('{"a":1}', '{\n  "a": 1\n}')).toBe(true)
  expect(sameRatios('{"a":1}', '{"a":2}')).toBe(false)
  expect(sameRatios('{', '{')).toBe(true)
})

test('a typed ratio is a number that a table may contain', () => {
  expect(['1.5', ' 0 ', '', '-1', 'x', '1e3', '1000001'].map(parseRatio)).toEqual([
    1.5,
    0,
    undefined,
    undefined,
    undefined,
    1000,
    undefined,
  ])
})

test('a price is typed as money, and stays as it was typed', () => {
  for (const typed of ['0', '0.15', '0.27', '1.1', '2.5', '3', '60', '0.075', '123456.789']) {
    const ratio = ratioOf(typed, 2)
    expect([typed, ratio]).toEqual([typed, Number(typed) / 2])
    expect(dollarsOf(ratio ?? -1, 2)).toBe(typed)
  }
  for (const typed of ['', '-1', 'free', '1e99', '2 $']) expect([typed, ratioOf(typed, 2)]).toEqual([typed, undefined])
  expect(dollarsOf(0.1 + 0.2, 2)).toBe('0.6')
})
