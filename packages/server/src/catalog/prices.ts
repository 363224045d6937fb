import { inputTokens, type Usage } from '@tollgate/providers'
import type { Clock } from '../common/clock.ts'
import { BUCKETS, PIECES, type Rates, ratioText } from '../ledger/rounding.ts'
import type { TierRates } from './library-price.ts'
import { type ModelPrice, priceOf, type Ratios } from './model-price.ts'

export interface Price extends ModelPrice {
  /** The rates as shown in the log. */
  shown: Record<string, string>
  tiers: readonly PriceTier[]
}

/** The rates of all tokens of a call whose input is longer than `above` tokens. */
export interface PriceTier extends TierRates {
  shown: Record<string, string>
}

/** The tier of a call, by its whole input, cached or not. Nearly always there is none, and nothing is summed. */
export const tierOf = ({ tiers }: Price, usage: Usage): PriceTier | undefined => {
  if (tiers.length === 0) return undefined
  const input = inputTokens(usage)
  return tiers.findLast(({ above }) => input > above)
}

/** The rates that apply to such a call. */
export const ratesOf = (price: Price, usage: Usage): Rates => tierOf(price, usage)?.rates ?? price.rates

export type PriceBook = (model: string, channelType: number) => Price

/** The prices of all models under the current options at a time. Each is computed once. */
export const createPriceBook = (options: Ratios, at = new Date()): PriceBook => {
  const known = new Map<string, Price>()
  return (model, channelType) => {
    const name = `${model}(${channelType})`
    const price = known.get(name) ?? withTexts(priceOf(options, { names: [name, model], channelType, at }))
    known.set(name, price)
    return price
  }
}

export type Prices = ReturnType<typeof createPrices>

/** Vendors change prices on the hour or half hour: some every night, some on an announced day. */
const AGE_MAX_MS = 30 * 60_000

/** The price book of the current options and half hour, rebuilt when they change. */
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

    /** Models that are billed at the default, because neither the library nor the operator prices them. */
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

/** Multiplies token prices, in units of 10⁻⁶; tool fees and the request fee stay the same. */
export const atServiceTier = (price: Price, times: bigint): Price => {
  const rates = (usual: Rates): Rates => {
    const scaled = { ...usual }
    for (const bucket of BUCKETS) if (!isPiece(bucket)) scaled[bucket] = (usual[bucket] * times) / MICRO
    return scaled
  }
  const tiers = price.tiers.map((tier) => ({ above: tier.above, rates: rates(tier.rates) }))
  return withTexts({ ...price, rates: rates(price.rates), tiers })
}

/** The same with another request fee, as a fraction of the listed one. */
export const withRequestFee = (price: Price, [share, of]: readonly [share: bigint, of: bigint]): Price => {
  const rates = (usual: Rates): Rates => ({ ...usual, requests: (usual.requests * share) / of })
  const tiers = price.tiers.map((tier) => ({ above: tier.above, rates: rates(tier.rates) }))
  return withTexts({ ...price, rates: rates(price.rates), tiers })
}

/** The same with another price for a second of video: this fraction of the listed one. */
export const withVideoPrice = (price: Price, [share, of]: readonly [share: bigint, of: bigint]): Price => {
  const rates = { ...price.rates, videoSeconds: (price.rates.videoSeconds * share) / of }
  // A prompt of any length costs the same.
  return withTexts({ ...price, rates, tiers: [] })
}

const MICRO = 1_000_000n

const isPiece = (bucket: keyof Rates) => PIECES.some((piece) => piece === bucket)

export function withTexts({ tiers, ...price }: ModelPrice): Price {
  const shown = (rates: Rates) =>
    Object.fromEntries(Object.entries(rates).map(([bucket, rate]) => [bucket, ratioText(rate)]))
  return { ...price, shown: shown(price.rates), tiers: tiers.map((tier) => ({ ...tier, shown: shown(tier.rates) })) }
}
