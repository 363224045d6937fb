import { findProvider } from '@pydantic/genai-prices'
import { CHANNEL_TYPES } from '@tollgate/contract'

/*
 * The models that each channel type offers by default. They come from the maintained price library, so that they are
 * as new as it is; only vendors it does not know have a short list of their own here.
 */

/** Channel type → the library's name of the vendor, and which of its models belong to the type. */
const VENDORS: Record<number, { provider: string; only?: RegExp }> = {
  14: { provider: 'anthropic' },
  16: { provider: 'zhipuai' },
  20: { provider: 'openrouter' },
  24: { provider: 'google', only: /^gemini/ },
  25: { provider: 'moonshotai' },
  27: { provider: 'minimax' },
  28: { provider: 'mistral' },
  29: { provider: 'groq' },
  33: { provider: 'aws' },
  35: { provider: 'cohere' },
  36: { provider: 'deepseek' },
  37: { provider: 'cloudflare' },
  39: { provider: 'together' },
  41: { provider: 'novita' },
  42: { provider: 'google' },
}

/** OpenAI itself, and everything that resells it under the same names. */
const OPENAI = { provider: 'openai', only: /^(?!ft:|ada$|babbage$|curie$|davinci$)[\w.-]+$/ }

const OWN_LISTS: Record<number, string[]> = {
  11: ['PaLM-2'],
  15: ['ernie-5.0', 'ernie-4.5-turbo-128k', 'ernie-4.5-turbo-vl', 'ernie-x1.1', 'ernie-speed-pro-128k', 'bge-large-zh'],
  17: [
    'qwen3-max',
    'qwen-max',
    'qwen-plus',
    'qwen-flash',
    'qwen-turbo',
    'qwen-long',
    'qwen3-vl-plus',
    'qwen3-coder-plus',
    'qwq-plus',
    'text-embedding-v4',
  ],
  18: ['Spark-4.0-Ultra', 'Spark-Max', 'Spark-Max-32K', 'Spark-Pro', 'Spark-Pro-128K', 'Spark-Lite'],
  19: ['360gpt2-pro', '360gpt-pro', '360gpt-turbo', '360zhinao2-o1', 'embedding_s1_v1'],
  23: [
    'hunyuan-turbos-latest',
    'hunyuan-t1-latest',
    'hunyuan-large',
    'hunyuan-standard-256K',
    'hunyuan-lite',
    'hunyuan-vision',
    'hunyuan-embedding',
  ],
  26: ['Baichuan4', 'Baichuan4-Turbo', 'Baichuan4-Air', 'Baichuan3-Turbo-128k', 'Baichuan-Text-Embedding'],
  30: ['llama3.3', 'qwen3', 'gemma3', 'deepseek-r1', 'mistral-small', 'phi4', 'nomic-embed-text'],
  31: ['yi-lightning', 'yi-large', 'yi-medium', 'yi-vision'],
  32: ['step-3', 'step-2-16k', 'step-2-mini', 'step-1-256k', 'step-1v-32k', 'step-1x-medium'],
  34: [],
  38: ['deepl-zh', 'deepl-en', 'deepl-ja'],
  40: [
    'doubao-seed-1.6',
    'doubao-seed-1.6-flash',
    'doubao-seed-1.6-thinking',
    'doubao-1.5-pro-32k',
    'doubao-1.5-lite-32k',
    'doubao-embedding-large',
  ],
  43: [],
}

const listed = new Map(CHANNEL_TYPES.map(({ value }) => [value, OWN_LISTS[value] ?? fromLibrary(value)]))

export const modelsByType = (): Record<string, string[]> => Object.fromEntries(listed)

/** Every model once, under the first channel type that offers it. */
export const allModels = () => {
  const owners = new Map<string, string>()
  for (const { value, key } of CHANNEL_TYPES) {
    for (const model of listed.get(value) ?? []) if (!owners.has(model)) owners.set(model, key)
  }
  return [...owners].map(([id, owned_by]) => ({ id, object: 'model' as const, owned_by }))
}

function fromLibrary(type: number) {
  const { provider, only } = VENDORS[type] ?? OPENAI
  const models = findProvider({ providerId: provider })?.models ?? []
  return models.filter((model) => model.deprecated !== true && (only?.test(model.id) ?? true)).map((model) => model.id)
}
