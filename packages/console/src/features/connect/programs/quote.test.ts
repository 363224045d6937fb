import { expect, test } from 'bun:test'
import { go, json, jsonFile, powershell, sh, toml } from './quote.ts'

/** Characters that could end a literal, begin something else, or get lost. */
const ODD = [
  'plain',
  "it's",
  'a "b" c',
  '$HOME `id` $(id)',
  'back\\slash',
  'line\nbreak\ttab',
  'zh/中文 模型',
  '‘quoted’',
  '#{x} %s {env:KEY}',
  '',
]

test('sh returns every value unchanged', () => {
  for (const value of ODD) {
    const { stdout, exitCode } = Bun.spawnSync(['sh', '-c', `printf %s ${sh(value)}`])
    expect({ value, said: stdout.toString(), exitCode }).toEqual({ value, said: value, exitCode: 0 })
  }
})

test('PowerShell sees quotes only in pairs, including typographic ones', () => {
  expect(powershell("it's")).toBe("'it''s'")
  expect(powershell('‘a’')).toBe("'‘‘a’’'")
  for (const value of ODD) {
    const inner = powershell(value).slice(1, -1)
    expect(inner.replace(/(['‘’‚‛])\1/g, '')).not.toMatch(/['‘’‚‛]/)
  }
})

test('JSON and TOML are parsed back by their own parsers', () => {
  for (const value of [...ODD, 'a\u007fb']) {
    expect(JSON.parse(json(value))).toBe(value)
    expect(Bun.TOML.parse(`value = ${toml(value)}`)).toEqual({ value })
    expect(JSON.parse(jsonFile({ [value]: value }))).toEqual({ [value]: value })
  }
})

test('TOML and Go have no lone surrogates, no raw DEL, and no byte order mark', () => {
  expect(toml('a\u007f')).toBe('"a\\u007f"')
  expect(toml('a\ud800')).toBe('"a\ufffd"')
  expect(go('\ufeffa\ud800')).toBe('"\\ufeffa\ufffd"')
})
