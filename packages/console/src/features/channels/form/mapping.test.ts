import { expect, test } from 'bun:test'
import { mappingRows, mappingText } from './mapping.ts'

test('a mapping is a JSON object from name to name [R5.30]', () => {
  expect(mappingRows('')).toEqual([])
  expect(mappingRows('{"a":"b"}')).toEqual([{ from: 'a', to: 'b' }])
  expect(mappingRows('{"a":')).toBeUndefined()
  expect(mappingRows('["a"]')).toBeUndefined()
  expect(mappingRows('{"a":1}')).toBeUndefined()
  expect(mappingRows('null')).toBeUndefined()
})

test('rows become text and text becomes the same rows', () => {
  const rows = [
    { from: 'gpt-4', to: 'gpt-4o' },
    { from: 'constructor', to: 'x' },
  ]
  expect(mappingRows(mappingText(rows))).toEqual(rows)
})

test('a row without a name is not sent, and no rows are no text', () => {
  expect(mappingText([{ from: ' ', to: 'x' }])).toBe('')
  expect(JSON.parse(mappingText([{ from: ' a ', to: ' b ' }]))).toEqual({ a: 'b' })
})
