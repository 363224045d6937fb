import { findProvider } from '@pydantic/genai-prices'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { LIBRARY_VENDORS } from './library.ts'
import { SELECTIONS } from './model-selections.ts'
import { OWN_MODELS } from './own-models.ts'
import type { Prices } from './prices.ts'

/*
 * The default models of each channel type. Where the price library uses the vendor's model names, they come from it and are
 * as recent; the others have a short list here.
 */

const listed = new Map(CHANNEL_TYPES.map(({ value }) => [value, OWN_MODELS[value] ?? fromLibrary(value)]))

/** Types without any list, not even an empty one. */
export const typesWithoutList = () =>
  CHANNEL_TYPES.filter(({ value }) => OWN_MODELS[value] === undefined && SELECTIONS[value] === undefined)

/** The default models of each type, and those without a price, so that nobody offers them unknowingly. */
export const modelsByType = (prices: Pick<Prices, 'unpriced'>) => {
  const models: Record<string, string[]> = {}
  const unpriced: Record<string, string[]> = {}
  for (const [type, names] of listed) {
    models[type] = [...names]
    unpriced[type] = prices.unpriced({ type, models: names, mapping: new Map() })
  }
  return { models, unpriced }
}

/** Every model once, under the first channel type that offers it. */
export const allModels = () => {
  const owners = new Map<string, string>()
  for (const { value, key } of CHANNEL_TYPES) {
    for (const model of listed.get(value) ?? []) if (!owners.has(model)) owners.set(model, key)
  }
  return [...owners].map(([id, owned_by]) => ({ id, object: 'model' as const, owned_by }))
}

/** A type without models offers none: vendors do not serve each other's models. */
function fromLibrary(type: number) {
  const selection = SELECTIONS[type]
  if (selection === undefined) return []
  const { vendor = LIBRARY_VENDORS[type] ?? '', only, without = [], name = (id: string) => id, and = [] } = selection
  const sold = (findProvider({ providerId: vendor })?.models ?? []).filter(({ deprecated }) => deprecated !== true)
  const ids = sold
    .map(({ id }) => id)
    .filter((id) => (only?.test(id) ?? true) && !without.some((retired) => retired.test(id)))
  return [...new Set([...ids.map(name), ...and])]
}
