/*
 * Perplexity's fee for a request goes by how much of the web a call may look at. The price library has the highest; these
 * are dollars for a thousand requests, of which the shares are taken, so that a ratio of the operator's applies to all.
 */

export type SearchContext = 'low' | 'medium' | 'high'

const FEES: readonly (readonly [models: RegExp, fees: Readonly<Record<SearchContext, bigint>>])[] = [
  [/^sonar(?:-reasoning)?$/, { low: 5n, medium: 8n, high: 12n }],
  [/^sonar-(?:reasoning-)?pro$/, { low: 6n, medium: 10n, high: 14n }],
]

/** The share of the listed fee; undefined for models whose fee is always the same. It is the lowest where nothing is asked for. */
export const shareOfFee = (model: string, asked: SearchContext = 'low'): readonly [bigint, bigint] | undefined => {
  const name = model.slice(model.lastIndexOf('/') + 1)
  const fees = FEES.find(([models]) => models.test(name))?.[1]
  return fees && [fees[asked], fees.high]
}

/** As a call asks for it; what no vendor knows is as if it were not there. */
export const searchContextOf = (options: unknown): SearchContext | undefined => {
  if (typeof options !== 'object' || options === null || !('search_context_size' in options)) return undefined
  const size = options.search_context_size
  return size === 'low' || size === 'medium' || size === 'high' ? size : undefined
}
