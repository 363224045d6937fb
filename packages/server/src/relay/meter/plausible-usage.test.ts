import { expect, test } from 'bun:test'
import { NO_USAGE, type Usage } from '@tollgate/providers'
import { isPlausible } from './plausible-usage.ts'

const LINE = { messages: [{ role: 'user', content: 'When is high tide?' }] }
const SEARCH = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }
const OWN_TOOL = {
  tools: [
    { type: 'function', function: { name: 'search' } },
    { name: 'f', input_schema: {} },
  ],
}

const plausible = (usage: Partial<Usage>, body: object = {}, { model = 'm', counted = 6 } = {}) =>
  isPlausible({ ...NO_USAGE, ...usage }, { model, body: { ...LINE, ...body } }, () => counted)

test.each<[string, Partial<Usage>, object, { model?: string; counted?: number }]>([
  ['a tool loop', { cachedInput: 2_500_000, cacheWrite: 300_000, webSearches: 12, output: 9000 }, SEARCH, {}],
  ['the same, reported by its searches only', { cachedInput: 2_500_000, cacheWrite: 300_000, webSearches: 12 }, {}, {}],
  ['deep research', { input: 2_400_000, output: 30_000 }, {}, { model: 'o3-deep-research' }],
  [
    'deep research with tools',
    { input: 2_400_000, reasoning: 90_000 },
    { tools: [{ type: 'web_search_preview' }] },
    {},
  ],
  ['eight answers', { input: 20, output: 224_000 }, { n: 8 }, {}],
  ['128 answers of the longest kind', { input: 20, output: 128 * 300_000 }, { n: 128 }, {}],
  ['the longest answer', { input: 20, reasoning: 128_000, output: 128_000 }, {}, {}],
  ['an earlier conversation', { cachedInput: 1_900_000 }, { previous_response_id: 'resp_1' }, {}],
  ['a film', { input: 1_000_000 }, { contents: [{ parts: [{ fileData: { fileUri: 'https://x/a.mp4' } }] }] }, {}],
  ['a full window that was sent', { input: 1_000_000 }, {}, { counted: 900_000 }],
  ['what a vendor puts around a line', { input: 150_000 }, {}, {}],
])('usage within what a vendor can do is accepted: %s', (_, usage, body, more) => {
  expect(plausible(usage, body, more)).toBe(true)
})

test.each<[string, Partial<Usage>, object]>([
  ['millions read for one line', { input: 2_000_000 }, {}],
  ['millions from the cache for one line', { cachedInput: 2_000_000 }, {}],
  ['the same with tools that the caller runs', { input: 2_000_000 }, OWN_TOOL],
  ['more than a window of an earlier conversation', { input: 2_100_000 }, { previous_response_id: 'resp_1' }],
  ['a million written in one answer', { output: 1_000_000 }, {}],
  ['more than all turns can read', { cachedInput: 99_000_000, input: 2_000_000 }, SEARCH],
  ['searches without number', { webSearches: 50_000 }, SEARCH],
  ['a count below zero', { input: -1 }, {}],
  ['half a token', { output: 0.5 }, {}],
  ['no number', { output: Number.NaN }, {}],
])('usage beyond that is an anomaly: %s', (_, usage, body) => {
  expect(plausible(usage, body)).toBe(false)
})
