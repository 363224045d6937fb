/** A name under which the price of a model may be listed. */
export interface ListedName {
  model: string
  /** The vendor of the price library whose list is meant; undefined for any. */
  vendor?: string
}

/** What routers append: a way to choose the server, or a plugin, at the price of the model itself. */
const VARIANT = /:(?:nitro|floor|exacto|extended|thinking|beta|online|latest)$/
const FREE = /:free$/

/** Where the model runs; the price is the one of the region without a name of its own. */
const REGION = /^(?:global|us|eu|apac|jp|au)\./

/** When the model was made: `-2024-07-18`, `-20250514`, `@20250514`, `-0613`. */
const DATE = /(?:-20\d{2}-\d{2}-\d{2}|[-@]20\d{6}|-\d{4})$/
const LATEST = /-latest$/

/** Whom the library knows by what OpenRouter takes for their models only. */
const ROUTED = 'openrouter'

/** Who a router says has made the model, by the price library's name of that vendor. */
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

/** The makers behind channel types whose own names do not say whose they are, and how OpenRouter writes these. */
const OWN_MAKERS: Readonly<Record<number, (model: string) => string>> = {
  17: (model) => `qwen/${model}`,
  32: (model) => `stepfun/${model}`,
  // `doubao-seed-2-0-lite-260428`
  40: (model) => model.replace(/^doubao-(seed-\d+)-(\d+)(.*?)(?:-\d{6})?$/, 'bytedance-seed/$1.$2$3'),
  49: (model) => `qwen/${model}`,
}

/** A router gives some models away, and says so in their names. */
export const isFreeVariant = (model: string) => FREE.test(model)

/**
 * The names to look a price up under, the most exact first: as it is written, then without what routers, clouds and
 * releases put around the name of the model that is sold.
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
  // OpenRouter writes versions with a dot that their makers write with a dash.
  return [
    { model: `${maker}/${model}`, vendor: 'openrouter' },
    { model, vendor },
    { model: model.replaceAll('.', '-'), vendor },
  ]
}
