import { expect, test } from 'bun:test'
import { readView } from './usage-search.ts'

test('an address says what is shown, and what it leaves out is the usual', () => {
  expect(readView({}, true)).toMatchObject({ by: 'time', split: 'model', metric: 'quota', step: undefined })
  expect(readView({ by: 'user' }, true)).toMatchObject({ by: 'user', split: undefined })
  expect(readView({ split: 'user', metric: 'calls', step: 'week' }, true)).toMatchObject({
    ...{ by: 'time', split: 'user', metric: 'calls', step: 'week' },
  })
  expect(readView({ split: 'none' }, true).split).toBeUndefined()
  expect(readView({ by: 'model', split: 'user' }, true).split).toBeUndefined()
})

test('what makes no sense is as if it were not there', () => {
  const view = readView({ by: 'magic', metric: 'x', step: 'year', outcome: 'odd', model: 'gpt-4.1' }, true)
  expect(view).toMatchObject({ by: 'time', metric: 'quota', step: undefined })
  expect(view.filter).toEqual({ model: 'gpt-4.1' })
})

test('a user is not asked about other users, channels and groups', () => {
  for (const name of ['user', 'channel', 'group']) {
    expect(readView({ by: name }, false).by).toBe('time')
    expect(readView({ split: name }, false).split).toBeUndefined()
  }
  const search = { user: 'bob', channel: 3, group: 'vip', key: 'web', outcome: 'timeout' }
  expect(readView(search, false).filter).toEqual({ key: 'web', outcome: 'timeout' })
  expect(readView(search, true).filter).toMatchObject(search)
})
