import { expect, test } from 'bun:test'
import { modelChanges } from './model-changes.ts'

test('a list is compared with the current choice', () => {
  expect(modelChanges(['a', 'b'], { models: ['b', 'c'], mapping: '' })).toEqual({ added: ['a'], gone: ['c'] })
  expect(modelChanges(['a'], { models: ['a'], mapping: '' })).toEqual({ added: [], gone: [] })
  expect(modelChanges([], { models: ['a'], mapping: '' })).toEqual({ added: [], gone: ['a'] })
})

test('a mapped model exists as long as its target does', () => {
  const chosen = { models: ['mine', 'other'], mapping: '{"mine":"a","other":"b"}' }
  expect(modelChanges(['a'], chosen)).toEqual({ added: ['a'], gone: ['other'] })
  // An incomplete mapping maps nothing.
  expect(modelChanges(['a'], { ...chosen, mapping: '{"mine":' })).toEqual({ added: ['a'], gone: ['mine', 'other'] })
})
