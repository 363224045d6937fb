import { expect, test } from 'bun:test'
import { OPTION_KEYS, OPTIONS } from '@tollgate/contract'
import { en } from '../../../text/en/options.ts'
import { zh } from '../../../text/zh/options.ts'
import { SECTIONS } from './sections.ts'

const placed = (['operation', 'system', 'other'] as const).flatMap((tab) =>
  SECTIONS[tab].flatMap(({ keys }) => keys.map((key) => ({ key, tab }))),
)

test('every option is edited once, on the tab it belongs to [R2.58 R2.68 R2.78 R3.21 R3.22 R3.23]', () => {
  for (const key of OPTION_KEYS) {
    const tabs = placed.filter((place) => place.key === key).map(({ tab }) => tab)
    expect(tabs, key).toEqual([OPTIONS[key].tab])
  }
})

test('every option has a label in both languages', () => {
  for (const key of OPTION_KEYS) {
    for (const { label } of [zh, en])
      expect(Object.entries(label).find(([name]) => name === key)?.[1], key).toBeTruthy()
  }
})

test('help is written only for options that exist', () => {
  const known = new Set<string>(OPTION_KEYS)
  expect(Object.keys(zh.help).filter((key) => !known.has(key))).toEqual([])
})
