import { expect, test } from 'bun:test'
import { commaList, isJson, isJsonObject, stripTrailingSlash } from './text.ts'

test('one helper checks whether a text is JSON, one removes a final slash from an address [R5.56]', () => {
  for (const text of ['{}', '[]', 'null', '1', '"x"', ' {"a": 1} ']) expect(isJson(text)).toBe(true)
  for (const text of ['', '{', "{'a': 1}", 'undefined', '{"a": 1,}']) expect(isJson(text)).toBe(false)
  expect(stripTrailingSlash('https://host/')).toBe('https://host')
  expect(stripTrailingSlash('https://host/path/')).toBe('https://host/path')
  expect(stripTrailingSlash('https://host')).toBe('https://host')
  expect(stripTrailingSlash('')).toBe('')
})

test('a comma list keeps its order and loses blanks, empty items and duplicates [R3.04]', () => {
  expect(commaList(' vip, default ,,vip, svip')).toEqual(['vip', 'default', 'svip'])
  expect(commaList('')).toEqual([])
  expect(commaList(' , ')).toEqual([])
})

test('a JSON object includes its braces', () => {
  for (const text of ['{}', ' {"a": [1]} ']) expect(isJsonObject(text)).toBe(true)
  for (const text of ['', '[]', 'null', '"{}"', '7', '{"a"']) expect(isJsonObject(text)).toBe(false)
})
