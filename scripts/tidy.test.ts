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

test('a browser test that looks for a part of a name is found, one that looks for the whole or a pattern is not', () => {
  const found = (source: string) =>
    withTree({ 'e2e/a.spec.ts': source }, (root) => tidyFindings(root).map(({ line }) => line))
  for (const search of [
    "getByLabel('Name')",
    'getByLabel(`Name`, { exact: isExact(1) })',
    'getByPlaceholder(label)',
    "getByTitle('Name')",
    "getByRole('button', { name: 'Name' })",
    "getByRole('button', { name })",
    "getByRole('heading', { name: titleOf('exact: true'), level: 1 })",
    "getByRole('button', { name: 'Name', exact: false })",
  ]) {
    expect(found(`\nawait page\n  .${search}.click()`), search).toEqual([3])
  }
  for (const search of [
    "getByRole('table')",
    "getByRole('button', { name: 'Name', exact: true })",
    "getByRole('button', {\n  name: nameOf(row),\n  exact: true,\n})",
    "getByRole('row', { name: /^Name/ })",
    "getByRole('row', { name: new RegExp(name) })",
    "getByLabel('Name', { exact: true })",
    'getByLabel(/^Name$/)',
    "getByText('a part of a sentence')",
  ]) {
    expect(found(`page.${search}`), search).toEqual([])
  }
  expect(linesFound("page.getByLabel('Name')")).toEqual([])
})

test('a browser test that needs to see a message before it is gone is found', () => {
  expect(linesFound("\nawait expect(toasts(page)).toContainText('Saved')")).toEqual([2])
  expect(linesFound("await toasted(page, 'Saved')\nawait expect(toasts(page)).toBeEmpty()")).toEqual([])
})

test('a table that is read by any text is found, unless it cannot answer with what it inherits', () => {
  const found = (source: string, file = 'packages/providers/src/a.ts') =>
    withTree({ [file]: source }, (root) => tidyFindings(root).map(({ line }) => line))
  const table = "const REASONS: Record<string, string> = { end_turn: 'stop' }\n"
  expect(found(`${table}export const of = (reason: string) => REASONS[reason] ?? 'stop'`)).toEqual([2])
  expect(found('const KINDS = { a: 1 }\nexport const isKind = (kind: string) => kind in KINDS')).toEqual([2])
  expect(found(`${table}export const known = Object.entries(REASONS)`)).toEqual([])
  expect(found(`${table}Object.hasOwn(REASONS, name) ? REASONS[name] : undefined`)).toEqual([])
  expect(found("const REASONS = new Map<string, string>([['end_turn', 'stop']])\nREASONS.get(name)")).toEqual([])
  expect(found(`${table}REASONS[name]`, 'packages/providers/src/a.test.ts')).toEqual([])
})

test('talking about it is allowed', () => {
  expect(linesFound("// test.skip( and as any\nconst text = 'test.only(' + `as any` // .only(")).toEqual([])
  expect(linesFound("const re = /as any/\nconst url = 'https://a.b' // '")).toEqual([])
})
