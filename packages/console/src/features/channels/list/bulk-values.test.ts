import { expect, test } from 'bun:test'
import { type BulkAction, fieldChanges, NO_VALUES, toChange } from './bulk-values.ts'

const mapping = '{"gpt-4":"gpt-4o"}'
const proxied = { proxy: ' socks5://127.0.0.1:1080 ', proxy_user: 'bob', proxy_password: '' }
const values = { list: ['vip', 'svip'], number: 3, tag: ' resale ', model_mapping: mapping, ...proxied }
const change = (action: BulkAction) => toChange(action, values)

test('each action sends the change that it describes', () => {
  expect(change('enable')).toEqual({ status: 1 })
  expect(change('remove')).toEqual({ remove: true })
  expect(change('add_group')).toEqual({ add_group: 'vip,svip' })
  expect(change('weight')).toEqual({ weight: 3 })
  expect(change('tag')).toEqual({ tag: 'resale' })
  expect(change('add_mapping')).toEqual({ add_mapping: mapping })
  expect(change('remove_mapping')).toEqual({ remove_mapping: 'vip,svip' })
  expect(change('proxy')).toEqual({ proxy: 'socks5://127.0.0.1:1080', proxy_user: 'bob' })
  expect(change('remove_proxy')).toEqual({ proxy: '' })
})

test('nothing is sent while a required value is missing; an empty tag removes tags', () => {
  for (const action of ['group', 'priority', 'add_mapping', 'remove_mapping', 'proxy'] as const) {
    expect(toChange(action, NO_VALUES)).toBeUndefined()
  }
  expect(toChange('tag', NO_VALUES)).toEqual({ tag: '' })
})

test('only the changed fields of a channel are shown', () => {
  const before = { status: 1, group: 'default', priority: 0, weight: 1, tag: '', models: 2, proxy: '' }
  const channel = { id: 1, name: 'c', before, models_added: [], models_removed: [], mapping: [], proxy_login: false }
  expect(fieldChanges({ ...channel, after: { ...before, tag: 'x', weight: 2 } })).toEqual([
    { field: 'weight', before: 1, after: 2 },
    { field: 'tag', before: '', after: 'x' },
  ])
  const proxy = 'http://127.0.0.1:3128'
  expect(fieldChanges({ ...channel, after: { ...before, proxy } })).toEqual([
    { field: 'proxy', before: '', after: proxy },
  ])
  expect(fieldChanges({ ...channel, after: null })).toEqual([])
})
