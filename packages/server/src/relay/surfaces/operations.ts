import {
  type Access,
  brokenResponse,
  type Dialect,
  dialects,
  type GeminiOperation,
  type OpenAiOperation,
  type Provider,
  readAnthropicServiceTier,
  readAnthropicUsage,
  readGeminiServiceTier,
  readGeminiUsage,
  readImageUsage,
  readOpenAiServiceTier,
  readOpenAiUsage,
  type UpstreamFailure,
  type UpstreamRequest,
  type Usage,
} from '@tollgate/providers'
import type { ServerEvent } from '../../upstream/framing.ts'
import type { Repair } from '../lanes/repair-events.ts'
import type { ApiFamily } from './api-family.ts'

/** How a vendor that speaks the caller's dialect is addressed. */
export interface Address {
  url: string
  headers: Record<string, string>
  /** False where the vendor takes `stream_options` for a mistake. */
  streamOptions?: boolean
  /** The body as this vendor takes it. */
  amend?: (body: string) => string
  /** The request as this vendor takes it, when all else is said. */
  finish?: (request: UpstreamRequest, nowMs: number) => UpstreamRequest | Promise<UpstreamRequest>
}

/** One kind of call: how it is sent, answered and metered. */
export interface Operation {
  name: string
  family: ApiFamily
  /** The body is JSON, or a form with a file. */
  body: 'json' | 'form'
  /** The answer is JSON (or a stream of it), or bytes. */
  answer: 'json' | 'bytes'
  /** Whether the answer is written by a model, so that its length is not known in advance. */
  writes: boolean
  /** Used when a request names no model, as OpenAI does. */
  defaultModel?: string
  /** Undefined when the vendor does not offer the call in this dialect. */
  address(provider: Provider, access: Access, model: string, stream?: boolean): Address | undefined
  /** Whether a vendor of the dialect takes the body as it came; absent means always. */
  takes?(provider: Provider, body: Record<string, unknown>): boolean
  /** Where the vendor's answers are not quite the dialect; for one answer, whole or streamed. */
  repair?(provider: Provider): Repair | undefined
  /** Present for chats, which can also be translated for vendors of another dialect. */
  dialect?: Dialect
  /** The vendor sends usage with a stream only if asked. */
  asksUsage: boolean
  /** Every event of a stream states the usage anew: the last one is enough. */
  repeatsUsage?: true
  /** Events of a stream state different members of the usage; elsewhere each statement is of the whole call. */
  usageInParts?: true
  /** What one body or event states; the members it leaves out are not known. */
  readUsage(body: unknown): Partial<Usage> | undefined
  /** How urgently the vendor worked, where one body or event says so. */
  readServiceTier(body: unknown): string | undefined
  /** What pictures took that were drawn on the way, by another model than the one that was called. */
  readImageUsage?(body: unknown): Usage | undefined
  /** The event after which nothing follows; it waits for the charge. */
  isEnding(event: ServerEvent): boolean
  /**
   * The reason for the end, with which a stream is complete though its last event is missing. It is looked for in bytes;
   * inside of what a model says, the quotes would have backslashes. Absent where streams need not have an end.
   */
  finishes?: RegExp
  /** Sent at the end where the vendor forgot to, though it gave a reason for the end. */
  lastFrame: string
  /**
   * What is sent while there is nothing to tell. Undefined where a client library in use can read nothing but data: then
   * a stream contains no comments either, be they ours or the vendor's.
   */
  keepAlive: string | undefined
  failedFrame(failure: UpstreamFailure): string
  /** Headers by which the dialect's clients choose versions and previews; a vendor of the dialect has to hear them. */
  forwardedHeaders?: readonly string[]
  /** Costs nothing, such as counting tokens. */
  free?: true
  /** Of a call that counts tokens: the answer, for vendors that have no such call. */
  countBody?(tokens: number): unknown
}

type Shape = Partial<Omit<Operation, 'name' | 'family'>>

/** Imitators leave the name of an event to its payload, which says it anyway. */
function kindOf({ event, data }: ServerEvent): unknown {
  if (event !== '' || !data.startsWith('{')) return event
  try {
    return JSON.parse(data).type
  } catch {
    return event
  }
}

/** Some vendors say an empty reason, or the word `null`, as long as there is none. */
const CHAT_ENDS = /"finish_reason"\s*:\s*"(?!"|null")/
const ENDS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed'])

const openai = (name: OpenAiOperation, shape: Shape = {}): Operation => ({
  name,
  family: 'openai',
  body: 'json',
  answer: 'json',
  writes: false,
  asksUsage: false,
  address(provider, access, model) {
    const { openai: native } = provider
    const url = native?.url(name, access, model)
    if (url === undefined || native === undefined) return undefined
    const { amend } = native
    return {
      url,
      headers: native.headers(access),
      streamOptions: native.streamOptions?.(access) ?? true,
      ...(amend === undefined ? {} : { amend: (body: string) => amend(name, body) }),
    }
  },
  repair: (provider) => provider.openai?.repair?.(name),
  readUsage: readOpenAiUsage,
  readServiceTier: readOpenAiServiceTier,
  forwardedHeaders: ['openai-beta'],
  isEnding: (event) => event.data === '[DONE]',
  lastFrame: 'data: [DONE]\n\n',
  // A comment, as DeepSeek and OpenRouter send it: every client of this dialect skips it.
  keepAlive: ': keep-alive\n\n',
  failedFrame: (failure) => `data: ${JSON.stringify(dialects['openai/chat'].error(failure))}\n\n`,
  ...shape,
})

const anthropic = (name: 'messages' | 'messages/count_tokens', shape: Shape): Operation => ({
  name,
  family: 'anthropic',
  body: 'json',
  answer: 'json',
  writes: false,
  asksUsage: false,
  address(provider, access, model, stream) {
    const { anthropic: native } = provider
    const url = native?.url(name, access, model, stream)
    if (url === undefined || native === undefined) return undefined
    const { amend, finish } = native
    return {
      url,
      headers: native.headers(access),
      ...(amend === undefined ? {} : { amend: (body: string) => amend(name, body) }),
      ...(finish === undefined ? {} : { finish: (request, nowMs) => finish(request, access, nowMs) }),
    }
  },
  takes: ({ anthropic: native }, body) => native?.takes?.(body) ?? true,
  readUsage: readAnthropicUsage,
  readServiceTier: readAnthropicServiceTier,
  usageInParts: true,
  forwardedHeaders: ['anthropic-version', 'anthropic-beta'],
  isEnding: (event) => kindOf(event) === 'message_stop',
  lastFrame: '',
  keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
  failedFrame: (failure) => `event: error\ndata: ${JSON.stringify(dialects['anthropic/messages'].error(failure))}\n\n`,
  ...shape,
})

const gemini = (name: GeminiOperation, shape: Shape = {}): Operation => ({
  name,
  family: 'google',
  body: 'json',
  answer: 'json',
  writes: false,
  asksUsage: false,
  address(provider, access, model) {
    const { gemini: native } = provider
    const url = native?.url(name, access, model)
    return url === undefined || native === undefined ? undefined : { url, headers: native.headers(access) }
  },
  readUsage: readGeminiUsage,
  readServiceTier: readGeminiServiceTier,
  repeatsUsage: true,
  // Nothing marks the end of such a stream.
  isEnding: () => false,
  lastFrame: '',
  // Google's libraries take a line that begins with a colon for broken JSON, and call again.
  keepAlive: undefined,
  failedFrame: (failure) => `data: ${JSON.stringify(dialects['gemini/generate'].error(failure))}\n\n`,
  ...shape,
})

const GEMINI: Record<string, Operation> = {
  generateContent: gemini('generateContent', { writes: true, dialect: dialects['gemini/generate'] }),
  streamGenerateContent: gemini('streamGenerateContent', {
    writes: true,
    finishes: /"(?:finishReason|blockReason)"\s*:\s*"/,
    dialect: dialects['gemini/generate'],
  }),
  countTokens: gemini('countTokens', { free: true, countBody: (totalTokens) => ({ totalTokens }) }),
  embedContent: gemini('embedContent'),
  batchEmbedContents: gemini('batchEmbedContents'),
}

const OPERATIONS: Record<string, Operation> = {
  '/v1/chat/completions': openai('chat/completions', {
    writes: true,
    asksUsage: true,
    finishes: CHAT_ENDS,
    dialect: dialects['openai/chat'],
  }),
  '/v1/completions': openai('completions', { writes: true, asksUsage: true, finishes: CHAT_ENDS }),
  '/v1/embeddings': openai('embeddings'),
  '/v1/moderations': openai('moderations', { defaultModel: 'omni-moderation-latest' }),
  '/v1/images/generations': openai('images/generations', { writes: true, defaultModel: 'dall-e-2' }),
  '/v1/images/edits': openai('images/edits', { body: 'form', writes: true, defaultModel: 'gpt-image-1' }),
  '/v1/audio/transcriptions': openai('audio/transcriptions', { body: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/translations': openai('audio/translations', { body: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/speech': openai('audio/speech', { answer: 'bytes' }),
  '/v1/responses': openai('responses', {
    writes: true,
    dialect: dialects.responses,
    lastFrame: '',
    isEnding: (event) => ENDS.has(kindOf(event)),
    finishes: /"response\.(?:completed|incomplete|failed)"/,
    failedFrame: brokenResponse,
    readImageUsage: readImageUsage,
  }),
  '/v1/responses/input_tokens': openai('responses/input_tokens', {
    free: true,
    countBody: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
  }),
  '/v1/responses/compact': openai('responses/compact', { writes: true }),
  '/v1/rerank': openai('rerank'),
  '/v1/messages': anthropic('messages', {
    writes: true,
    finishes: /"stop_reason"\s*:\s*"/,
    dialect: dialects['anthropic/messages'],
  }),
  '/v1/messages/count_tokens': anthropic('messages/count_tokens', {
    free: true,
    countBody: (input_tokens) => ({ input_tokens }),
  }),
}

/** Not a path of its own kind of answer: a conversation, see `realtime.ts`. */
export const REALTIME: Operation = {
  ...openai('chat/completions', { writes: true }),
  name: 'realtime',
  address: ({ realtime }, access, model) =>
    realtime && { url: realtime.url(access, model), headers: realtime.headers(access) },
}

const byPath = new Map(Object.entries(OPERATIONS))
const byAction = new Map(Object.entries(GEMINI))

/** What the path says, where a dialect does not leave it to the body. */
export interface PathHints {
  model?: string
  stream?: boolean
}

export const operationAt = (path: string): { operation: Operation; hints: PathHints } | undefined => {
  const plain = byPath.get(path)
  if (plain !== undefined) return { operation: plain, hints: {} }
  // A model's own name may hold a colon; the action stands behind the last one.
  const [, model = '', action = ''] = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/.exec(path) ?? []
  const native = byAction.get(action)
  const named = pathText(model)
  if (native === undefined || named === undefined) return undefined
  return { operation: native, hints: { model: named, stream: action === 'streamGenerateContent' } }
}

/** Undefined for what is no text, such as `%zz`. */
export const pathText = (encoded: string) => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
