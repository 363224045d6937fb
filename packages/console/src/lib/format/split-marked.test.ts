import { expect, test } from 'bun:test'
import { splitMarked } from './split-marked.ts'

test('values are marked wherever they occur, and nothing is lost', () => {
  const text = "curl 'https://a.b/v1' 'm.1' mx1"
  const pieces = splitMarked(text, ['https://a.b', 'm.1', ''])
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.filter(({ marked }) => marked).map((piece) => piece.text)).toEqual(['https://a.b', 'm.1'])
})

test('of overlapping values the longest is marked', () => {
  const marked = splitMarked('gpt-4o-mini', ['gpt-4o', 'gpt-4o-mini']).filter((piece) => piece.marked)
  expect(marked).toEqual([{ text: 'gpt-4o-mini', marked: true }])
})

test('without values the text is one piece', () => {
  expect(splitMarked('a', [])).toEqual([{ text: 'a', marked: false }])
})
