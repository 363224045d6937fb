import { CLAUDE_UNSUPPORTED, claudeUnsupported } from '../anthropic/anthropic.ts'
import { claudeCarries, toMessagesBody } from '../anthropic/body.ts'
import type { ChatRequest } from '../chat.ts'
import type { ChatAdapter } from '../chat-adapter.ts'
import { GOOGLE_FILES } from '../file-stores.ts'
import { geminiCarries, toGenerateBody } from '../gemini/body.ts'
import { explainGoogle } from '../gemini/explain.ts'
import { GEMINI_UNSUPPORTED, geminiUnsupported } from '../gemini/gemini.ts'
import { geminiImages } from '../gemini/images.ts'
import { geminiSpeech } from '../gemini/speech.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import { chatCarries, lostEffort, toChatBody } from '../openai/chat-body.ts'
import { postJson } from '../post-json.ts'
import type { Provider } from '../provider.ts'
import { refuseUnsupported, type Unsupported } from '../unsupported.ts'
import type { Access } from '../upstream-request.ts'
import { readToken, tokenRequest } from './account.ts'
import { decodeVertex, vertexStreamDecoder } from './decode.ts'
import { vertexEmbeddings } from './embeddings.ts'
import { claudeMessages, VERTEX_VERSION } from './messages.ts'
import { modelUrl, type Publisher, projectOf, publisherModelsUrl, publisherOf } from './url.ts'
import { vertexVeo } from './veo.ts'

/** Here `access.key` is the token that Google issued for the account. */
const headers = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

const chat: ChatAdapter = {
  framing: 'sse',
  inline: ['image'],
  files: ({ model }) => (publisherOf(model) === 'google' ? GOOGLE_FILES : undefined),
  carries: (request) => CARRIED[publisherOf(request.model)](request),
  unsupported: (request) => LOST[publisherOf(request.model)](request),
  encode(request, access) {
    const publisher = publisherOf(request.model)
    if (publisher === 'anthropic') refuseUnsupported('Claude on Vertex', CLAUDE_UNSUPPORTED, request)
    const url = modelUrl(access, {
      model: request.model,
      action: ACTIONS[publisher][request.stream ? 'stream' : 'whole'],
    })
    return postJson(url, headers(access), BODIES[publisher](request))
  },
  decode: decodeVertex,
  streamDecoder: vertexStreamDecoder,
}

const BODIES: Record<Publisher, (request: ChatRequest) => object> = {
  google: toGenerateBody,
  anthropic: (request) => ({
    anthropic_version: VERTEX_VERSION,
    ...toMessagesBody(request),
    stream: request.stream,
  }),
  openapi: (request) => toChatBody(request),
}

const LOST: Record<Publisher, (request: ChatRequest) => Unsupported> = {
  google: geminiUnsupported,
  anthropic: claudeUnsupported,
  openapi: (request) => ({ refuse: [], drop: lostEffort(request) }),
}

const CARRIED: Record<Publisher, (request: ChatRequest) => readonly string[]> = {
  google: geminiCarries,
  anthropic: claudeCarries,
  openapi: (request) => chatCarries(request),
}

const ACTIONS: Record<Publisher, { whole: string; stream: string }> = {
  google: { whole: 'generateContent', stream: 'streamGenerateContent?alt=sse' },
  anthropic: { whole: 'rawPredict', stream: 'streamRawPredict' },
  openapi: { whole: '', stream: '' },
}

const actionUrl = (action: string, access: Access, model: string) => modelUrl(access, { model, action })

const PASSED: ReadonlySet<string> = new Set(['generateContent', 'streamGenerateContent', 'countTokens'])

export const vertex: Provider = {
  name: 'vertex',
  gemini: {
    url(operation, access, model) {
      if (publisherOf(model) !== 'google' || !PASSED.has(operation)) return undefined
      const action = operation === 'streamGenerateContent' ? ACTIONS.google.stream : operation
      return modelUrl(access, { model, action })
    },
    headers,
  },
  anthropic: claudeMessages(headers),
  chat,
  embeddings: vertexEmbeddings(headers),
  images: geminiImages(actionUrl, headers),
  speech: geminiSpeech(actionUrl, headers),
  videoTasks: vertexVeo(headers),
  exchange: { request: tokenRequest, read: readToken },
  models: {
    request: (access) => ({
      method: 'GET',
      url: publisherModelsUrl(access),
      headers: { ...headers(access), 'x-goog-user-project': projectOf(access) },
    }),
    read: (body) =>
      listOf(fieldsOf(body).publisherModels).flatMap(
        (model) => textOf(fieldsOf(model).name)?.split('/').slice(-1) ?? [],
      ),
  },
  unsupported: GEMINI_UNSUPPORTED,
  explain: explainGoogle,
}
