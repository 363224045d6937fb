import { expect, test } from 'bun:test'
import { keyIn, REST, rowFilter } from './usage-rows.ts'

type Named = Parameters<typeof rowFilter>[0]
const row = (named: Partial<Named>): Named => ({ other: false, ...named })

test('two keys with the same name are different, and combined rows have no name', () => {
  expect(keyIn(row({ key: 'default', user: 'alice' }), 'key')).not.toBe(
    keyIn(row({ key: 'default', user: 'bob' }), 'key'),
  )
  expect(keyIn(row({ key: 'a b', user: 'c' }), 'key')).not.toBe(keyIn(row({ key: 'a', user: 'b c' }), 'key'))
  expect(keyIn(row({ other: true }), 'model')).toBe(REST)
  expect(keyIn(row({ model: 'rest' }), 'model')).not.toBe(REST)
  const others = row({ other: true, user: 'bob' })
  expect([keyIn(others, 'user'), keyIn(others, 'model')]).toEqual([keyIn(row({ user: 'bob' }), 'user'), REST])
})

test('a row can be filtered by, unless it stands for many or for nothing', () => {
  expect(rowFilter(row({ model: 'gpt-4.1' }), 'model')).toEqual({ model: 'gpt-4.1' })
  expect(rowFilter(row({ key: 'web', user: 'bob' }), 'key')).toEqual({ key: 'web', user: 'bob' })
  // The filter of one user's own usage stays.
  expect({ user: 'bob', ...rowFilter(row({ key: 'web' }), 'key') }).toEqual({ key: 'web', user: 'bob' })
  expect(rowFilter(row({ channel: 3 }), 'channel')).toEqual({ channel: 3 })
  expect(rowFilter(row({ other: true }), 'model')).toBeUndefined()
  expect(rowFilter(row({ other: true, user: 'bob' }), 'user')).toEqual({ user: 'bob' })
  expect(rowFilter(row({ model: '' }), 'model')).toEqual({ no_model: 'true' })
  expect(rowFilter(row({ key: '', user: 'bob' }), 'key')).toEqual({ no_key: 'true', user: 'bob' })
  expect(rowFilter(row({ group: '' }), 'group')).toBeUndefined()
  expect(rowFilter(row({ channel: 0 }), 'channel')).toEqual({ channel: 0 })
})
