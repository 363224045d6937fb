import type { ChannelModels } from '../../../lib/browser/channel-models.ts'

/** The default models of each channel type, and those without a price. */
export interface KnownModels {
  models: ChannelModels
  unpriced: ChannelModels
}

/** The default models of a type: only those with a price are filled in automatically. */
export function modelsOf(known: KnownModels | undefined, type: number) {
  const all = known?.models[type] ?? []
  const unpriced = known?.unpriced[type] ?? []
  return { priced: all.filter((model) => !unpriced.includes(model)), unpriced }
}

/** Suggestions for a type: its own models. Others are found only by searching for their name. */
export function suggestions(known: KnownModels | undefined, type: number, chosen: readonly string[]) {
  const { priced, unpriced } = modelsOf(known, type)
  const taken = new Set(chosen)
  const own = [...priced, ...unpriced].filter((model) => !taken.has(model))
  for (const model of own) taken.add(model)
  const others = new Set(Object.values(known?.models ?? {}).flat())
  for (const model of taken) others.delete(model)
  return { own, others: [...others] }
}
