import { expect, test } from 'bun:test'
import { readChoices, readPageSize } from './log-view.ts'

test('columns are as chosen; unknown ones are left out, and an empty choice stays empty', () => {
  expect([...readChoices(['retries', 'gone', 'token'])]).toEqual(['token', 'retries'])
  expect([...readChoices([])]).toEqual([])
  for (const nothing of [undefined, 'x', { token: true }]) expect(readChoices(nothing).has('token')).toBe(true)
  expect(readChoices(undefined).has('retries')).toBe(false)
})

test('a page has ten rows until another offered number is chosen', () => {
  expect([null, '10', '50', '100', '5', '1000', 'x'].map(readPageSize)).toEqual([10, 10, 50, 100, 10, 10, 10])
})
