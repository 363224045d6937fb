/** A name under which the price of a model may be listed. */
export interface ListedName {
  model: string
  /** The vendor in the price library; undefined for any. */
  vendor?: string
}

/** Suffixes of routers that select a server or a plugin at the model's own price. */
const VARIANT = /:(?:nitro|floor|exacto|extended|thinking|beta|online|latest)$/
const FREE = /:free$/

/** The region of a model; the price is that without a region. */
const REGION = /^(?:global|us|eu|apac|jp|au)\./

/** The release date: `-2024-07-18`, `-20250514`, `@20250514`, `-0613`. */
const DATE = /(?:-20\d{2}-\d{2}-\d{2}|[-@]20\d{6}|-\d{4})$/
const LATEST = /-latest$/

/** Vendors that the library knows only by OpenRouter's prices for their models. */
const ROUTED = 'openrouter'

/** The maker prefix of routers, and the price library's name of that vendor. */
const MAKERS = new Map(
  Object.entries({
    'bytedance-seed': ROUTED,
    'meta-llama': ROUTED,
    nvidia: ROUTED,
    qwen: ROUTED,
    stepfun: ROUTED,
    anthropic: 'anthropic',
    cohere: 'cohere',
    deepseek: 'deepseek',
    'deepseek-ai': 'deepseek',
    google: 'google',
    minimax: 'minimax',
    minimaxai: 'minimax',
    mistral: 'mistral',
    mistralai: 'mistral',
    moonshotai: 'moonshotai',
    openai: 'openai',
    perplexity: 'perplexity',
    'x-ai': 'x-ai',
    xai: 'x-ai',
    'z-ai': 'zhipuai',
    'zai-org': 'zhipuai',
  }),
)

/** The makers of channel types whose model names do not contain them, and OpenRouter's spelling. */
const OWN_MAKERS: Readonly<Record<number, (model: string) => string>> = {
  17: (model) => `qwen/${model}`,
  32: (model) => `stepfun/${model}`,
  // `doubao-seed-2-0-lite-260428`
  40: (model) => model.replace(/^doubao-(seed-\d+)-(\d+)(.*?)(?:-\d{6})?$/, 'bytedance-seed/$1.$2$3'),
  49: (model) => `qwen/${model}`,
}

/** Routers mark free variants in the model name. */
export const isFreeVariant = (model: string) => FREE.test(model)

/**
 * The names to look up a price under, most exact first: as written, then without what routers, clouds and releases add to
 * the model's name.
 */
export const listedNames = (model: string, channelType?: number): ListedName[] => {
  const routed = channelType === undefined ? undefined : OWN_MAKERS[channelType]?.(model.toLowerCase())
  const plain = model.toLowerCase().replace(VARIANT, '').replace(REGION, '')
  const undated = plain.replace(DATE, '').replace(LATEST, '')
  const own = routed === undefined ? [] : byMaker(routed)
  return [...[model, plain, undated].flatMap((name) => [{ model: name }, ...byMaker(name)]), ...own]
}

/** `maker/model` as OpenRouter lists it, and as its maker sells it. */
function byMaker(name: string): ListedName[] {
  const parts = name.toLowerCase().split('/')
  const [maker = '', model = ''] = parts.slice(-2)
  const vendor = MAKERS.get(maker)
  if (parts.length < 2 || vendor === undefined) return []
  // OpenRouter writes versions with a dot where their makers use a dash.
  return [
    { model: `${maker}/${model}`, vendor: 'openrouter' },
    { model, vendor },
    { model: model.replaceAll('.', '-'), vendor },
  ]
}
