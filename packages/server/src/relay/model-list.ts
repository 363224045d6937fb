import type { CatalogService } from '../catalog/catalog-service.ts'
import { GatewayError } from '../errors.ts'
import type { RelayCaller } from './keys.ts'

/** The models a key may call, as OpenAI lists them. */
export const listModels = (catalog: CatalogService, caller: RelayCaller) => {
  const offered = catalog.snapshot().modelsOf(caller.groups)
  const { models } = caller
  return models === undefined ? offered : offered.filter((model) => models.has(model))
}

export const modelList = (names: readonly string[]) => ({ object: 'list', data: names.map(modelObject) })

export const modelNamed = (names: readonly string[], name: string) => {
  if (!names.includes(name)) throw new GatewayError('relay.unknown_model', { model: name })
  return modelObject(name)
}

function modelObject(id: string) {
  return { id, object: 'model', created: 1_626_777_600, owned_by: 'tollgate', root: id, parent: null }
}
