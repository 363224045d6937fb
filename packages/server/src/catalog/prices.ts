import { calcPrice } from '@pydantic/genai-prices'
import type { OptionValues } from '@tollgate/contract'
import { micros, type Rates, rateOfDollars, ratioText } from '../ledger/rounding.ts'
import { LIBRARY_VENDORS } from './library.ts'

/** Where a price came from: a ratio that the operator set, the price library, or the default for unknown models. */
export type PriceSource = 'ratio' | 'library' | 'default'

export interface Price {
  rates: Rates
  source: PriceSource
  /** The rates as a log shows them. */
  shown: Record<string, string>
}

export type PriceBook = (model: string, channelType: number) => Price

type Ratios = Pick<OptionValues, 'ModelRatio' | 'CompletionRatio' | 'DefaultModelRatio'>

/** The prices of all models under the present options. Each is worked out once. */
export const createPriceBook = (options: Ratios): PriceBook => {
  const known = new Map<string, Price>()
  return (model, channelType) => {
    const name = `${model}(${channelType})`
    const price = known.get(name) ?? readable(priceOf(options, model, name, channelType))
    known.set(name, price)
    return price
  }
}

export type Prices = ReturnType<typeof createPrices>

/** The price book of the present options, made again when they change. */
export const createPrices = (options: { values(): Ratios }) => {
  let known: { values: Ratios; book: PriceBook } | undefined

  const book = (): PriceBook => {
    const values = options.values()
    if (known?.values !== values) known = { values, book: createPriceBook(values) }
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

function readable(price: Omit<Price, 'shown'>): Price {
  const shown = Object.entries(price.rates).map(([bucket, rate]) => [bucket, ratioText(rate)])
  return { ...price, shown: Object.fromEntries(shown) }
}

/** `name(type)` wins over `name`: the same model may cost more through one vendor than through another. */
function priceOf(options: Ratios, model: string, name: string, channelType: number): Omit<Price, 'shown'> {
  const library = libraryPrice(model, LIBRARY_VENDORS[channelType])
  const ratio = options.ModelRatio.get(name) ?? options.ModelRatio.get(model)
  const completion = options.CompletionRatio.get(name) ?? options.CompletionRatio.get(model)
  if (ratio === undefined && library !== undefined) {
    return {
      source: 'library',
      rates: completion === undefined ? library : withCompletion(library, library.input, completion),
    }
  }
  const input = micros(ratio ?? options.DefaultModelRatio) * 1_000_000n
  const rates = scaled(library, input)
  return {
    source: ratio === undefined ? 'default' : 'ratio',
    rates: completion === undefined ? rates : withCompletion(rates, input, completion),
  }
}

function withCompletion(rates: Rates, input: bigint, completion: number): Rates {
  const output = (input * micros(completion)) / 1_000_000n
  return { ...rates, output, reasoning: output, audioOutput: output, imageOutput: output }
}

/** The operator named the input's price; the others keep the proportions that the library knows, or are the same. */
function scaled(library: Rates | undefined, input: bigint): Rates {
  const by = (rate: bigint | undefined) =>
    library === undefined || rate === undefined || library.input === 0n ? input : (input * rate) / library.input
  return {
    input,
    cachedInput: by(library?.cachedInput),
    cacheWrite: by(library?.cacheWrite),
    cacheWriteLong: by(library?.cacheWriteLong),
    audioInput: by(library?.audioInput),
    imageInput: by(library?.imageInput),
    output: by(library?.output),
    reasoning: by(library?.reasoning),
    audioOutput: by(library?.audioOutput),
    imageOutput: by(library?.imageOutput),
  }
}

/** The library's prices per million tokens. A bucket that it does not price costs what its plain sibling costs. */
function libraryPrice(model: string, vendor: string | undefined): Rates | undefined {
  // Resellers offer OpenAI's embeddings too, whose names alone do not tell the library whose they are.
  const found =
    (vendor === undefined ? null : calcPrice(ONE_TOKEN, model, { providerId: vendor })) ??
    calcPrice(ONE_TOKEN, model) ??
    calcPrice(ONE_TOKEN, model, { providerId: 'openai' })
  if (found === null) return undefined
  const dollars = (name: string) => {
    const price = found.model_price[name]
    return typeof price === 'number' ? price : price?.base
  }
  const inputDollars = dollars('input_mtok')
  if (inputDollars === undefined) return undefined
  const input = rateOfDollars(inputDollars)
  const rate = (name: string, otherwise: bigint) => {
    const price = dollars(name)
    return price === undefined ? otherwise : rateOfDollars(price)
  }
  const output = rate('output_mtok', 0n)
  const cacheWrite = rate('cache_write_mtok', input)
  return {
    input,
    cachedInput: rate('cache_read_mtok', input),
    cacheWrite,
    // The only vendor that keeps caches for an hour takes twice the input's price for it, and the library knows but one.
    cacheWriteLong: cacheWrite > input ? input * 2n : cacheWrite,
    audioInput: rate('input_audio_mtok', input),
    imageInput: rate('input_image_mtok', input),
    output,
    reasoning: output,
    audioOutput: rate('output_audio_mtok', output),
    imageOutput: rate('output_image_mtok', output),
  }
}

const ONE_TOKEN = { input_tokens: 1, output_tokens: 1 }
