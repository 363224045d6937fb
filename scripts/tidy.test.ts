import { expect, test } from 'bun:test'
import { withTree } from './lib/temporary-tree.ts'
import { tidyFindings } from './tidy.ts'

const linesFound = (source: string) =>
  withTree({ 'packages/server/src/a.test.ts': source }, (root) => tidyFindings(root).map(({ line }) => line))

test('a lint suppression without a reason is found, one with a reason is not', () => {
  expect(linesFound('\n// biome-ignore lint/style/useConst\nlet a = 1')).toEqual([2])
  expect(linesFound('// biome-ignore lint/style/useConst: \nlet a = 1')).toEqual([1])
  expect(linesFound('/* biome-ignore-all lint/style/useConst */')).toEqual([1])
  expect(linesFound('// biome-ignore lint/style/useConst: the library writes it\nlet a = 1')).toEqual([])
})

test('silenced types are found', () => {
  expect(linesFound('// @ts-expect-error whatever the reason\nf(1)')).toEqual([1])
  expect(linesFound('/* @ts-ignore */')).toEqual([1])
  expect(linesFound('f(\n  value as any,\n)')).toEqual([2])
})

test('tests that do not run are found', () => {
  for (const test of ['test.skip(', 'it.todo(', 'describe.skip(', 'test.skipIf(', 'xit(']) {
    expect(linesFound(`${test}'later', () => {})`)).toEqual([1])
  }
  expect(linesFound("test.only('this', () => {})")).toEqual([1])
  expect(linesFound("test.describe.only('this', () => {})")).toEqual([1])
})

test('talking about it is allowed', () => {
  expect(linesFound("// test.skip( and as any\nconst text = 'test.only(' + `as any` // .only(")).toEqual([])
  expect(linesFound("const re = /as any/\nconst url = 'https://a.b' // '")).toEqual([])
})
