import type { OptionValues } from '@tollgate/contract'
import { inputTokens, type Usage } from '@tollgate/providers'
import type { Clock } from '../clock.ts'
import { micros, type Rates, ratioText } from '../ledger/rounding.ts'
import { LIBRARY_VENDORS } from './library.ts'
import { libraryPrice, type TierRates } from './library-price.ts'

/** Where a price came from: a ratio that the operator set, the price library, or the default for unknown models. */
export type PriceSource = 'ratio' | 'library' | 'default'

export interface Price {
  rates: Rates
  source: PriceSource
  /** The rates as a log shows them. */
  shown: Record<string, string>
  /** Dearer rates of long calls, by rising length of the input; none for most models. */
  tiers: readonly Tier[]
}

/** Every token of a call costs this when its input is longer than `above` tokens. */
export interface Tier extends TierRates {
  shown: Record<string, string>
}

/** The tier of a call, by all of its input, cached or not. Nearly always there is none, and nothing is added up. */
export const tierOf = ({ tiers }: Price, usage: Usage): Tier | undefined => {
  if (tiers.length === 0) return undefined
  const input = inputTokens(usage)
  return tiers.findLast(({ above }) => input > above)
}

/** What the tokens of such a call cost. */
export const ratesOf = (price: Price, usage: Usage): Rates => tierOf(price, usage)?.rates ?? price.rates

export type PriceBook = (model: string, channelType: number) => Price

type Ratios = Pick<OptionValues, 'ModelRatio' | 'CompletionRatio' | 'DefaultModelRatio'>

/** The prices of all models under the present options, at a time. Each is worked out once. */
export const createPriceBook = (options: Ratios, at = new Date()): PriceBook => {
  const known = new Map<string, Price>()
  return (model, channelType) => {
    const name = `${model}(${channelType})`
    const price = known.get(name) ?? readable(priceOf(options, { model, name, channelType, at }))
    known.set(name, price)
    return price
  }
}

export type Prices = ReturnType<typeof createPrices>

/** Vendors change their prices at full and half hours: some every night, some on a day that was announced. */
const AGE_MAX_MS = 30 * 60_000

/** The price book of the present options and of this half hour, made again when they change. */
export const createPrices = ({ options, clock }: { options: { values(): Ratios }; clock: Clock }) => {
  let known: { values: Ratios; period: number; book: PriceBook } | undefined

  const book = (): PriceBook => {
    const values = options.values()
    const period = Math.floor(clock.now() / AGE_MAX_MS)
    if (known?.values !== values || known.period !== period) {
      known = { values, period, book: createPriceBook(values, new Date(period * AGE_MAX_MS)) }
    }
    return known.book
  }

  return {
    book,

    /** Those that are billed at the default, because neither the library nor the operator prices them. */
    unpriced({
      type,
      models,
      mapping,
    }: {
      type: number
      models: Iterable<string>
      mapping: ReadonlyMap<string, string>
    }) {
      const price = book()
      return [...models].filter((model) => price(mapping.get(model) ?? model, type).source === 'default')
    },
  }
}

type Unread = Omit<Price, 'shown' | 'tiers'> & { tiers: readonly TierRates[] }

function readable({ tiers, ...price }: Unread): Price {
  const shown = (rates: Rates) =>
    Object.fromEntries(Object.entries(rates).map(([bucket, rate]) => [bucket, ratioText(rate)]))
  return { ...price, shown: shown(price.rates), tiers: tiers.map((tier) => ({ ...tier, shown: shown(tier.rates) })) }
}

interface Sought {
  model: string
  /** With the type of the channel, `name(type)`: this wins, as a model may cost more through one vendor than another. */
  name: string
  channelType: number
  at: Date
}

/** An operator who names a price means that price for calls of any length; the library's tiers go with its own. */
function priceOf(options: Ratios, { model, name, channelType, at }: Sought): Unread {
  const library = libraryPrice(model, LIBRARY_VENDORS[channelType], at)
  const ratio = options.ModelRatio.get(name) ?? options.ModelRatio.get(model)
  const completion = options.CompletionRatio.get(name) ?? options.CompletionRatio.get(model)
  const completed = (rates: Rates) => (completion === undefined ? rates : withCompletion(rates, completion))
  if (ratio === undefined && library !== undefined) {
    const tiers = library.tiers.map(({ above, rates }) => ({ above, rates: completed(rates) }))
    return { source: 'library', rates: completed(library.rates), tiers }
  }
  const input = micros(ratio ?? options.DefaultModelRatio) * 1_000_000n
  const rates = completed(scaled(library?.rates, input))
  return { source: ratio === undefined ? 'default' : 'ratio', rates, tiers: [] }
}

function withCompletion(rates: Rates, completion: number): Rates {
  const output = (rates.input * micros(completion)) / 1_000_000n
  return { ...rates, output, reasoning: output, audioOutput: output, imageOutput: output }
}

/**
 * The operator named the input's price; the others keep the proportions that the library knows. Without them, all
 * tokens cost the same, and searches and the call itself nothing beside.
 */
function scaled(library: Rates | undefined, input: bigint): Rates {
  const known = library === undefined || library.input === 0n ? undefined : library
  const by = (bucket: keyof Rates, otherwise = input) =>
    known === undefined ? otherwise : (input * known[bucket]) / known.input
  return {
    input,
    cachedInput: by('cachedInput'),
    cacheWrite: by('cacheWrite'),
    cacheWriteLong: by('cacheWriteLong'),
    audioInput: by('audioInput'),
    imageInput: by('imageInput'),
    output: by('output'),
    reasoning: by('reasoning'),
    audioOutput: by('audioOutput'),
    imageOutput: by('imageOutput'),
    webSearches: by('webSearches', 0n),
    fileSearches: by('fileSearches', 0n),
    requests: by('requests', 0n),
  }
}
