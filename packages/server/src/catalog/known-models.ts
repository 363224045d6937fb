import { findProvider } from '@pydantic/genai-prices'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { LIBRARY_VENDORS } from './library.ts'
import { OWN_MODELS } from './own-models.ts'
import type { Prices } from './prices.ts'

/*
 * The models that each channel type offers by default. Where the price library names a vendor's models as the vendor
 * does, they come from it and are as new as it is; the others have a short list of their own.
 */

interface Selection {
  /** The library's name of the vendor, where it is not the one behind the type. */
  vendor?: string
  /** Which of the vendor's models the type can call. */
  only?: RegExp
  /** What the vendor has switched off, or never called so: the library keeps prices for ever. */
  without?: RegExp
  /** How the vendor writes what the library writes. */
  name?: (id: string) => string
  /** What the library does not price. */
  and?: readonly string[]
}

const RETIRED_GEMINI = /^gemini-(1|2\.0|pro|flash-1|3-pro-preview$|2\.5-flash-preview|.*live)|-maas$/

/** OpenAI itself, and everything that resells it under the same names. */
const OPENAI: Selection = {
  vendor: 'openai',
  without:
    /^(ft:|ada$|babbage|curie|davinci|text-davinci|chatgpt-|codex-|computer-|gpt-3\.5-(?!turbo$)|gpt-4-(32k|vision)|gpt-4\.5|gpt-4o:|gpt-4o-(mini-)?(2024|audio|realtime)|gpt-5\.3$|gpt-[\d.]+-image|gpt-oss|moderation|o1-(mini|preview))/,
  and: ['tts-1', 'tts-1-hd', 'omni-moderation-latest'],
}

/** Azure, the resellers, and what answers to any name of OpenAI's: a custom server and the two knowledge bases. */
const SELLS_OPENAI = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 21, 22]

const SELECTIONS: Readonly<Record<number, Selection>> = {
  ...Object.fromEntries(SELLS_OPENAI.map((type) => [type, OPENAI])),
  14: { without: /^claude-([23v]|.*-4-0$)/ },
  16: {
    without: /^GLM-4-/,
    name: (id) => id.toLowerCase(),
    and: ['glm-4.5-flash', 'embedding-3', 'cogview-4-250304'],
  },
  20: {
    only: /^(anthropic|deepseek|google|minimax|mistralai|moonshotai|openai|perplexity|qwen|x-ai|z-ai)\/[\w.-]+$/,
    without:
      /claude-([23]|instant)|deepseek-(chat$|r1|v3-)|gemini-(pro|flash|2\.0|.*exp)|gemma-[23]|palm|learnlm|lyria|gpt-(3\.5|4$|4-)|o1|chatgpt|codex-mini|mi[sx]tral-(7b|8x|tiny|nemo|saba|small$|medium$|large$|small-24b)|mixtral|pixtral|mamba|llama|r1-1776|qwen-?[12]|qwq|grok-(2|3|beta|vision)|minimax-(01|m1)|kimi-k2$|gpt-4\.5|gpt-4o-2024|chat-v3-0324|flash-preview$|preview-0/,
  },
  24: { only: /^gem(ini|ma-4)/, without: RETIRED_GEMINI },
  25: {},
  37: { without: /distilbert|m2m100|indictrans|plamo|moondream|llama-guard/ },
  42: { only: /^(gemini|claude)/, without: new RegExp(`${RETIRED_GEMINI.source}|^claude-[34]-`) },
  45: { only: /^grok-(4\.|build|code)/ },
  51: { only: /^gemini/, without: RETIRED_GEMINI },
  52: { only: /^sonar/, without: /pro-search$|^sonar-reasoning$/ },
  53: {
    only: /^(deepseek-v4|glm-5|gpt-oss|kimi-k(2p[67]|3)|minimax-m(2p7|3)|qwen3p[67])/,
    // What is fast is behind another door.
    without: /-(fast|us)$/,
    name: (id) => `accounts/fireworks/models/${id}`,
  },
  54: { without: /coder-480b/ },
}

const listed = new Map(CHANNEL_TYPES.map(({ value }) => [value, OWN_MODELS[value] ?? fromLibrary(value)]))

/** Types for which nobody has said what they offer, be it nothing. */
export const typesWithoutList = () =>
  CHANNEL_TYPES.filter(({ value }) => OWN_MODELS[value] === undefined && SELECTIONS[value] === undefined)

/** The default models of each type, and those of them that have no price: nobody should offer these without knowing. */
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

/** A type that nobody has given models offers none: a vendor does not serve what another one has. */
function fromLibrary(type: number) {
  const selection = SELECTIONS[type]
  if (selection === undefined) return []
  const { vendor = LIBRARY_VENDORS[type] ?? '', only, without, name = (id: string) => id, and = [] } = selection
  const sold = (findProvider({ providerId: vendor })?.models ?? []).filter(({ deprecated }) => deprecated !== true)
  const ids = sold.map(({ id }) => id).filter((id) => (only?.test(id) ?? true) && without?.test(id) !== true)
  return [...new Set([...ids.map(name), ...and])]
}
