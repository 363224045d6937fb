import type { CatalogService } from '../../catalog/catalog-service.ts'
import { TASK, VIDEO_SECOND } from '../../catalog/library-price.ts'
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

/** The price components of a call, fixed when its hold is created. */
export interface Quote {
  /** The upstream name of the model. */
  model: string
  factor: GroupFactor
  price: Price
  /** The price of the image model for the call; absent when it cannot generate images. */
  imagePrice?: Price
  /** The prices of the call's advisor models, by name. */
  advisorPrices?: ReadonlyMap<string, Price>
  /** The price of any model, for a call that another one may answer. */
  fallbackPrice?: (model: string) => Price
  free: boolean
  /** As stored with the hold: enough to recompute the charge. */
  frozen: string
  /** The source of the price, as JSON for the log. */
  origin: { source: string; group: string; factor: string }
  terms: Terms
  /** For a call at another service tier: its name, and the quote at the default tier. */
  serviceTier?: { name: string; usual: Quote }
}

/** The displayed price: input ratio × group factor × completion ratio, the calls it applies to, and additional fees. */
interface Terms {
  zh: string
  en: string
}

interface QuoteRequest {
  model: string
  type: number
  group: string
  /** A kind of call that is free, whatever the model. */
  free: boolean
  /** The search context size, if it has a price. */
  searchContext?: SearchContext | undefined
}

/** Quotes are shared by many calls, and each is computed once while the prices stay the same. */
export const createQuotes = (catalog: Pick<CatalogService, 'prices' | 'groupFactor'>) => {
  let kept: { book: PriceBook; quotes: Map<string, Quote> } | undefined
  return (call: QuoteRequest): Quote => {
    const book = catalog.prices()
    if (kept?.book !== book) kept = { book, quotes: new Map() }
    const name = `${call.type} ${call.free} ${call.searchContext ?? ''} ${call.group}\n${call.model}`
    const known = kept.quotes.get(name)
    if (known !== undefined) return known
    const fresh = quoteOf(call, priceOf(call, book), call.free ? 0n : catalog.groupFactor(call.group))
    kept.quotes.set(name, fresh)
    return fresh
  }
}

function priceOf({ model, type, searchContext }: QuoteRequest, book: PriceBook): Price {
  const listed = book(model, type)
  const share = listed.rates.requests === 0n ? undefined : shareOfFee(model, searchContext)
  return share === undefined ? listed : withRequestFee(listed, share)
}

function quoteOf({ model, group }: QuoteRequest, price: Price, factor: GroupFactor): Quote {
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

/** The same at another service tier. */
export const quoteAtServiceTier = (quote: Quote, name: string | undefined): Quote => {
  const usual = quote.serviceTier?.usual ?? quote
  const times = serviceTierFactor(usual.model, name)
  if (name === undefined || times === undefined) return usual
  const price = atServiceTier(usual.price, times)
  const { zh, en } = termsOf(price, usual.factor)
  const terms = { zh: `${zh}（${name}）`, en: `${en} (${name})` }
  return { ...usual, price, terms, serviceTier: { name, usual } }
}

/** The same for an answer that another model wrote in place of the called one. */
export const quoteOfServingModel = (quote: Quote, model: string | undefined): Quote => {
  if (model === undefined || quote.fallbackPrice === undefined) return quote
  const usual = quote.serviceTier?.usual ?? quote
  const price = priceOfOtherModel(usual, model)
  const advisorPrices = new Map([...(usual.advisorPrices ?? []), [usual.model, usual.price] as const])
  const origin = { ...usual.origin, source: price.source }
  const served = { ...usual, model, price, advisorPrices, origin, terms: termsOf(price, usual.factor) }
  return quoteAtServiceTier(served, quote.serviceTier?.name)
}

/** One that has no price costs the same as the called one. */
export function priceOfOtherModel({ price, advisorPrices, fallbackPrice }: Quote, model: string): Price {
  const named = advisorPrices?.get(model)
  if (named !== undefined) return named
  const listed = fallbackPrice?.(model)
  return listed === undefined || listed.source === 'default' ? price : listed
}

/** The same at the vendor's batch price: `times` of the usual price. */
export const quoteAtBatchPrice = (usual: Quote, times: number): Quote => {
  const price = atServiceTier(usual.price, micros(times))
  const { zh, en } = termsOf(price, usual.factor)
  const terms = { zh: `${zh}（批处理 × ${times}）`, en: `${en} (batch × ${times})` }
  return { ...usual, price, terms, serviceTier: { name: 'batch', usual } }
}

/** The same for a video of this size, priced by the second. */
export const quoteForVideo = (usual: Quote, size: string): Quote => {
  const price = withVideoPrice(usual.price, shareOfVideoPrice(usual.model, size) ?? [1n, 1n])
  const each = `${price.shown.videoSeconds} × ${decimalText(usual.factor, 6)}`
  return { ...usual, price, terms: { zh: `${each}，每秒视频（${size}）`, en: `${each} per second of video (${size})` } }
}

/** The same for work that is priced per piece. */
export const quoteForTask = (usual: Quote): Quote => {
  const each = `${usual.price.shown.tasks} × ${decimalText(usual.factor, 6)}`
  return { ...usual, terms: { zh: `${each}，每个任务`, en: `${each} per task` } }
}

/** The same for work that another charge pays for. */
export const quotePaidElsewhere = (usual: Quote): Quote => ({
  ...{ ...usual, factor: 0n, free: true, origin: { ...usual.origin, factor: '0' } },
  terms: { zh: '0，已由它所确认的任务计费', en: '0, paid with the task that it confirms' },
})

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
 * Token buckets that are not listed cost the same as plain input or output, as most do; unlisted server tools cost the assumed
 * fee, and anything else unlisted is free.
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
  if (bucket === 'tasks') return input * TASK
  return bucket === 'characters' ? 0n : input
}
