import { mappingRows } from '../form/mapping.ts'

interface Chosen {
  models: readonly string[]
  /** JSON text; a mapped model is missing when its target is. */
  mapping: string
}

/** Models that the vendor lists and are not chosen, and chosen ones that the vendor does not list. */
export function modelChanges(listed: readonly string[], { models, mapping }: Chosen) {
  const offered = new Set(listed)
  const chosen = new Set(models)
  const target = new Map((mappingRows(mapping) ?? []).map(({ from, to }) => [from, to]))
  return {
    added: listed.filter((model) => !chosen.has(model)),
    gone: models.filter((model) => !offered.has(target.get(model) ?? model)),
  }
}
