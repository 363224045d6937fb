import { calcPrice, type ModelPrice } from '@pydantic/genai-prices'
import { type Rates, rateOfDollars, rateOfThousand } from '../ledger/rounding.ts'
import { LIBRARY_VENDORS } from './library.ts'
import { isFreeVariant, type ListedName, listedNames } from './model-names.ts'
import { ownPrice } from './own-prices.ts'

/** What a whole call costs, each of its tokens, when its input is longer than `above` tokens. */
export interface TierRates {
  above: number
  rates: Rates
}

export interface LibraryPrice {
  rates: Rates
  /** By rising length; none for most models. */
  tiers: readonly TierRates[]
}

/** The list price of a model, as the vendor behind a channel type sells it at a time; undefined when none is known. */
export const libraryPrice = (model: string, channelType: number, timestamp: Date): LibraryPrice | undefined => {
  const known = isFreeVariant(model) ? FREE : firstKnown(listedNames(model, channelType), channelType, timestamp)
  if (known === undefined) return undefined
  const price = { ...searchFees(model), ...known }
  return {
    rates: ratesAt(price, 0),
    tiers: thresholdsOf(price).map((above) => ({ above, rates: ratesAt(price, above + 1) })),
  }
}

function firstKnown(names: readonly ListedName[], channelType: number, timestamp: Date) {
  const channelVendor = LIBRARY_VENDORS[channelType]
  for (const { model, vendor } of names) {
    const listed = vendor === undefined ? ownPrice(model, channelType) : undefined
    if (listed !== undefined) return listed
    // Resellers offer OpenAI's embeddings too, whose names alone do not tell the library whose they are.
    const vendors = vendor === undefined ? [channelVendor, undefined, 'openai'] : [vendor]
    for (const providerId of new Set(vendors)) {
      const options = providerId === undefined ? { timestamp } : { providerId, timestamp }
      const price = byTheToken(calcPrice(ONE_TOKEN, model, options)?.model_price)
      if (price !== undefined) return price
    }
    const own = SOLD_OTHERWISE.get(model)
    if (own !== undefined) return own
  }
  return undefined
}

/** Ten tokens of sound are a second. */
const TOKENS_PER_HOUR = 36_000

/**
 * Undefined for what the library knows and does not price. Where sound is sold by the hour its words cost nothing; the
 * price of text is what an operator's ratio means, three times that of sound as the ancestor had it for Whisper.
 */
function byTheToken(price: ModelPrice | undefined): ModelPrice | undefined {
  if (price?.input_mtok !== undefined) return price
  const hour = price?.input_audio_hours
  if (typeof hour !== 'number') return undefined
  const heard = (hour * 1_000_000) / TOKENS_PER_HOUR
  return { input_mtok: heard * 3, input_audio_mtok: heard, output_mtok: 0 }
}

const FREE: ModelPrice = { input_mtok: 0, output_mtok: 0 }

const RANKING: ModelPrice = { input_mtok: 0, output_mtok: 0, storage_searches_kcount: 2 }

/** What is not sold by the token, mostly as if it were; the library has no prices for these. */
const SOLD_OTHERWISE = new Map<string, ModelPrice>([
  ['omni-moderation', FREE],
  ['omni-moderation-latest', FREE],
  // 2 and 4 cents for a picture of the plainest kind, which is a thousand tokens (`relay/meter/sold-by-picture.ts`).
  ['dall-e-2', { input_mtok: 0, output_mtok: 0, output_image_mtok: 20 }],
  ['dall-e-3', { input_mtok: 0, output_mtok: 0, output_image_mtok: 40 }],
  // 15 and 30 dollars for a million characters. A token is four of them.
  ['tts-1', { input_mtok: 60, output_mtok: 0 }],
  ['tts-1-hd', { input_mtok: 120, output_mtok: 0 }],
  // Cohere takes 2 dollars for a thousand searches, whatever their tokens.
  ...['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0'].map((model) => [model, RANKING] as const),
])

/** What the library does not know: dollars for a thousand searches, at Google and xAI. */
const SEARCH_FEES: readonly (readonly [models: RegExp, fees: ModelPrice])[] = [
  [/^gemini-[12]/, { web_searches_kcount: 35 }],
  [/^gemini-/, { web_searches_kcount: 14 }],
  [/^grok-/, { web_searches_kcount: 5, storage_searches_kcount: 2.5 }],
]

const searchFees = (model: string): ModelPrice => SEARCH_FEES.find(([models]) => models.test(model))?.[1] ?? {}

const ONE_TOKEN = { input_tokens: 1, output_tokens: 1 }

/** The rates of a call with so much input. A bucket that has no price costs what its plain sibling costs. */
function ratesAt(prices: ModelPrice, inputTokens: number): Rates {
  const dollars = (name: string) => {
    const price = prices[name]
    if (price === undefined || typeof price === 'number') return price
    const tier = price.tiers.toSorted(byStart).findLast(({ start }) => inputTokens > start)
    return tier === undefined ? price.base : tier.price
  }
  const rate = (name: string, otherwise: bigint) => {
    const price = dollars(name)
    return price === undefined ? otherwise : rateOfDollars(price)
  }
  const fee = (name: string) => rateOfThousand(dollars(name) ?? 0)
  const input = rate('input_mtok', 0n)
  const output = rate('output_mtok', 0n)
  const cacheWrite = rate('cache_write_mtok', input)
  return {
    input,
    cachedInput: rate('cache_read_mtok', input),
    cacheWrite,
    // Where the library does not say: the only vendor that keeps caches for an hour takes twice the input's price.
    cacheWriteLong: rate('cache_write_1h_mtok', cacheWrite > input ? input * 2n : cacheWrite),
    audioInput: rate('input_audio_mtok', input),
    imageInput: rate('input_image_mtok', input),
    output,
    reasoning: rate('output_reasoning_mtok', output),
    audioOutput: rate('output_audio_mtok', output),
    imageOutput: rate('output_image_mtok', output),
    webSearches: fee('web_searches_kcount'),
    fileSearches: fee('storage_searches_kcount'),
    requests: fee('requests_kcount'),
  }
}

/** The lengths of input at which any of the prices changes. */
function thresholdsOf(prices: ModelPrice) {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(starts)].toSorted((one, other) => one - other)
}

const byStart = (one: { start: number }, other: { start: number }) => one.start - other.start
