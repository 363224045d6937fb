import { expect, test } from 'bun:test'
import { OPTIONS } from '@tollgate/contract'
import { NO_USAGE, type Usage } from '@tollgate/providers'
import fc from 'fast-check'
import { createPriceBook } from '../catalog/prices.ts'
import { charge, isFree, micros, type Rates, rateOfDollars } from './rounding.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const check = <T extends [unknown, ...unknown[]]>(property: fc.IProperty<T>) =>
  fc.assert(property, { seed: SEED, numRuns: 2000, endOnFailure: true })

/* Exact fractions, computed from the decimal digits: no code is shared with what is tested. */

interface Fraction {
  over: bigint
  under: bigint
}

function fraction(decimal: string): Fraction {
  const [units = '0', digits = ''] = decimal.split('.')
  return { over: BigInt(units + digits), under: 10n ** BigInt(digits.length) }
}

const times = (one: Fraction, other: Fraction) => ({ over: one.over * other.over, under: one.under * other.under })
const plus = (one: Fraction, other: Fraction) => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
})
const whole = (count: number) => ({ over: BigInt(count), under: 1n })
const ZERO = whole(0)

function roundedUp({ over, under }: Fraction) {
  const quotient = over / under
  return quotient * under === over ? quotient : quotient + 1n
}

const BUCKETS = Object.keys(NO_USAGE) as (keyof Usage)[]
const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 100_000_000 }))
const usage = fc.record(
  Object.fromEntries(BUCKETS.map((bucket) => [bucket, tokens])) as Record<keyof Usage, typeof tokens>,
)
/** As typed: up to a million, six digits after the point. */
const ratio = fc
  .tuple(
    fc.oneof(fc.nat({ max: 20 }), fc.nat({ max: 1_000_000 })),
    fc.oneof(fc.constant(0), fc.nat({ max: 999_999 })),
    fc.nat({ max: 6 }),
  )
  .map(([units, digits, length]) => `${units}.${String(digits).padStart(6, '0').slice(0, length) || '0'}`)
const ratios = fc.record(
  Object.fromEntries(BUCKETS.map((bucket) => [bucket, ratio])) as Record<keyof Usage, typeof ratio>,
)

const ratesOf = (texts: Record<keyof Usage, string>, request = '0') => {
  const rates = { ...texts, requests: request }
  return Object.fromEntries(
    Object.entries(rates).map(([name, text]) => [name, micros(Number(text)) * 1_000_000n]),
  ) as Rates
}

function exactly(
  used: Usage,
  texts: Record<keyof Usage, string>,
  { request, group }: { request: string; group: string },
) {
  const sum = BUCKETS.reduce((sum, bucket) => plus(sum, times(whole(used[bucket]), fraction(texts[bucket]))), ZERO)
  const once = BUCKETS.some((bucket) => used[bucket] > 0) ? fraction(request) : ZERO
  return roundedUp(times(plus(sum, once), fraction(group)))
}

test(`a charge is the exact sum of all buckets plus the call's own price once, rounded up once [R1.11] [R1.15] (seed ${SEED})`, () => {
  check(
    fc.property(usage, ratios, ratio, ratio, (used, texts, request, group) => {
      const exact = exactly(used, texts, { request, group })
      const expected = exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact)
      expect(charge(used, ratesOf(texts, request), micros(Number(group)))).toBe(expected)
    }),
  )
})

test(`the values of ModelRatio, CompletionRatio and GroupRatio are charged exactly, to the last digit [R1.14] (seed ${SEED})`, () => {
  const used = fc.record({ prompt: tokens, completion: tokens })
  check(
    fc.property(used, ratio, ratio, ratio, ({ prompt, completion }, model, out, group) => {
      const book = createPriceBook({
        ModelRatio: new Map([['a-model', Number(model)]]),
        CompletionRatio: new Map([['a-model', Number(out)]]),
        DefaultModelRatio: 30,
      })
      const { rates, source } = book('a-model', 8)
      const output = times(times(whole(completion), fraction(out)), fraction(model))
      const sum = plus(times(whole(prompt), fraction(model)), output)
      const exact = roundedUp(times(sum, fraction(group)))
      const charged = charge({ ...NO_USAGE, input: prompt, output: completion }, rates, micros(Number(group)))
      expect(source).toBe('ratio')
      expect(charged).toBe(exact > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(exact))
    }),
  )
})

test(`anything that is not free costs at least 1, and nothing costs 0 (seed ${SEED})`, () => {
  check(
    fc.property(usage, ratios, ratio, (used, texts, group) => {
      const rates = ratesOf(texts)
      const factor = micros(Number(group))
      const costs = BUCKETS.some((bucket) => used[bucket] > 0 && rates[bucket] > 0n) && factor > 0n
      expect(charge(used, rates, factor) >= 1).toBe(costs)
    }),
  )
  const cheap = { ...ratesOf(everywhere('0')), input: 1n }
  expect(charge({ ...NO_USAGE, input: 1 }, cheap, 1n)).toBe(1)
  expect(charge(NO_USAGE, ratesOf(everywhere('30')), micros(1))).toBe(0)
})

test(`more tokens never cost less, and one call never costs more than the same in two (seed ${SEED})`, () => {
  check(
    fc.property(usage, usage, ratios, ratio, (one, other, texts, group) => {
      const rates = ratesOf(texts)
      const factor = micros(Number(group))
      const both = Object.fromEntries(
        BUCKETS.map((bucket) => [bucket, one[bucket] + other[bucket]]),
      ) as unknown as Usage
      const together = charge(both, rates, factor)
      const apart = charge(one, rates, factor) + charge(other, rates, factor)
      expect(together).toBeGreaterThanOrEqual(charge(one, rates, factor))
      if (together < Number.MAX_SAFE_INTEGER) expect(apart - together).toBeGreaterThanOrEqual(0)
      if (together < Number.MAX_SAFE_INTEGER) expect(apart - together).toBeLessThanOrEqual(1)
    }),
  )
})

test('a ratio, a factor or a multiple above 0 is never free, however small it is', () => {
  for (const tiny of [0.000_000_4, 1e-12, Number.MIN_VALUE]) {
    const ratios = { ModelRatio: new Map([['m', tiny]]), CompletionRatio: new Map(), DefaultModelRatio: 30 }
    const { rates } = createPriceBook(ratios)('m', 8)
    expect(isFree(rates, micros(tiny))).toBe(false)
    expect(charge({ ...NO_USAGE, input: 1 }, rates, micros(tiny))).toBe(1)
  }
  expect([micros(0), micros(1e-6), micros(0.1)]).toEqual([0n, 1n, 100_000n])
})

test('0.1 + 0.2 is 0.3 here: no price is a floating-point number', () => {
  const rates = { ...ratesOf(everywhere('0')), input: micros(0.1) * 1_000_000n, output: micros(0.2) * 1_000_000n }
  expect(charge({ ...NO_USAGE, input: 10, output: 10 }, rates, micros(1))).toBe(3)
  expect(charge({ ...NO_USAGE, input: 10, output: 10 }, rates, micros(1.1))).toBe(4)
})

test('a ratio of 1 is 0.002 dollars per thousand tokens, and a dollar is 500,000 [R1.11]', () => {
  expect(rateOfDollars(2)).toBe(micros(1) * 1_000_000n)
  const { rates } = createPriceBook({
    ModelRatio: new Map([['m', 1]]),
    CompletionRatio: new Map(),
    DefaultModelRatio: 30,
  })('m', 8)
  expect(charge({ ...NO_USAGE, input: 1_000_000_000 }, rates, micros(1)) / 500_000).toBe(2000)
})

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
  'a model called %s has the price of an unpriced model [R1.14]',
  (model) => {
    const options = {
      ModelRatio: OPTIONS.ModelRatio.schema.parse('{"gpt-4o":1.25}'),
      CompletionRatio: OPTIONS.CompletionRatio.schema.parse('{}'),
      DefaultModelRatio: 30,
    }
    const { rates, source } = createPriceBook(options)(model, 8)
    expect({ source, input: rates.input, output: rates.output }).toEqual({
      source: 'default',
      input: 30_000_000_000_000n,
      output: 30_000_000_000_000n,
    })
    expect(charge({ ...NO_USAGE, input: 10, output: 10 }, rates, micros(1))).toBe(600)
  },
)

test('a price for __proto__ is a price for __proto__ and for nothing else', () => {
  const ModelRatio = OPTIONS.ModelRatio.schema.parse('{"__proto__":2,"constructor":0}')
  const book = createPriceBook({ ModelRatio, CompletionRatio: new Map(), DefaultModelRatio: 30 })
  expect(book('__proto__', 8).rates.input).toBe(micros(2) * 1_000_000n)
  expect(isFree(book('constructor', 8).rates, micros(1))).toBe(true)
  expect(book('toString', 8).source).toBe('default')
})

test('absurd ratios make absurd prices, which are still exact or clearly out of range, never wrong', () => {
  const highest = createPriceBook({
    ModelRatio: new Map([['m', 1_000_000]]),
    CompletionRatio: new Map([['m', 1_000_000]]),
    DefaultModelRatio: 30,
  })('m', 8).rates
  expect(charge({ ...NO_USAGE, input: 9 }, highest, micros(1_000_000))).toBe(9_000_000_000_000)
  expect(charge({ ...NO_USAGE, output: 1 }, highest, micros(1_000_000))).toBe(Number.MAX_SAFE_INTEGER)
  const lowest = createPriceBook({
    ModelRatio: new Map([['m', 0.000001]]),
    CompletionRatio: new Map([['m', 0.000001]]),
    DefaultModelRatio: 30,
  })('m', 8).rates
  expect(charge({ ...NO_USAGE, input: 1_000_000, output: 1 }, lowest, micros(1))).toBe(2)
  expect(charge({ ...NO_USAGE, output: 1 }, lowest, micros(0.000001))).toBe(1)
})

test('a free model stays free, whatever its usage', () => {
  const free = createPriceBook({ ModelRatio: new Map([['m', 0]]), CompletionRatio: new Map(), DefaultModelRatio: 30 })
  expect(isFree(free('m', 8).rates, micros(1))).toBe(true)
  expect(charge({ ...NO_USAGE, input: 1_000_000, output: 1_000_000 }, free('m', 8).rates, micros(1))).toBe(0)
  expect(charge({ ...NO_USAGE, input: 1_000_000 }, ratesOf(everywhere('30')), micros(0))).toBe(0)
})

test('the price library has what the operator did not price, and embeddings through any reseller [R1.14]', () => {
  const book = createPriceBook({ ModelRatio: new Map(), CompletionRatio: new Map(), DefaultModelRatio: 30 })
  expect(book('gpt-4o', 1)).toMatchObject({ source: 'library', rates: { input: rateOfDollars(2.5) } })
  expect(book('gpt-4o', 8).rates.output).toBe(rateOfDollars(10))
  expect(book('text-embedding-3-small', 8)).toMatchObject({ source: 'library', rates: { input: rateOfDollars(0.02) } })
  expect(book('nobody-knows-this', 8).source).toBe('default')
})

test('a prompt that is cached for an hour costs twice its input, for minutes the library’s price', () => {
  const book = createPriceBook({ ModelRatio: new Map(), CompletionRatio: new Map(), DefaultModelRatio: 30 })
  expect(book('claude-sonnet-4-5', 14).rates).toMatchObject({
    input: rateOfDollars(3),
    cacheWrite: rateOfDollars(3.75),
    cacheWriteLong: rateOfDollars(6),
  })
  const { cacheWrite, cacheWriteLong } = book('gpt-4o', 1).rates
  expect(cacheWriteLong).toBe(cacheWrite)
})

test('the name with the channel type takes precedence over the name, and other buckets keep their proportion [R1.14]', () => {
  const book = createPriceBook({
    ModelRatio: new Map([
      ['gpt-4o', 10],
      ['gpt-4o(8)', 20],
    ]),
    CompletionRatio: new Map(),
    DefaultModelRatio: 30,
  })
  expect(book('gpt-4o', 1).rates).toMatchObject({ input: micros(10) * 1_000_000n, output: micros(40) * 1_000_000n })
  expect(book('gpt-4o', 8).rates).toMatchObject({
    input: micros(20) * 1_000_000n,
    cachedInput: micros(10) * 1_000_000n,
  })
})

function everywhere(text: string) {
  return Object.fromEntries(BUCKETS.map((bucket) => [bucket, text])) as Record<keyof Usage, string>
}
