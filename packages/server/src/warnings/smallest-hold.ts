import { NO_USAGE } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import { createQuotes } from '../relay/meter/quote.ts'
import { priceOfUsage } from '../relay/meter/receipt.ts'

/** A prompt of a few words. */
const INPUT_TOKENS = 10

/** The calls in question; an absent member may have any value. */
export interface Calls {
  groups?: readonly string[]
  channel?: number
  isAllowed?: (model: string) => boolean
}

interface Needs {
  snapshot: Snapshot
  pricing: Pick<CatalogService, 'prices' | 'groupFactor'>
  /** The output tokens held when a call sets no limit. */
  outputTokens: number
}

/**
 * The cheapest hold of a short call that sets no limit on its output. Undefined where nothing is offered, or something is free, or
 * only models without output: then there is a call for any amount.
 */
export const smallestHold = ({ snapshot, pricing, outputTokens }: Needs, calls: Calls) => {
  const { groups, channel, isAllowed = () => true } = calls
  const quotes = createQuotes(pricing)
  const usage = { ...NO_USAGE, input: INPUT_TOKENS, output: outputTokens }
  let smallest: { model: string; quota: number } | undefined
  for (const route of snapshot.routes.values()) {
    if (route.status !== 1 || (channel !== undefined && route.id !== channel)) continue
    for (const group of route.groups) {
      if (groups !== undefined && !groups.includes(group)) continue
      for (const model of route.models) {
        if (!isAllowed(model)) continue
        const quote = quotes({ model: route.mapping.get(model) ?? model, type: route.type, group, free: false })
        if (quote.free) return undefined
        if (quote.price.rates.output === 0n) continue
        const quota = Math.max(1, priceOfUsage(usage, quote))
        if (smallest === undefined || quota < smallest.quota) smallest = { model, quota }
      }
    }
  }
  return smallest
}
