import type { OptionValues } from '@tollgate/contract'
import { micros, PIECES, type Rates, TOOLS } from '../ledger/rounding.ts'
import { libraryPrice, TASK, type TierRates, VIDEO_SECOND } from './library-price.ts'
import { type ToolBucket, USUAL_FEES } from './tool-fees.ts'

/** The source of a price: the operator's ratio, the price library, or the default for unknown models. */
type PriceSource = 'ratio' | 'library' | 'default'

export interface ModelPrice {
  rates: Rates
  source: PriceSource
  /** Billed buckets whose price is assumed; the log says so. */
  assumed: ReadonlySet<keyof Rates>
  /** Rates for long calls, by ascending input length; none for most models. */
  tiers: readonly TierRates[]
}

export type Ratios = Pick<OptionValues, 'ModelRatio' | 'CompletionRatio' | 'DefaultModelRatio'>

interface PriceQuery {
  /** `model(type)` and `model`. The first wins: a model may cost more through one vendor than through another. */
  names: readonly [withType: string, model: string]
  channelType: number
  at: Date
}

/**
 * The price of a model. An operator's ratio applies to calls of any length; `model>200000` sets another one for longer
 * calls. The library's tiers apply to its own prices.
 */
export const priceOf = (options: Ratios, { names, channelType, at }: PriceQuery): ModelPrice => {
  const library = libraryPrice(names[1], channelType, at)
  const ratio = first(options.ModelRatio, names)
  const completion = first(options.CompletionRatio, names)
  const own = (input: number) => scaled(library?.rates, micros(input) * 1_000_000n)
  const base = ratio === undefined && library !== undefined ? library.rates : own(ratio ?? options.DefaultModelRatio)
  const pieces = Object.fromEntries(PIECES.map((bucket) => [bucket, base[bucket]]))
  const ownTiers = tiersOf(options.ModelRatio, names)?.map(({ above, ratio: input }) => ({
    above,
    // A longer prompt raises token prices, not tool fees.
    rates: { ...own(input), ...pieces },
  }))
  return {
    source: ratio !== undefined ? 'ratio' : library !== undefined ? 'library' : 'default',
    rates: withCompletion(base, completion),
    assumed: library?.assumed ?? NOT_STATED,
    tiers: (ownTiers ?? library?.tiers ?? []).map(({ above, rates }) => ({
      above,
      rates: withCompletion(rates, first(options.CompletionRatio, names, `>${above}`) ?? completion),
    })),
  }
}

/** For a model with an operator's ratio and no other price. */
const NOT_STATED: ReadonlySet<keyof Rates> = new Set(TOOLS)

const first = (ratios: ReadonlyMap<string, number>, names: readonly string[], suffix = '') =>
  names.map((name) => ratios.get(`${name}${suffix}`)).find((ratio) => ratio !== undefined)

/** The tiers of the first name that the operator priced; undefined when there are none. */
function tiersOf(ratios: ReadonlyMap<string, number>, names: readonly string[]) {
  for (const name of names) {
    const tiers = [...ratios].flatMap(([key, ratio]) => {
      const length = key.startsWith(`${name}>`) ? key.slice(name.length + 1) : ''
      return /^\d{1,9}$/.test(length) ? [{ above: Number(length), ratio }] : []
    })
    if (tiers.length > 0 || ratios.has(name)) return tiers.toSorted((one, other) => one.above - other.above)
  }
  return undefined
}

/** The ratio is that of text. Buckets with prices of their own keep them. */
function withCompletion(rates: Rates, completion: number | undefined): Rates {
  if (completion === undefined) return rates
  const output = (rates.input * micros(completion)) / 1_000_000n
  const asText = (bucket: 'reasoning' | 'audioOutput' | 'imageOutput') =>
    rates[bucket] === rates.output ? output : rates[bucket]
  return {
    ...rates,
    output,
    reasoning: asText('reasoning'),
    audioOutput: asText('audioOutput'),
    imageOutput: asText('imageOutput'),
  }
}

/**
 * The operator set the input's price; the others keep the proportions of the library. Without those, all tokens and characters cost the
 * same, a second of video or a task a thousand of them, vendor tools the usual price, and the call itself nothing.
 */
function scaled(library: Rates | undefined, input: bigint): Rates {
  const known = library === undefined || library.input === 0n ? undefined : library
  const by = (bucket: keyof Rates, otherwise = input) =>
    known === undefined ? otherwise : (input * known[bucket]) / known.input
  const tool = (bucket: ToolBucket) => by(bucket, library === undefined && input > 0n ? USUAL_FEES[bucket] : 0n)
  return {
    input,
    cachedInput: by('cachedInput'),
    cachedAudio: by('cachedAudio'),
    cachedImage: by('cachedImage'),
    cacheWrite: by('cacheWrite'),
    cacheWriteLong: by('cacheWriteLong'),
    audioInput: by('audioInput'),
    imageInput: by('imageInput'),
    output: by('output'),
    reasoning: by('reasoning'),
    audioOutput: by('audioOutput'),
    imageOutput: by('imageOutput'),
    webSearches: tool('webSearches'),
    fileSearches: tool('fileSearches'),
    mapsQueries: tool('mapsQueries'),
    codeSessions: tool('codeSessions'),
    sources: tool('sources'),
    characters: by('characters'),
    videoSeconds: by('videoSeconds', input * VIDEO_SECOND),
    tasks: input * TASK,
    requests: by('requests', 0n),
  }
}
