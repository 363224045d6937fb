import { expect, test } from 'bun:test'
import { calcPrice, findProvider } from '@pydantic/genai-prices'
import { inputTokens, NO_USAGE, type Usage } from '@tollgate/providers'
import fc from 'fast-check'
import { charge, micros, rateOfDollars, rateOfThousand } from '../ledger/rounding.ts'
import { LIBRARY_VENDORS } from './library.ts'
import { createPriceBook, createPrices, type Price, ratesOf, tierOf } from './prices.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const NO_RATIOS = { ModelRatio: new Map(), CompletionRatio: new Map(), DefaultModelRatio: 30 }
const ONE = micros(1)
const AT = new Date('2026-11-15T12:00:00Z')

const book = createPriceBook(NO_RATIOS, AT)
const costOf = (price: Price, usage: Partial<Usage>, factor = ONE) => {
  const used = { ...NO_USAGE, ...usage }
  return charge(used, ratesOf(price, used), factor)
}

/** Every tiered model of the library that a channel type offers, under a name in its vendor's price list. */
const TIERED = Object.entries(LIBRARY_VENDORS).flatMap(([type, providerId]) =>
  (findProvider({ providerId })?.models ?? []).flatMap(({ id }) => {
    const price = book(id, Number(type))
    const known =
      calcPrice({ input_tokens: 1 }, id, { providerId, timestamp: AT })?.model_price.input_mtok !== undefined
    return known && price.tiers.length > 0 ? [{ id, providerId, price }] : []
  }),
)

test('at the threshold a call costs the plain price, one token above it all of its tokens cost the higher one', () => {
  const gemini = book('gemini-2.5-pro', 24)
  expect(costOf(gemini, { input: 200_000, output: 10 })).toBe(125_000 + 50)
  expect(costOf(gemini, { input: 200_001, output: 10 })).toBe(Math.ceil(250_001.25 + 75))
  expect(costOf(gemini, { input: 200_001, output: 10 }, micros(0.5))).toBe(Math.ceil((250_001.25 + 75) / 2))
  const gpt = book('gpt-5.4', 1)
  expect(costOf(gpt, { input: 271_999, output: 1000 })).toBe(Math.ceil(271_999 * 1.25) + 7500)
  expect(costOf(gpt, { input: 272_000, output: 1000 })).toBe(272_000 * 2.5 + 11_250)
})

test('all input counts for the threshold: fresh, cached, cache-written, audio and images; output does not', () => {
  const gemini = book('gemini-2.5-pro', 24)
  expect(costOf(gemini, { input: 50_001, cachedInput: 150_000 })).toBe(Math.ceil(50_001 * 1.25 + 150_000 * 0.125))
  const claude = book('claude-sonnet-4-5', 14)
  const written = { input: 1, cachedInput: 100_000, cacheWrite: 60_000, cacheWriteLong: 40_000 }
  expect(costOf(claude, written)).toBe(3 + 100_000 * 0.3 + 60_000 * 3.75 + 40_000 * 6)
  const kinds = ['input', 'cachedInput', 'cacheWrite', 'cacheWriteLong', 'audioInput', 'imageInput'] as const
  for (const kind of kinds) expect(tierOf(gemini, { ...NO_USAGE, [kind]: 200_001 })?.above).toBe(200_000)
  const much = { ...NO_USAGE, input: 200_000, output: 900_000, reasoning: 900_000, webSearches: 900_000 }
  expect(tierOf(gemini, much)).toBeUndefined()
})

test(`every tiered model of the library costs what the library itself computes (seed ${SEED})`, () => {
  expect(TIERED.length).toBeGreaterThan(20)
  const counts = fc.record({
    input: fc.integer({ min: 0, max: 600_000 }),
    cachedInput: fc.integer({ min: 0, max: 300_000 }),
    output: fc.integer({ min: 0, max: 100_000 }),
  })
  fc.assert(
    fc.property(fc.constantFrom(...TIERED), counts, ({ id, providerId, price }, used) => {
      const { input, cachedInput, output } = used
      const usage = { input_tokens: input + cachedInput, cache_read_tokens: cachedInput, output_tokens: output }
      const theirs = (calcPrice(usage, id, { providerId, timestamp: AT })?.total_price ?? Number.NaN) * 500_000
      const ours = costOf(price, used)
      // Theirs is a floating-point number, ours is exact and rounded up.
      expect(ours).toBeGreaterThanOrEqual(theirs - 1e-3)
      expect(ours).toBeLessThan(theirs + 1 + 1e-3)
    }),
    { seed: SEED, numRuns: 2000, endOnFailure: true },
  )
})

test(`more usage never costs less, across every threshold of every tiered model (seed ${SEED})`, () => {
  const buckets = Object.keys(NO_USAGE) as (keyof Usage)[]
  const counts = (max: number) => fc.record(Object.fromEntries(buckets.map((bucket) => [bucket, fc.nat({ max })])))
  const near = fc.integer({ min: -3, max: 3 })
  fc.assert(
    fc.property(fc.constantFrom(...TIERED), counts(60_000), counts(4), near, ({ price }, some, more, offset) => {
      const less = { ...NO_USAGE, ...some }
      // Close to a threshold, where a step in the price could hide.
      less.input = Math.max(0, (price.tiers[0]?.above ?? 0) + offset - inputTokens({ ...less, input: 0 }))
      const greater = { ...NO_USAGE }
      for (const bucket of buckets) greater[bucket] = less[bucket] + (more[bucket] ?? 0)
      expect(costOf(price, greater)).toBeGreaterThanOrEqual(costOf(price, less))
    }),
    { seed: SEED, numRuns: 2000, endOnFailure: true },
  )
})

test('a model without tiers has none, and its rates are the same object at any length', () => {
  const price = book('gpt-4o', 1)
  expect(price.tiers).toHaveLength(0)
  expect(ratesOf(price, { ...NO_USAGE, input: 90_000_000 })).toBe(price.rates)
})

test('an operator’s ratio is the price of calls of any length; a completion ratio keeps the tiers', () => {
  const own = createPriceBook({ ...NO_RATIOS, ModelRatio: new Map([['gemini-2.5-pro', 2]]) }, AT)
  expect(own('gemini-2.5-pro', 24).tiers).toEqual([])
  expect(costOf(own('gemini-2.5-pro', 24), { input: 300_000 })).toBe(600_000)
  const completion = createPriceBook({ ...NO_RATIOS, CompletionRatio: new Map([['gemini-2.5-pro', 3]]) }, AT)
  const price = completion('gemini-2.5-pro', 24)
  expect(costOf(price, { input: 200_000, output: 8 })).toBe(125_000 + 15)
  expect(costOf(price, { input: 300_000, output: 8 })).toBe(375_000 + 30)
})

test('an operator may set prices for long calls too, by the name', () => {
  const own = createPriceBook(
    {
      ...NO_RATIOS,
      ModelRatio: new Map([
        ['sonar', 1],
        ['sonar>1000', 3],
        ['sonar>500', 2],
        ['sonar>many', 9],
        ['sonar-pro>10', 9],
      ]),
      CompletionRatio: new Map([
        ['sonar', 4],
        ['sonar>1000', 5],
      ]),
    },
    AT,
  )('sonar', 52)
  expect(own.tiers.map(({ above }) => above)).toEqual([500, 1000])
  const request = 12_000
  expect(costOf(own, { input: 500, output: 1 })).toBe(500 + 4 + request)
  expect(costOf(own, { input: 501, output: 1 })).toBe(1002 + 8 + request)
  expect(costOf(own, { input: 1001, output: 1 })).toBe(3003 + 15 + request)
})

test('a name with the channel type decides the tiers of its channels, and custom tiers work with a library price too', () => {
  const ratios = new Map([
    ['gemini-2.5-pro>100', 4],
    ['gemini-2.5-pro(42)', 2],
  ])
  const own = createPriceBook({ ...NO_RATIOS, ModelRatio: ratios }, AT)
  expect(own('gemini-2.5-pro', 24)).toMatchObject({ source: 'library', tiers: [{ above: 100 }] })
  expect(costOf(own('gemini-2.5-pro', 24), { input: 100 })).toBe(63)
  expect(costOf(own('gemini-2.5-pro', 24), { input: 101, output: 1 })).toBe(404 + 32)
  expect(own('gemini-2.5-pro', 42)).toMatchObject({ source: 'ratio', tiers: [] })
})

test('tools and requests cost the library’s price per thousand; without one, tools cost the usual price', () => {
  expect(book('claude-opus-5', 14).rates).toMatchObject({ webSearches: rateOfThousand(10), requests: 0n })
  expect(book('gpt-5.4', 1).rates).toMatchObject({ webSearches: 5000n * 10n ** 12n, fileSearches: rateOfThousand(2.5) })
  expect(costOf(book('sonar', 52), { input: 10, output: 20 })).toBe(15 + 6000)
  expect(costOf(book('sonar', 52), { input: 10, output: 20 }, micros(2))).toBe(30 + 12_000)
  expect(costOf(book('sonar', 52), {})).toBe(0)
  const usual = { webSearches: rateOfThousand(10), codeSessions: rateOfThousand(30), requests: 0n }
  expect(book('nobody-knows-this', 8).rates).toMatchObject(usual)
  const routed = book('mistralai/mistral-large-2512', 20)
  expect(routed.rates).toMatchObject(usual)
  expect(routed.assumed.has('webSearches')).toBe(true)
  expect(book('gpt-5.4', 1).assumed.has('webSearches')).toBe(false)
  // Free items, and those included in a request, are not billed separately.
  expect(book('deepseek/deepseek-r1:free', 20).rates).toMatchObject({ webSearches: 0n, codeSessions: 0n })
  expect(book('sonar', 52).rates.webSearches).toBe(0n)
})

test("with an operator's ratio, searches and requests keep their proportion, and a free model stays free", () => {
  const own = (ratio: number) => createPriceBook({ ...NO_RATIOS, ModelRatio: new Map([['sonar', ratio]]) }, AT)
  expect(own(1)('sonar', 52).rates).toMatchObject({ input: rateOfDollars(2), requests: rateOfThousand(24) })
  expect(costOf(own(0)('sonar', 52), { input: 10, output: 20, webSearches: 3 })).toBe(0)
})

test('a price that depends on the time of day is that of the current half hour', () => {
  let now = Date.parse('2026-11-15T00:59:59Z')
  const prices = createPrices({ options: { values: () => NO_RATIOS }, clock: { now: () => now } })
  const input = () => prices.book()('deepseek-v4-pro', 36).rates.input
  const off = input()
  const first = prices.book()
  now += 1000
  expect(input()).toBe(rateOfDollars(1.32))
  expect(prices.book()).not.toBe(first)
  const peak = prices.book()
  now = Date.parse('2026-11-15T01:29:59Z')
  expect(prices.book()).toBe(peak)
  now = Date.parse('2026-11-15T04:00:00Z')
  expect(input()).toBe(off)
  expect(off).toBeLessThan(rateOfDollars(1.32))
})
