import type { ShownPrice } from '@tollgate/contract'
import { quotaOfOne, quotaPerMillion } from '../ledger/rounding.ts'
import type { CatalogService } from './catalog-service.ts'
import { priceUnit } from './price-unit.ts'
import type { Choice } from './snapshot.ts'
import { isSoldByVideo } from './video-sizes.ts'

/** The price of a model through a channel, as people read it. */
export const shownPrice = (
  catalog: Pick<CatalogService, 'prices' | 'groupFactor'>,
  { route, group }: Choice,
  model: string,
): ShownPrice => {
  const upstreamModel = route.mapping.get(model) ?? model
  const price = catalog.prices()(upstreamModel, route.type)
  const { rates, source } = price
  const { unit, rate } = priceUnit(upstreamModel, price)
  const factor = catalog.groupFactor(group)
  // What is priced per piece has no token price.
  if (route.provider?.midjourney !== undefined || isSoldByVideo(upstreamModel))
    return { source, unit: 'tokens', each: 0, input: 0, cached: 0, output: 0, request: quotaOfOne(rates.tasks, factor) }
  return {
    source,
    unit,
    each: quotaOfOne(rate, factor),
    input: quotaPerMillion(rates.input, factor),
    cached: quotaPerMillion(rates.cachedInput, factor),
    output: quotaPerMillion(rates.output, factor),
    request: quotaOfOne(rates.requests, factor),
  }
}
