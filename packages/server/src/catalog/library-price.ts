import { calcPrice, type ModelPrice } from '@pydantic/genai-prices'
import { type Rates, rateOfDollars, rateOfThousand, TOOLS } from '../ledger/rounding.ts'
import { LIBRARY_VENDORS } from './library.ts'
import { isFreeVariant, type ListedName, listedNames } from './model-names.ts'
import { ownPrice } from './own-prices.ts'
import { FEE_NAMES, type ToolBucket, toolFees, USUAL_FEES } from './tool-fees.ts'

/** The rates of a call whose input is longer than `above` tokens; they apply to all of its tokens. */
export interface TierRates {
  above: number
  rates: Rates
}

export interface LibraryPrice {
  rates: Rates
  /** Buckets whose price is assumed because no source states it. */
  assumed: ReadonlySet<keyof Rates>
  /** By ascending length; none for most models. */
  tiers: readonly TierRates[]
}

/** The list price of a model at the vendor of a channel type at a time; undefined when unknown. */
export const libraryPrice = (model: string, channelType: number, timestamp: Date): LibraryPrice | undefined => {
  const known = isFreeVariant(model) ? FREE : firstKnown(listedNames(model, channelType), channelType, timestamp)
  if (known === undefined) return undefined
  const price = { ...toolFees(model), ...known }
  return {
    rates: ratesAt(price, 0),
    assumed: assumedOf(price, model),
    tiers: thresholdsOf(price).map((above) => ({ above, rates: ratesAt(price, above + 1) })),
  }
}

function firstKnown(names: readonly ListedName[], channelType: number, timestamp: Date) {
  const channelVendor = LIBRARY_VENDORS[channelType]
  for (const { model, vendor } of names) {
    const listed = vendor === undefined ? ownPrice(model, channelType) : undefined
    if (listed !== undefined) return listed
    // Resellers offer OpenAI's embeddings too, whose names alone do not identify the vendor in the library.
    const vendors = vendor === undefined ? [channelVendor, undefined, 'openai'] : [vendor]
    for (const providerId of new Set(vendors)) {
      const options = providerId === undefined ? { timestamp } : { providerId, timestamp }
      const price = byTheToken(calcPrice(ONE_TOKEN, model, options)?.model_price)
      if (price !== undefined) return price
    }
    const own = TRANSLATES.test(model) ? perMillionCharacters(25) : SOLD_OTHERWISE.get(model)
    if (own !== undefined) return own
  }
  return undefined
}

/** Audio counts as ten tokens per second. */
const TOKENS_PER_HOUR = 36_000
/** Prices are cut to eight decimals. */
const DECIMALS = 100_000_000

/**
 * Undefined for models that the library lists without a price. Where audio is billed by the hour its text costs nothing; the
 * price of text is what an operator's ratio refers to, three times that of audio as one-api had it for Whisper.
 */
function byTheToken(price: ModelPrice | undefined): ModelPrice | undefined {
  if (price?.input_mtok !== undefined) return price
  const hour = price?.input_audio_hours
  if (typeof hour !== 'number') return undefined
  // Rounded down, or a whole hour would slightly exceed its price and be rounded up.
  const audioPrice = Math.floor((hour * 1_000_000 * DECIMALS) / TOKENS_PER_HOUR) / DECIMALS
  return { input_mtok: audioPrice * 3, input_audio_mtok: audioPrice, output_mtok: 0 }
}

const FREE: ModelPrice = { input_mtok: 0, output_mtok: 0 }

/** Cohere takes 2 dollars for a thousand searches, whatever their tokens. */
const RERANK: ModelPrice = { input_mtok: 0, output_mtok: 0, storage_searches_kcount: 2 }

/** Models that are not billed by the token, mostly expressed as if they were; the library has no prices for them. */
const SOLD_OTHERWISE = new Map<string, ModelPrice>([
  ['omni-moderation', FREE],
  ['omni-moderation-latest', FREE],
  // 2 and 4 cents for a standard image, which counts as a thousand tokens (`relay/meter/sold-by-image.ts`).
  ['dall-e-2', { input_mtok: 0, output_mtok: 0, output_image_mtok: 20 }],
  ['dall-e-3', { input_mtok: 0, output_mtok: 0, output_image_mtok: 40 }],
  // By the character, which an operator's ratio refers to as well.
  ...['tts-1', 'tts-1-1106'].map((model) => [model, perMillionCharacters(15)] as const),
  ...['tts-1-hd', 'tts-1-hd-1106'].map((model) => [model, perMillionCharacters(30)] as const),
  // Audio in and out; the library has only its text price.
  ['gpt-4o-audio-preview', { input_mtok: 2.5, output_mtok: 10, input_audio_mtok: 40, output_audio_mtok: 80 }],
  ['gpt-4o-mini-audio-preview', { input_mtok: 0.15, output_mtok: 0.6, input_audio_mtok: 10, output_audio_mtok: 20 }],
  // https://platform.openai.com/docs/pricing: for a second at 720p; other sizes are in `video-sizes.ts`.
  ['sora-2', perVideoSecond(0.1)],
  ['sora-2-pro', perVideoSecond(0.3)],
  // https://ai.google.dev/gemini-api/docs/pricing; Vertex AI has the same models under names of their own.
  ...['veo-3.1-generate-preview', 'veo-3.1-generate-001'].map((model) => [model, perVideoSecond(0.4)] as const),
  ...['veo-3.1-fast-generate-preview', 'veo-3.1-fast-generate-001'].map(
    (model) => [model, perVideoSecond(0.1)] as const,
  ),
  ...['veo-3.1-lite-generate-preview', 'veo-3.1-lite-generate-001'].map(
    (model) => [model, perVideoSecond(0.05)] as const,
  ),
  ...['rerank-v3.5', 'rerank-english-v3.0', 'rerank-multilingual-v3.0'].map((model) => [model, RERANK] as const),
])

/** DeepL's names contain the target language; a million characters cost 25 dollars. */
const TRANSLATES = /^deepl(?:-|$)/

function perMillionCharacters(dollars: number): ModelPrice {
  return { input_mtok: dollars, output_mtok: 0, input_characters_mchar: dollars }
}

/** The price of text is what an operator's ratio means; a prompt costs nothing. */
function perVideoSecond(dollars: number): ModelPrice {
  const thousand = dollars * 1000
  return { input_mtok: thousand, output_mtok: 0, output_video_kseconds: thousand }
}

/** A second of video counts as this many tokens of a ratio, like an image. */
export const VIDEO_SECOND = 1000n

/** The same for a task with a price per piece. */
export const TASK = 1000n

const ONE_TOKEN = { input_tokens: 1, output_tokens: 1 }

/** The rates of a call with this much input. A bucket without a price costs the same as its plain sibling. */
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
  const input = rate('input_mtok', 0n)
  const output = rate('output_mtok', 0n)
  const cachedInput = rate('cache_read_mtok', input)
  const audioInput = rate('input_audio_mtok', input)
  const imageInput = rate('input_image_mtok', input)
  // Free models have free tools too.
  const usual = (bucket: ToolBucket) => (input + output === 0n ? 0n : USUAL_FEES[bucket])
  const fee = (bucket: ToolBucket) => {
    const price = dollars(FEE_NAMES[bucket])
    return price === undefined ? usual(bucket) : rateOfThousand(price)
  }
  const cacheWrite = rate('cache_write_mtok', input)
  return {
    input,
    cachedInput,
    // Without a known discount, cached audio and images cost the same as uncached.
    cachedAudio: rate('cache_audio_read_mtok', audioInput === input ? cachedInput : audioInput),
    cachedImage: rate('cache_image_read_mtok', imageInput === input ? cachedInput : imageInput),
    cacheWrite,
    // Default: twice the input price, as Anthropic charges for an hour. No list has OpenAI's price of twelve.
    cacheWriteLong: rate('cache_write_1h_mtok', cacheWrite > input ? input * 2n : cacheWrite),
    audioInput,
    imageInput,
    output,
    reasoning: rate('output_reasoning_mtok', output),
    audioOutput: rate('output_audio_mtok', output),
    imageOutput: rate('output_image_mtok', output),
    webSearches: fee('webSearches'),
    fileSearches: fee('fileSearches'),
    mapsQueries: fee('mapsQueries'),
    codeSessions: fee('codeSessions'),
    sources: fee('sources'),
    characters: rate('input_characters_mchar', 0n),
    videoSeconds: rateOfSecond(dollars('output_video_kseconds'), input),
    tasks: input * TASK,
    requests: rateOfThousand(dollars('requests_kcount') ?? 0),
  }
}

const rateOfSecond = (thousand: number | undefined, input: bigint) =>
  thousand === undefined ? input * VIDEO_SECOND : rateOfThousand(thousand)

/** Kinds with a separate price; the text price is a guess for them unless the model has no other use. */
const OF_THEIR_OWN: readonly (readonly [bucket: keyof Rates, name: string, onlyUse: RegExp])[] = [
  ['audioInput', 'input_audio_mtok', /transcribe|whisper|voxtral/],
  ['audioOutput', 'output_audio_mtok', /tts|speech|voice/],
  ['imageOutput', 'output_image_mtok', /image/],
  ['videoSeconds', 'output_video_kseconds', /video/],
]

function assumedOf(prices: ModelPrice, model: string): ReadonlySet<keyof Rates> {
  const assumed = new Set<keyof Rates>()
  for (const [bucket, name, onlyUse] of OF_THEIR_OWN) {
    if (prices[name] === undefined && !onlyUse.test(model)) assumed.add(bucket)
  }
  for (const bucket of TOOLS) if (prices[FEE_NAMES[bucket]] === undefined) assumed.add(bucket)
  if (prices.input_audio_mtok !== undefined && prices.cache_audio_read_mtok === undefined) assumed.add('cachedAudio')
  if (prices.input_image_mtok !== undefined && prices.cache_image_read_mtok === undefined) assumed.add('cachedImage')
  return assumed
}

/** The input lengths at which any price changes. */
function thresholdsOf(prices: ModelPrice) {
  const starts = Object.values(prices).flatMap((price) =>
    typeof price === 'object' ? price.tiers.map(({ start }) => start) : [],
  )
  return [...new Set(starts)].toSorted((one, other) => one - other)
}

const byStart = (one: { start: number }, other: { start: number }) => one.start - other.start
