import type { ShownPrice } from '@tollgate/contract'

type Amount = (price: ShownPrice) => number | undefined

const ofTokens =
  (bucket: 'input' | 'cached' | 'output'): Amount =>
  (price) =>
    // What is priced per piece has no token price.
    price.unit === 'tokens' && !(price.request > 0 && price.input === 0 && price.output === 0)
      ? price[bucket]
      : undefined

export const AMOUNTS = {
  input: ofTokens('input'),
  cached: ofTokens('cached'),
  output: ofTokens('output'),
  each: (price) => (price.unit === 'tokens' ? undefined : price.each),
  request: (price) => (price.request > 0 ? price.request : undefined),
} satisfies Record<string, Amount>

/** The lowest and the highest of several channels; undefined where none has such a price. */
export function rangeOf(
  prices: readonly ShownPrice[],
  amount: Amount,
): readonly [low: number, high: number] | undefined {
  const amounts = prices.flatMap((price) => amount(price) ?? [])
  return amounts.length === 0 ? undefined : [Math.min(...amounts), Math.max(...amounts)]
}
