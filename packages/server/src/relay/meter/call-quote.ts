import { requestedServiceTier } from '@tollgate/providers'
import type { CatalogService } from '../../catalog/catalog-service.ts'
import { searchContextOf } from '../../catalog/search-context.ts'
import type { Choice } from '../../catalog/snapshot.ts'
import { upstreamModel } from '../answer.ts'
import { sendsServiceTier } from '../lanes/lanes.ts'
import type { ActiveCall } from '../settlement.ts'
import type { Call } from '../surfaces/call.ts'
import { advisorsOf, mayBeServedByOther } from './advisors.ts'
import { estimateImages, imageModelOf } from './image-usage.ts'
import { createQuotes, type Quote, quoteAtServiceTier } from './quote.ts'
import { priceOfUsage } from './receipt.ts'

export type QuoteCall = ReturnType<typeof createCallQuotes>

/** The quote of a call on a channel: its model, the image and advisor models it may use, and the requested service tier. */
export const createCallQuotes = (catalog: CatalogService) => {
  const quotes = createQuotes(catalog)

  return ({ route, group }: Choice, call: Call): Quote => {
    const { type } = route
    const free = call.operation.countBody !== undefined
    const searchContext = searchContextOf(call.body.web_search_options)
    const known = quotes({ model: upstreamModel(call, route), type, group, free, searchContext })
    const imageModel = imageModelOf(call)
    const book = catalog.prices()
    const priceOf = (name: string) => book(name, type)
    const withImages = imageModel === undefined ? known : { ...known, imagePrice: priceOf(imageModel) }
    const advisors = advisorsOf(call)
    const advised =
      advisors === undefined
        ? withImages
        : { ...withImages, advisorPrices: new Map(advisors.map((name) => [name, priceOf(name)])) }
    const usual = mayBeServedByOther(call) ? { ...advised, fallbackPrice: priceOf } : advised
    // A cheaper tier may turn out to be unavailable.
    const serviceTier = sendsServiceTier(call, route) ? requestedServiceTier(call.body) : undefined
    return serviceTier === 'flex' ? usual : quoteAtServiceTier(usual, serviceTier)
  }
}

/** The amount to hold: an upper estimate, and at least 1 for anything that is not free. */
export const amountToHold = ({ call, estimate }: Pick<ActiveCall, 'call' | 'estimate'>, quote: Quote) => {
  if (quote.free) return 0
  const amount = Math.max(1, priceOfUsage(estimate, quote))
  if (quote.imagePrice === undefined) return amount
  return amount + priceOfUsage(estimateImages(call), { ...quote, price: quote.imagePrice })
}
