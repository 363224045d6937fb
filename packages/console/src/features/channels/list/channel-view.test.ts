import { expect, test } from 'bun:test'
import { readChoices, readPageSize } from './channel-view.ts'

test('without a stored choice the default columns are shown; an unknown column is ignored', () => {
  expect(readChoices(undefined).has('type')).toBe(true)
  expect(readChoices(undefined).has('failures')).toBe(false)
  expect([...readChoices(['tag', 'gone', 'id'])]).toEqual(['id', 'tag'])
  expect(readChoices([]).size).toBe(0)
})

test('a page has one of the offered sizes', () => {
  expect(readPageSize('50')).toBe(50)
  expect(readPageSize('7')).toBe(10)
  expect(readPageSize(null)).toBe(10)
})
