import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Price, PriceBook } from '../catalog/prices.ts'
import { decimalText, type GroupFactor, isFree } from '../ledger/rounding.ts'

/** What the price of a call is made of, frozen when its hold is made. */
export interface Quote {
  /** The upstream's name of the model. */
  model: string
  factor: GroupFactor
  price: Price
  free: boolean
  /** As kept in the hold: enough to work the charge out again. */
  frozen: string
  /** Where the price comes from, as JSON for the log. */
  origin: string
  /** For people: input ratio × group's factor × completion ratio. */
  formula: string
}

interface Asked {
  model: string
  type: number
  group: string
  /** A kind of call that costs nothing, whatever the model. */
  free: boolean
}

/** Quotes are the same for many calls, and each is worked out once for as long as the prices stay as they are. */
export const createQuotes = (catalog: Pick<CatalogService, 'prices' | 'groupFactor'>) => {
  let kept: { book: PriceBook; quotes: Map<string, Quote> } | undefined
  return (asked: Asked): Quote => {
    const book = catalog.prices()
    if (kept?.book !== book) kept = { book, quotes: new Map() }
    const name = `${asked.type} ${asked.free} ${asked.group}\n${asked.model}`
    const known = kept.quotes.get(name)
    if (known !== undefined) return known
    const fresh = quoteOf(asked, book(asked.model, asked.type), asked.free ? 0n : catalog.groupFactor(asked.group))
    kept.quotes.set(name, fresh)
    return fresh
  }
}

function quoteOf({ model, group }: Asked, price: Price, factor: GroupFactor): Quote {
  const { rates, source, shown } = price
  const origin = { source, group, factor: decimalText(factor, 6) }
  const completion = rates.input === 0n ? '0' : decimalText((rates.output * 1_000_000n) / rates.input, 6)
  return {
    model,
    factor,
    price,
    free: isFree(rates, factor),
    frozen: JSON.stringify({ model, ...origin, rates: shortened(price) }),
    origin: JSON.stringify(origin),
    formula: `${shown.input} × ${origin.factor} × ${completion}`,
  }
}

/** A bucket that is not named costs what plain input or output costs; most of them do. */
function shortened({ rates, shown }: Price) {
  const buckets = Object.entries(shown).filter(([name]) => {
    const bucket = name as keyof typeof rates
    const plain = bucket.endsWith('Output') || bucket === 'reasoning' ? 'output' : 'input'
    return bucket === 'input' || bucket === 'output' || rates[bucket] !== rates[plain]
  })
  return Object.fromEntries(buckets)
}
