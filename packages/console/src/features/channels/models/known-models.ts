import type { ChannelModels } from '../../../lib/channel-models.ts'

/** The default models of each channel type, and those of them that have no price. */
export interface KnownModels {
  models: ChannelModels
  unpriced: ChannelModels
}

/** What a type offers by itself: filled in without a question only where it has a price. */
export function modelsOf(known: KnownModels | undefined, type: number) {
  const all = known?.models[type] ?? []
  const unpriced = known?.unpriced[type] ?? []
  return { priced: all.filter((model) => !unpriced.includes(model)), unpriced }
}

/** What is suggested for a type: its own models. What others have is found only by whoever looks for it by name. */
export function suggestions(known: KnownModels | undefined, type: number, chosen: readonly string[]) {
  const { priced, unpriced } = modelsOf(known, type)
  const taken = new Set(chosen)
  const own = [...priced, ...unpriced].filter((model) => !taken.has(model))
  for (const model of own) taken.add(model)
  const others = new Set(Object.values(known?.models ?? {}).flat())
  for (const model of taken) others.delete(model)
  return { own, others: [...others] }
}
