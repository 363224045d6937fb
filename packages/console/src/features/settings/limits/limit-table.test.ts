import { expect, test } from 'bun:test'
import { limitRows, limitText, sameLimits } from './limit-table.ts'

test('a table of limits is read and written the same, however it is laid out', () => {
  const stored = '{"vip":{"rpm":60,"models":{"gpt-4o":{"tpm":1000}}},"constructor":{}}'
  const rows = limitRows(stored)
  expect(rows?.map(({ name }) => name)).toEqual(['vip', 'constructor'])
  expect(sameLimits(limitText(rows ?? []), stored)).toBe(true)
  expect(sameLimits(limitText(rows?.slice(1) ?? []), stored)).toBe(false)
  expect(limitRows('')).toEqual([])
})

test('an invalid table of limits has no rows', () => {
  for (const text of ['{', '[]', '7', '{"g":{"rpm":0}}', '{"g":{"rps":1}}'])
    expect([text, limitRows(text)]).toEqual([text, undefined])
})
