import type { Route } from '../catalog/snapshot.ts'
import { type Quote, quoteAtBatchPrice } from '../relay/meter/quote.ts'
import { batchFactor } from './batch-translation.ts'

/** The price of a batch on this channel, from the usual one; it is held at the price that it is charged at. */
export const batchPrice = (route: Route) => (usual: Quote) => {
  const quote = quoteAtBatchPrice(usual, batchFactor(route.provider?.batches, usual))
  return { charged: quote, held: quote }
}
