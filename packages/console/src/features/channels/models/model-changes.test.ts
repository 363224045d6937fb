import { expect, test } from 'bun:test'
import { modelChanges } from './model-changes.ts'

test('a list is held against what is chosen now', () => {
  expect(modelChanges(['a', 'b'], { models: ['b', 'c'], mapping: '' })).toEqual({ added: ['a'], gone: ['c'] })
  expect(modelChanges(['a'], { models: ['a'], mapping: '' })).toEqual({ added: [], gone: [] })
  expect(modelChanges([], { models: ['a'], mapping: '' })).toEqual({ added: [], gone: ['a'] })
})

test('a mapped model is there as long as its target is', () => {
  const chosen = { models: ['mine', 'other'], mapping: '{"mine":"a","other":"b"}' }
  expect(modelChanges(['a'], chosen)).toEqual({ added: ['a'], gone: ['other'] })
  // A mapping that is still being typed maps nothing.
  expect(modelChanges(['a'], { ...chosen, mapping: '{"mine":' })).toEqual({ added: ['a'], gone: ['mine', 'other'] })
})
