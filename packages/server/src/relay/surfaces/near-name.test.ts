import { expect, test } from 'bun:test'
import { nearName } from './near-name.ts'

const NAMES = ['claude-opus-4-5', 'claude-sonnet-4-5', 'gpt-4o', 'gpt-4o-mini', 'gemini-2.5-flash', 'toll-1']

test.each([
  ['gpt-4o-mimi', 'gpt-4o-mini'],
  ['gpt4o', 'gpt-4o'],
  ['GPT-4O', 'gpt-4o'],
  ['openai/gpt-4o', 'gpt-4o'],
  ['models/gemini-2.5-flash', 'gemini-2.5-flash'],
  ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
  ['claude-sonnet', 'claude-sonnet-4-5'],
  ['gemini-2.5-flahs', 'gemini-2.5-flash'],
  ['mistral-large', undefined],
  ['toll', 'toll-1'],
  ['x', undefined],
  ['', undefined],
])('%p was probably meant to be %p', (wanted, near) => {
  expect(nearName(wanted, NAMES)).toBe(near)
})

test('a long name among many costs less than a call', () => {
  const names = Array.from({ length: 50_000 }, (_, at) => `${'m'.repeat(120)}-${at}`)
  const startedAt = performance.now()
  nearName(`${'m'.repeat(120)}-nobody`, names)
  nearName('m'.repeat(100_000), names)
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
