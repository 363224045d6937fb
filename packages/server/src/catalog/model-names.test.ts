import { expect, test } from 'bun:test'
import { findProvider } from '@pydantic/genai-prices'
import { NO_USAGE } from '@tollgate/providers'
import { charge, micros } from '../ledger/rounding.ts'
import { LIBRARY_VENDORS } from './library.ts'
import { createPriceBook } from './prices.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const DEFAULT_RATIO = 30
const book = createPriceBook(
  { ModelRatio: new Map(), CompletionRatio: new Map(), DefaultModelRatio: DEFAULT_RATIO },
  AT,
)
const costOf = (model: string, type: number, usage = { input: 1000, output: 100 }) =>
  charge({ ...NO_USAGE, ...usage }, book(model, type).rates, micros(1))

const OPENROUTER = 20
const CUSTOM = 8
const GROQ = 29
const MISTRAL = 28

test.each([
  [':nitro', 'openai/gpt-4o:nitro', OPENROUTER, 'openai/gpt-4o'],
  [':online', 'openai/gpt-4o-mini:online', OPENROUTER, 'openai/gpt-4o-mini'],
  ['a maker in front, on a custom channel', 'openai/gpt-4o', CUSTOM, 'gpt-4o'],
  ['a maker and a dot for a dash', 'anthropic/claude-sonnet-4.5', CUSTOM, 'claude-sonnet-4-5'],
  ['capital letters', 'GPT-4o-Mini', CUSTOM, 'gpt-4o-mini'],
  ['a date', 'gpt-4o-mini-2024-07-18', CUSTOM, 'gpt-4o-mini'],
  ['an embedding of a router', 'openai/text-embedding-3-small', 55, 'text-embedding-3-small'],
  ['a dated moderation', 'omni-moderation-2024-09-26', 1, 'omni-moderation-latest'],
])('%s around a name does not hide its price', (_, written, type, sold) => {
  expect(book(written, type).source).toBe('library')
  expect(costOf(written, type)).toBe(costOf(sold, 1))
})

test('a model that a router offers for free is free, also through other routers', () => {
  for (const type of [OPENROUTER, CUSTOM]) {
    expect(book('deepseek/deepseek-r1:free', type).source).toBe('library')
    expect(costOf('deepseek/deepseek-r1:free', type)).toBe(0)
  }
})

test('audio that is sold by the hour is priced by its duration, at every vendor', () => {
  const hour = { ...NO_USAGE, audioInput: 36_000 }
  const dollars = (model: string, type: number) => charge(hour, book(model, type).rates, micros(1)) / 500_000
  expect(dollars('whisper-1', 1)).toBeCloseTo(0.36, 5)
  expect(dollars('whisper-large-v3', GROQ)).toBeCloseTo(0.111, 5)
  expect(dollars('voxtral-mini-latest', MISTRAL)).toBeCloseTo(0.18, 5)
})

test('an unknown name still costs the default', () => {
  for (const name of [
    'my-own-model',
    'openai/my-own-model',
    'constructor/my-own-model',
    'constructor',
    'my-own-model:nitro',
    'gpt',
    '/',
    ':free-of-charge',
    '-2024',
  ])
    expect(book(name, CUSTOM).source).toBe('default')
})

test("every model of the library has its vendor's own price under its own name, and behind the suffixes of routers", () => {
  const lost: string[] = []
  for (const [type, providerId] of Object.entries(LIBRARY_VENDORS)) {
    for (const { id } of findProvider({ providerId })?.models ?? []) {
      const plain = book(id, Number(type))
      if (plain.source !== 'library' || id.includes(':')) continue
      const variant = book(`${id}:nitro`, Number(type))
      if (variant.source !== 'library') lost.push(`${providerId} ${id}`)
    }
  }
  expect(lost).toEqual([])
})
