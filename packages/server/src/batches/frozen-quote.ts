import { type Price, withTexts } from '../catalog/prices.ts'
import type { Rates } from '../ledger/rounding.ts'
import type { Quote } from '../relay/meter/quote.ts'

/** A quote in serialisable form: a batch is charged at the prices of its submission. */
export interface FrozenQuote extends Pick<Quote, 'model' | 'free' | 'origin' | 'terms'> {
  factor: string
  serviceTier?: string
  rates: Record<string, string>
  tiers: { above: number; rates: Record<string, string> }[]
  source: Price['source']
  assumed: (keyof Rates)[]
}

export const frozenQuote = ({ model, free, origin, terms, factor, price, serviceTier }: Quote): FrozenQuote => ({
  ...{ model, free, origin, terms, factor: String(factor), source: price.source },
  ...(serviceTier !== undefined && { serviceTier: serviceTier.name }),
  rates: asTexts(price.rates),
  tiers: price.tiers.map(({ above, rates }) => ({ above, rates: asTexts(rates) })),
  assumed: [...price.assumed],
})

export const thawedQuote = (frozen: FrozenQuote): Quote => {
  const { model, free, origin, terms, factor, source, serviceTier } = frozen
  const price = withTexts({
    source,
    rates: asRates(frozen.rates),
    tiers: frozen.tiers.map(({ above, rates }) => ({ above, rates: asRates(rates) })),
    assumed: new Set(frozen.assumed),
  })
  const quote: Quote = { model, free, origin, terms, factor: BigInt(factor), price, frozen: JSON.stringify(frozen) }
  return serviceTier === undefined ? quote : { ...quote, serviceTier: { name: serviceTier, usual: quote } }
}

const asTexts = (rates: Rates) => Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, String(rate)]))

// All buckets were present when the quote was frozen.
const asRates = (texts: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([name, rate]) => [name, BigInt(rate)])) as Rates
