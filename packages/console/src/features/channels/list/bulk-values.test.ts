import { expect, test } from 'bun:test'
import { type BulkAction, fieldChanges, toChange } from './bulk-values.ts'

const values = { list: ['vip', 'svip'], number: 3, tag: ' resale ' } as const
const change = (action: BulkAction) => toChange(action, { ...values, list: [...values.list] })

test('each action is the change that it says', () => {
  expect(change('enable')).toEqual({ status: 1 })
  expect(change('remove')).toEqual({ remove: true })
  expect(change('add_group')).toEqual({ add_group: 'vip,svip' })
  expect(change('weight')).toEqual({ weight: 3 })
  expect(change('tag')).toEqual({ tag: 'resale' })
})

test('nothing is sent while what an action needs is missing; an empty tag takes tags away', () => {
  const nothing = { list: [], number: '', tag: '' } as const
  expect(toChange('group', { ...nothing, list: [] })).toBeUndefined()
  expect(toChange('priority', { ...nothing, list: [] })).toBeUndefined()
  expect(toChange('tag', { ...nothing, list: [] })).toEqual({ tag: '' })
})

test('of a channel those fields are shown that change', () => {
  const before = { status: 1, group: 'default', priority: 0, weight: 1, tag: '', models: 2 }
  const channel = { id: 1, name: 'c', before, models_added: [], models_removed: [] }
  expect(fieldChanges({ ...channel, after: { ...before, tag: 'x', weight: 2 } })).toEqual([
    { field: 'weight', before: 1, after: 2 },
    { field: 'tag', before: '', after: 'x' },
  ])
  expect(fieldChanges({ ...channel, after: null })).toEqual([])
})
