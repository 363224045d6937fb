/*
 * Perplexity's request fee depends on the search context size. The price library has the highest; these are dollars per
 * thousand requests, used as proportions, so that an operator's ratio applies to all sizes.
 */

export type SearchContext = 'low' | 'medium' | 'high'

const FEES: readonly (readonly [models: RegExp, fees: Readonly<Record<SearchContext, bigint>>])[] = [
  [/^sonar(?:-reasoning)?$/, { low: 5n, medium: 8n, high: 12n }],
  [/^sonar-(?:reasoning-)?pro$/, { low: 6n, medium: 10n, high: 14n }],
]

/** The share of the listed fee; undefined for models with a fixed fee. The lowest applies when nothing is requested. */
export const shareOfFee = (model: string, requested: SearchContext = 'low'): readonly [bigint, bigint] | undefined => {
  const name = model.slice(model.lastIndexOf('/') + 1)
  const fees = FEES.find(([models]) => models.test(name))?.[1]
  return fees && [fees[requested], fees.high]
}

/** The requested size; unknown values count as absent. */
export const searchContextOf = (options: unknown): SearchContext | undefined => {
  if (typeof options !== 'object' || options === null || !('search_context_size' in options)) return undefined
  const size = options.search_context_size
  return size === 'low' || size === 'medium' || size === 'high' ? size : undefined
}
