import { mappingRows } from '../form/mapping.ts'

interface Chosen {
  models: readonly string[]
  /** JSON text; a model that is mapped is gone when its target is. */
  mapping: string
}

/** What a vendor's list has that is not chosen, and what is chosen that the vendor does not have. */
export function modelChanges(listed: readonly string[], { models, mapping }: Chosen) {
  const offered = new Set(listed)
  const chosen = new Set(models)
  const target = new Map((mappingRows(mapping) ?? []).map(({ from, to }) => [from, to]))
  return {
    added: listed.filter((model) => !chosen.has(model)),
    gone: models.filter((model) => !offered.has(target.get(model) ?? model)),
  }
}
