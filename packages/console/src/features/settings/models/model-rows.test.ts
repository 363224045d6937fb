import { expect, test } from 'bun:test'
import { aliasRows, fallbackRows, tableText } from './model-rows.ts'

test('a table keeps its order when read and written', () => {
  const aliases = '{"gpt-latest":"gpt-5.5","claude-*":"claude-sonnet-4-5"}'
  expect(aliasRows(aliases)).toEqual([
    ['gpt-latest', 'gpt-5.5'],
    ['claude-*', 'claude-sonnet-4-5'],
  ])
  expect(JSON.parse(tableText(aliasRows(aliases) ?? []))).toEqual(JSON.parse(aliases))
  expect(aliasRows('')).toEqual([])
  expect(fallbackRows('{"a":{"to":["b"],"on":["timeout"]}}')).toEqual([['a', { to: ['b'], on: ['timeout'] }]])
})

test('a text that is no table is not shown as one', () => {
  for (const text of ['{', '[]', '{"a":1}', '{"":"b"}']) expect(aliasRows(text)).toBeUndefined()
  for (const text of ['{"a":"b"}', '{"a":{"to":["b"],"on":["never"]}}', '{"a":{"to":["b"],"on":["timeout"],"x":1}}'])
    expect(fallbackRows(text)).toBeUndefined()
})

test('a row stays a row while it is typed, whatever its model is called so far', () => {
  for (const model of ['', 'g', 'gpt-5', 'gpt-5-mini', 'other', '*'])
    expect(aliasRows(JSON.stringify({ 'gpt-5': model, other: 'x' }))).toEqual([
      ['gpt-5', model],
      ['other', 'x'],
    ])
  const row = { to: [], on: ['timeout' as const] }
  expect(fallbackRows(JSON.stringify({ a: row }))).toEqual([['a', row]])
})
