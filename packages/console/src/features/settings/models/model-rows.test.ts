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

test('an invalid table is not shown as one', () => {
  for (const text of ['{', '[]', '{"a":1}', '{"a":"a"}', '{"a":"b","b":"c"}', '{"a":"b*"}', '{"":"b"}']) {
    expect(aliasRows(text)).toBeUndefined()
  }
  for (const text of ['{"a":"b"}', '{"a":{"to":[],"on":["timeout"]}}', '{"a":{"to":["a"],"on":["timeout"]}}']) {
    expect(fallbackRows(text)).toBeUndefined()
  }
})
