import type { CatalogService } from '../../catalog/catalog-service.ts'
import { VIDEO_SECOND } from '../../catalog/library-price.ts'
import {
  atServiceTier,
  type Price,
  type PriceBook,
  type PriceTier,
  withRequestFee,
  withVideoPrice,
} from '../../catalog/prices.ts'
import { type SearchContext, shareOfFee } from '../../catalog/search-context.ts'
import { serviceTierFactor } from '../../catalog/service-tiers.ts'
import { shareOfVideoPrice } from '../../catalog/video-sizes.ts'
import { decimalText, type GroupFactor, isFree, micros, PIECES, type Rates } from '../../ledger/rounding.ts'

/** What the price of a call is made of, frozen when its hold is made. */
export interface Quote {
  /** The upstream's name of the model. */
  model: string
  factor: GroupFactor
  price: Price
  /** The price of the model that makes images for the call; absent where none can be made. */
  imagePrice?: Price
  /** The prices of the models that the call lets be asked for advice, by name. */
  advisorPrices?: ReadonlyMap<string, Price>
  free: boolean
  /** As kept in the hold: enough to work the charge out again. */
  frozen: string
  /** Where the price comes from, as JSON for the log. */
  origin: { source: string; group: string; factor: string }
  terms: Terms
  /** Of a call that is answered faster or slower than usual: how, and what it would cost otherwise. */
  serviceTier?: { name: string; usual: Quote }
}

/** The price for people: input ratio × group's factor × completion ratio, for which calls, and what comes on top. */
interface Terms {
  zh: string
  en: string
}

interface Asked {
  model: string
  type: number
  group: string
  /** A kind of call that costs nothing, whatever the model. */
  free: boolean
  /** How much of the web it may look at, where that has a price. */
  searchContext?: SearchContext | undefined
}

/** Quotes are the same for many calls, and each is worked out once for as long as the prices stay as they are. */
export const createQuotes = (catalog: Pick<CatalogService, 'prices' | 'groupFactor'>) => {
  let kept: { book: PriceBook; quotes: Map<string, Quote> } | undefined
  return (asked: Asked): Quote => {
    const book = catalog.prices()
    if (kept?.book !== book) kept = { book, quotes: new Map() }
    const name = `${asked.type} ${asked.free} ${asked.searchContext ?? ''} ${asked.group}\n${asked.model}`
    const known = kept.quotes.get(name)
    if (known !== undefined) return known
    const fresh = quoteOf(asked, priceOf(asked, book), asked.free ? 0n : catalog.groupFactor(asked.group))
    kept.quotes.set(name, fresh)
    return fresh
  }
}

function priceOf({ model, type, searchContext }: Asked, book: PriceBook): Price {
  const listed = book(model, type)
  const share = listed.rates.requests === 0n ? undefined : shareOfFee(model, searchContext)
  return share === undefined ? listed : withRequestFee(listed, share)
}

function quoteOf({ model, group }: Asked, price: Price, factor: GroupFactor): Quote {
  const { rates, source, tiers } = price
  const origin = { source, group, factor: decimalText(factor, 6) }
  const long = tiers.map((tier) => ({ above: tier.above, rates: shortened(tier, price.assumed) }))
  const frozen = {
    model,
    ...origin,
    rates: shortened(price, price.assumed),
    ...(long.length === 0 ? {} : { tiers: long }),
  }
  return {
    model,
    factor,
    price,
    free: isFree(rates, factor) && tiers.every((tier) => isFree(tier.rates, factor)),
    frozen: JSON.stringify(frozen),
    origin,
    terms: termsOf(price, factor),
  }
}

/** The same for a vendor that works at this service tier. */
export const quoteAtServiceTier = (quote: Quote, name: string | undefined): Quote => {
  const usual = quote.serviceTier?.usual ?? quote
  const times = serviceTierFactor(usual.model, name)
  if (name === undefined || times === undefined) return usual
  const price = atServiceTier(usual.price, times)
  const { zh, en } = termsOf(price, usual.factor)
  const terms = { zh: `${zh}（${name}）`, en: `${en} (${name})` }
  return { ...usual, price, terms, serviceTier: { name, usual } }
}

/** The same for work that the vendor does when it has time: `times` of the usual price. */
export const quoteAtBatchPrice = (usual: Quote, times: number): Quote => {
  const price = atServiceTier(usual.price, micros(times))
  const { zh, en } = termsOf(price, usual.factor)
  const terms = { zh: `${zh}（批处理 × ${times}）`, en: `${en} (batch × ${times})` }
  return { ...usual, price, terms, serviceTier: { name: 'batch', usual } }
}

/** The same for a video of this size, of which every second costs something. */
export const quoteForVideo = (usual: Quote, size: string): Quote => {
  const price = withVideoPrice(usual.price, shareOfVideoPrice(usual.model, size) ?? [1n, 1n])
  const each = `${price.shown.videoSeconds} × ${decimalText(usual.factor, 6)}`
  return { ...usual, price, terms: { zh: `${each}，每秒视频（${size}）`, en: `${each} per second of video (${size})` } }
}

export const termsOf = (price: Price | PriceTier, factor: GroupFactor): Terms => {
  const { rates, shown } = price
  const completion = rates.input === 0n ? '0' : decimalText((rates.output * 1_000_000n) / rates.input, 6)
  const formula = `${shown.input} × ${decimalText(factor, 6)} × ${completion}`
  const long = 'above' in price ? { zh: `（输入超过 ${price.above}）`, en: ` (input above ${price.above})` } : NOTHING
  const once =
    rates.requests === 0n ? NOTHING : { zh: `，每次请求 ${shown.requests}`, en: `, per request ${shown.requests}` }
  return { zh: `${formula}${long.zh}${once.zh}`, en: `${formula}${long.en}${once.en}` }
}

const NOTHING: Terms = { zh: '', en: '' }

/**
 * Tokens that are not named cost what plain input or output costs, and most do; tools of the vendor that are not named
 * cost what is assumed, and what else is not named is free.
 */
function shortened({ rates, shown }: Price | PriceTier, assumed: Price['assumed']) {
  const buckets = Object.entries(shown).filter(([name]) => {
    const bucket = name as keyof Rates
    if (bucket === 'input' || bucket === 'output') return true
    return PIECES.some((piece) => piece === bucket)
      ? !assumed.has(bucket) && rates[bucket] !== 0n
      : rates[bucket] !== usualOf(bucket, rates)
  })
  return Object.fromEntries(buckets)
}

function usualOf(bucket: keyof Rates, { input, output }: Rates) {
  if (bucket.endsWith('Output') || bucket === 'reasoning') return output
  if (bucket === 'videoSeconds') return input * VIDEO_SECOND
  return bucket === 'characters' ? 0n : input
}
