import type { CatalogService } from '../../catalog/catalog-service.ts'
import { GatewayError } from '../../common/errors.ts'
import type { RelayCaller } from '../caller/keys.ts'
import type { ApiFamily } from './api-family.ts'
import { unknownModel } from './unknown-model.ts'

/** The models a key may call. */
export const listModels = (catalog: CatalogService, caller: RelayCaller) => {
  const offered = catalog.snapshot().modelsOf(caller.groups)
  const { models } = caller
  return models === undefined ? offered : offered.filter((model) => models.has(model))
}

/** The same plus the aliases of any of them. */
export const listNames = (catalog: CatalogService, caller: RelayCaller, aliases: ReadonlyMap<string, string>) => {
  const models = listModels(catalog, caller)
  if (aliases.size === 0) return models
  const offered = new Set(catalog.snapshot().modelsOf(caller.groups))
  const usable = [...aliases].filter(([alias, model]) => offered.has(model) && mayUse(caller, alias, model))
  return [...new Set([...models, ...usable.map(([alias]) => alias)])].sort()
}

const mayUse = ({ models }: RelayCaller, alias: string, model: string) =>
  models === undefined || models.has(alias) || models.has(model)

/** The list in each family's format, in one page: it is not that long. */
export const modelList = (names: readonly string[], family: ApiFamily) => {
  const data = names.map((name) => SHAPES[family](name))
  if (family === 'google') return { models: data }
  if (family === 'openai') return { object: 'list', data }
  return { data, has_more: false, first_id: names[0] ?? null, last_id: names.at(-1) ?? null }
}

export const modelNamed = (names: readonly string[], name: string, family: ApiFamily) => {
  if (!names.includes(name)) throw new GatewayError('relay.unknown_model', unknownModel(name, names, family))
  return SHAPES[family](name)
}

/** A fixed creation time for all models. */
const CREATED_SEC = 1_626_777_600

const SHAPES: Record<ApiFamily, (id: string) => object> = {
  openai: (id) => ({ id, object: 'model', created: CREATED_SEC, owned_by: 'tollgate', root: id, parent: null }),
  anthropic: (id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(CREATED_SEC * 1000).toISOString().replace('.000', ''),
  }),
  google: (id) => ({
    name: `models/${id}`,
    baseModelId: id,
    version: id,
    displayName: id,
    supportedGenerationMethods: /embed/i.test(id)
      ? ['embedContent', 'batchEmbedContents']
      : ['generateContent', 'streamGenerateContent', 'countTokens'],
  }),
}
