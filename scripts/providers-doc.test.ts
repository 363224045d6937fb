import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { providersDoc } from './providers-doc.ts'

test('docs/providers.md matches the code', () => {
  const written = readFileSync(new URL('../docs/providers.md', import.meta.url), 'utf8')
  expect(written).toBe(providersDoc())
})

test('every channel type has its section, with refused and dropped parameters', () => {
  const doc = providersDoc()
  for (const { value, label } of CHANNEL_TYPES) expect(doc).toContain(`\n## ${value} ${label.en}\n`)
  const claude = doc.slice(doc.indexOf('## 14 '), doc.indexOf('## 15 '))
  expect(claude).toContain('- refused: `audio`, `n`, `logprobs`, `input_audio`')
  expect(claude).toContain('- dropped: `seed`,')
})
