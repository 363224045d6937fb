import { expect, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { searchTypes } from './type-search.ts'

const found = (typed: string) => searchTypes(CHANNEL_TYPES, typed).map(({ key }) => key)

test('a channel type is found by its name in either language, by its key and by its number, best match first', () => {
  expect(found('')).toHaveLength(CHANNEL_TYPES.length)
  expect(found('deep')).toEqual(['deepseek', 'deepl', 'deepinfra'])
  expect(found(' OPENAI ')[0]).toBe('openai')
  expect(found('通义')).toEqual(['qwen'])
  expect(found('tongyi')).toEqual(['qwen'])
  expect(found('baidu-v2')).toEqual(['baidu-v2'])
  expect(found('36')).toEqual(['deepseek', 'zhinao'])
  expect(found('#14')).toEqual(['anthropic'])
  expect(found('no such vendor')).toEqual([])
})

test('the own name, key and number of every type find it first', () => {
  for (const { value, key, label } of CHANNEL_TYPES) {
    for (const typed of [String(value), key, label.zh, label.en]) expect(found(typed)[0]).toBe(key)
  }
})
