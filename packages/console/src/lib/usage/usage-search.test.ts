import { expect, test } from 'bun:test'
import { ignoredInView, readView, splitsFor } from './usage-search.ts'

test('a URL says what is shown, and what it leaves out is the default', () => {
  expect(readView({}, true)).toMatchObject({ by: 'time', split: 'model', metric: 'quota', step: undefined })
  expect(readView({ by: 'user' }, true)).toMatchObject({ by: 'user', split: undefined })
  expect(readView({ split: 'user', metric: 'calls', step: 'week' }, true)).toMatchObject({
    ...{ by: 'time', split: 'user', metric: 'calls', step: 'week' },
  })
  expect(readView({ split: 'none' }, true).split).toBeUndefined()
})

test('any two dimensions can be combined, except those without figures, and none with itself', () => {
  expect(readView({ by: 'model', split: 'user' }, true)).toMatchObject({ by: 'model', split: 'user' })
  expect(readView({ by: 'key', split: 'model' }, false)).toMatchObject({ by: 'key', split: 'model' })
  for (const [by, split] of [
    ['model', 'model'],
    ['group', 'model'],
    ['channel', 'group'],
    ['model', 'time'],
  ])
    expect(readView({ by, split }, true).split).toBeUndefined()
  expect(splitsFor('group', true)).toEqual(['user', 'key', 'outcome'])
  expect(splitsFor('model', false)).toEqual(['key', 'outcome'])
})

test('what is ignored is named as it is written in the address', () => {
  expect(ignoredInView({ by: 'magic', metric: 'x', step: 'year', outcome: 'odd', model: 'gpt-4.1' }, true)).toEqual([
    ...['by=magic', 'metric=x', 'step=year', 'outcome=odd'],
  ])
  expect(ignoredInView({ by: 'channel', user: 'bob' }, false)).toEqual(['by=channel', 'user=bob'])
  expect(ignoredInView({ by: 'model', split: 'none', metric: 'calls', channel: 0, user: 'bob' }, true)).toEqual([])
})

test('invalid values are ignored', () => {
  const view = readView({ by: 'magic', metric: 'x', step: 'year', outcome: 'odd', model: 'gpt-4.1' }, true)
  expect(view).toMatchObject({ by: 'time', metric: 'quota', step: undefined })
  expect(view.filter).toEqual({ model: 'gpt-4.1' })
})

test('a user cannot query other users, channels and groups', () => {
  for (const name of ['user', 'channel', 'group']) {
    expect(readView({ by: name }, false).by).toBe('time')
    expect(readView({ split: name }, false).split).toBeUndefined()
  }
  const search = { user: 'bob', channel: 3, group: 'vip', key: 'web', outcome: 'timeout' }
  expect(readView(search, false).filter).toEqual({ key: 'web', outcome: 'timeout' })
  expect(readView(search, true).filter).toMatchObject(search)
})
