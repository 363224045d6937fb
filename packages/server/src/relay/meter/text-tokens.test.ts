import { expect, test } from 'bun:test'
import { TOKEN_SAMPLES } from '../../testing/token-samples.ts'
import { likelyTokensOf, mostTokensOf } from './text-tokens.ts'

const median = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0

test.each(TOKEN_SAMPLES.map((sample) => [sample.name, sample] as const))(
  'the bound of a text is at least what real tokenizers count: %s',
  (_, { text, cl100k, o200k, claude, llama, mistral }) => {
    const bytes = Buffer.byteLength(text)
    expect(mostTokensOf(text)).toBeGreaterThanOrEqual(Math.max(cl100k, o200k, llama, mistral))
    // Anthropic's replaces some letters by several before it counts, so that it has more tokens than the text has bytes.
    expect(mostTokensOf(text)).toBeGreaterThanOrEqual(0.99 * Math.min(claude, bytes))
    // Some vendors have a token for every digit, and none more than one per byte.
    expect(mostTokensOf(text)).toBeLessThanOrEqual(bytes)
  },
)

test('the samples are of more than 20 scripts, and of code, JSON and base64', () => {
  expect(TOKEN_SAMPLES.length).toBeGreaterThan(45)
})

test('the bound is at most three times the tokens in the median, and the typical estimate is near the newer tokenizer’s', () => {
  const bounds = TOKEN_SAMPLES.flatMap(({ text, cl100k, o200k }) =>
    [cl100k, o200k].map((real) => mostTokensOf(text) / real),
  )
  expect(median(bounds)).toBeLessThan(3)
  const likely = TOKEN_SAMPLES.map(({ text, o200k }) => likelyTokensOf(text) / o200k)
  expect(median(likely)).toBeWithin(0.85, 1.15)
  expect(Math.min(...likely)).toBeGreaterThan(0.6)
  expect(Math.max(...likely)).toBeLessThan(2)
})

test('for long texts combined from any samples, the bound holds in 99.9 % and stays below three times in the median', () => {
  const rounds = 2000
  let short = 0
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const picked = Array.from({ length: 40 }, () => someSample())
    // Uniform stretches are the hardest to sample.
    const times = 1 + Math.floor(Math.random() * 8)
    const text = picked.map((sample) => sample.text.repeat(times)).join('\n')
    const real = picked.reduce((sum, sample) => sum + sample.cl100k * times, 0)
    const ratio = mostTokensOf(text) / real
    if (ratio < 1) short++
    ratios.push(ratio)
  }
  expect(short / rounds).toBeLessThanOrEqual(0.001)
  expect(median(ratios)).toBeLessThan(3)
})

test('in fast mode the bound holds for a prompt of many texts', () => {
  for (let round = 0; round < 200; round++) {
    const picked = Array.from({ length: 50 }, () => someSample())
    const bound = picked.reduce((sum, { text }) => sum + mostTokensOf(text.repeat(10), true), 0)
    expect(bound).toBeGreaterThanOrEqual(picked.reduce((sum, { cl100k }) => sum + 10 * cl100k, 0))
  }
})

test.each([
  ['400 letters before 8000 Chinese characters', 'a'.repeat(400) + '水'.repeat(8000), 8000],
  ['English for long, then Burmese', 'All is well. '.repeat(4000) + 'မွေးဖွားလာသူများ'.repeat(2000), 12_000 + 2000 * 16],
  ['one long word of Burmese', 'မ'.repeat(8000), 8000],
])('the end of a text counts like its beginning: %s', (_, text, tokens) => {
  expect(mostTokensOf(text)).toBeGreaterThanOrEqual(tokens)
})

test.each([
  ['control characters', '\u0001\u0007'.repeat(500), 1000],
  ['lines that end as on Windows', 'a\r\n'.repeat(300), 600],
  ['private use', '\ue123\uf000'.repeat(100), 600],
])('what each tokenizer splits into bytes counts in full: %s', (_, text, tokens) => {
  expect(mostTokensOf(text)).toBeGreaterThanOrEqual(tokens)
})

test('no text is counted as more tokens than bytes, and none is free', () => {
  for (const text of ['', 'a', '\u{10ffff}', '\ud800', '\uffff', '1'.repeat(10_000), 'ꀀ'.repeat(10_000)]) {
    expect(mostTokensOf(text)).toBeLessThanOrEqual(Buffer.byteLength(text))
    expect(mostTokensOf(text)).toBeGreaterThanOrEqual(text === '' ? 0 : 1)
  }
})

function someSample() {
  const sample = TOKEN_SAMPLES[Math.floor(Math.random() * TOKEN_SAMPLES.length)]
  if (sample === undefined) throw new Error('There is no sample')
  return sample
}
