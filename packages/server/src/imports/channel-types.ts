import type { SourceDatabase } from './source-database.ts'

/** one-api's numbers are ours up to 51, which is its last one. */
const ONE_API_LAST = 51

/** Numbers of new-api that mean another provider here. Those that are not listed are the same up to 25. */
const NEW_API: Readonly<Record<number, number>> = {
  2: 61, // Midjourney Proxy
  4: 30, // Ollama
  5: 61, // Midjourney Proxy Plus
  26: 16, // Zhipu
  27: 52, // Perplexity
  31: 31, // 01.AI
  33: 33, // AWS
  34: 35, // Cohere
  35: 27, // MiniMax
  39: 37, // Cloudflare
  40: 44, // SiliconFlow
  41: 42, // Vertex AI
  42: 28, // Mistral
  43: 36, // DeepSeek
  45: 40, // VolcEngine
  46: 47, // Baidu V2
  48: 45, // xAI
  49: 34, // Coze
  55: 1, // Sora
  56: 46, // Replicate
}

/** Providers whose API is OpenAI's, by the address that new-api calls. */
const COMPATIBLE: Readonly<Record<number, string>> = {
  38: 'https://api.jina.ai/v1',
  44: 'https://api.moka.ai/v1',
  47: '',
  53: 'https://llm.submodel.ai/v1',
}

/** new-api's names of types that have no counterpart here. */
const MISSING: Readonly<Record<number, string>> = {
  36: 'Suno',
  37: 'Dify',
  50: 'Kling',
  51: 'Jimeng',
  52: 'Vidu',
  54: 'Doubao video',
  57: 'Codex',
  58: 'Kuaizi',
}

const OPENAI_COMPATIBLE = 50
const SAME_UP_TO = 25

/** The type here, and the base address to use when the channel has none; or the name of a type that does not exist here. */
export const channelTypeOf = (
  kind: SourceDatabase['kind'],
  type: number,
): { type: number; baseUrl: string } | { missing: string } => {
  if (kind === 'one-api') return type >= 1 && type <= ONE_API_LAST ? { type, baseUrl: '' } : { missing: String(type) }
  const other = new Map(Object.entries(NEW_API)).get(String(type))
  if (other !== undefined) return { type: other, baseUrl: '' }
  const address = new Map(Object.entries(COMPATIBLE)).get(String(type))
  if (address !== undefined) return { type: OPENAI_COMPATIBLE, baseUrl: address }
  if (type >= 1 && type <= SAME_UP_TO) return { type, baseUrl: '' }
  return { missing: new Map(Object.entries(MISSING)).get(String(type)) ?? String(type) }
}
