import { expect, test } from 'bun:test'
import { csvText, parseCsv } from './channel-csv.ts'

test('a written file can be read back: commas, quotes, line breaks, formulas, leading quotes', () => {
  const rows = [
    ['name', 'text'],
    ['a,b', 'say "hello"'],
    ['two\nlines', 'three\r\nlines\r\n'],
    ['=1+1', '@sum'],
    ["'quoted", "'=both"],
    ['-5', '- dash'],
    ['＝wide', ''],
  ]
  expect(parseCsv(csvText(rows)).map(({ cells }) => cells)).toEqual(rows)
  expect(csvText([['=1+1'], ['-5']])).toBe("\ufeff'=1+1\r\n-5\r\n")
})

test('rows are identified by the line in which they begin; empty rows are skipped', () => {
  expect(parseCsv('a,b\n\n"x\ny",1\n , \r\nlast,2')).toEqual([
    { row: 1, cells: ['a', 'b'] },
    { row: 3, cells: ['x\ny', '1'] },
    { row: 6, cells: ['last', '2'] },
  ])
})

test('an unclosed quotation mark is reported with its row', () => {
  expect(() => parseCsv('a,b\n1,2\n3,"4\n5,6')).toThrow('A quotation mark in row 3 is not closed')
})
