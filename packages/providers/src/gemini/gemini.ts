import { BATCH_PRICES } from '../batch-prices.ts'
import { asksToThink, REASONING } from '../budget-effort.ts'
import type { ChatRequest } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { GOOGLE_FILES } from '../file-stores.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import type { Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { pathSegment } from '../url-parts.ts'
import { geminiCarries, toGenerateBody } from './body.ts'
import { decodeGenerate, generateStreamDecoder } from './decode.ts'
import { geminiEmbeddings } from './embeddings.ts'
import { explainGoogle } from './explain.ts'
import { geminiImages } from './images.ts'
import { rulesOf } from './model.ts'
import { geminiSpeech } from './speech.ts'
import { veo } from './veo.ts'

/** Parameters that Gemini does not support, wherever it is hosted. */
export const GEMINI_UNSUPPORTED: Unsupported = { refuse: [], drop: ['user', 'parallel_tool_calls'] }

/** The same, plus thinking for models that do not think, and penalties for the newer ones. */
export const geminiUnsupported = (request: ChatRequest): Unsupported => {
  const isLost = rulesOf(request.model).thinking === 'none' && asksToThink(request)
  const penalties = rulesOf(request.model).penalties ? [] : PENALTIES
  return { ...GEMINI_UNSUPPORTED, drop: [...GEMINI_UNSUPPORTED.drop, ...penalties, ...(isLost ? REASONING : [])] }
}

const PENALTIES = ['frequency_penalty', 'presence_penalty'] as const

const headers = ({ key }: Access) => ({ 'x-goog-api-key': key })

const version = ({ config, other }: Access) => pathSegment(config.api_version || other || 'v1beta')
const root = (access: Access) => `${access.baseUrl}/${version(access)}`

/** Model names are part of the path and must not escape it. */
export const inPath = (model: string) => pathSegment(model.replace(/^models\//, ''))

/** Streams use server-sent events only when requested. */
const url = (operation: string, access: Access, model: string) =>
  `${root(access)}/models/${inPath(model)}:${operation}${operation === 'streamGenerateContent' ? '?alt=sse' : ''}`

const chat: ChatAdapter = {
  framing: 'sse',
  files: () => GOOGLE_FILES,
  carries: geminiCarries,
  unsupported: geminiUnsupported,
  inline: ['image'],
  encode: (request, access) =>
    postJson(
      url(request.stream ? 'streamGenerateContent' : 'generateContent', access, request.model),
      headers(access),
      toGenerateBody(request),
    ),
  decode: decodeGenerate,
  streamDecoder: generateStreamDecoder,
}

export const gemini: Provider = {
  name: 'gemini',
  baseUrl: 'https://generativelanguage.googleapis.com',
  gemini: { url, headers },
  batches: {
    dialect: 'google',
    price: BATCH_PRICES.gemini,
    url: (path, access) => `${root(access)}${path}`,
    headers,
  },
  files: { upload: (access) => `${access.baseUrl}/upload/${version(access)}/files` },
  chat,
  embeddings: geminiEmbeddings(url, headers),
  images: geminiImages(url, headers),
  speech: geminiSpeech(url, headers),
  videoTasks: veo({ root, url, headers }),
  unsupported: GEMINI_UNSUPPORTED,
  models: {
    request: (access) => ({ method: 'GET', url: `${root(access)}/models?pageSize=1000`, headers: headers(access) }),
    read: (body) =>
      listOf(fieldsOf(body).models).flatMap((model) => textOf(fieldsOf(model).name)?.replace(/^models\//, '') ?? []),
  },
  explain: explainGoogle,
}
