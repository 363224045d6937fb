import type { ListPrice } from './list-prices.ts'
import type { Units } from './reports.ts'

/** One call, and its expected price. */
export interface Bill {
  operation: string
  vendor: number
  model: string
  /** The edge case. */
  edge: string
  path: string
  body: object
  reply(): Response
  dollars: number
  /** Where and when the prices were published. */
  price: string
}

/** Priced per thousand; everything else is per million. */
const THOUSANDS = new Set(['webSearches', 'fileSearches', 'mapsQueries', 'codeSessions', 'sources'])

/** What this usage costs at the list price. */
export const dollarsOf = (used: Units, rates: ListPrice['rates']) =>
  Object.entries(used).reduce((sum, [unit, count]) => {
    const rate = rates[unit]
    if (rate === undefined) throw new Error(`There is no list price for ${unit}`)
    return sum + (count * rate) / (THOUSANDS.has(unit) ? 1000 : 1_000_000)
  }, 0)

/** The members of a bill that follow from its price and operation. */
export const billedAt = (price: ListPrice, operation: string, path: string) => ({
  ...{ operation, path, vendor: price.type, model: price.model, price: price.page },
})
