import { expect, test } from 'bun:test'
import { csvText } from './csv.ts'

test('rows end with a line break, numbers stay numbers, and an unknown value is an empty cell', () => {
  expect(
    csvText([
      ['model', 'calls'],
      ['gpt-4.1', 12_000],
      ['claude', null],
    ]),
  ).toBe('\ufeffmodel,calls\r\ngpt-4.1,12000\r\nclaude,\r\n')
})

test('commas, quotes and line breaks do not break a cell', () => {
  expect(csvText([['a,b', 'say "hi"', 'two\nlines']])).toBe('\ufeff"a,b","say ""hi""","two\nlines"\r\n')
})

test('a name that looks like a formula stays text; a negative number stays a number', () => {
  expect(csvText([['=1+1', '@x', '-5', -5]])).toBe("\ufeff'=1+1,'@x,'-5,-5\r\n")
})
