import {
  answerDecoders,
  brokenResponse,
  dialects,
  type GeminiOperation,
  isFreeRefusal,
  messageStart,
  type OpenAiOperation,
  type Provider,
  readAdvisors,
  readAnthropicServiceTier,
  readDrawingUsage,
  readGeminiServiceTier,
  readGeminiUsage,
  readImageUsage,
  readOpenAiReport,
  readOpenAiServiceTier,
  readServingModel,
  readUsageWithoutAdvisors,
} from '@tollgate/providers'
import type { ServerEvent } from '../../upstream/framing.ts'
import type { Operation, PathHints, StreamShape, UsageReports } from './operation.ts'

/** How an operation differs from the others of its dialect. */
type Differences = Partial<Omit<Operation, 'name' | 'family' | 'native' | 'usage' | 'stream'>> & {
  usage?: Partial<UsageReports>
  stream?: Partial<StreamShape>
}

/** Compatible vendors omit the event name, which the payload contains anyway. */
function kindOf({ event, data }: ServerEvent): unknown {
  if (event !== '' || !data.startsWith('{')) return event
  try {
    return JSON.parse(data).type
  } catch {
    return event
  }
}

/** Some vendors send an empty finish reason, or the text `null`, while there is none. */
const CHAT_ENDS = /"finish_reason"\s*:\s*"(?!"|null")/
const ENDS = new Set<unknown>(['response.completed', 'response.incomplete', 'response.failed'])

const NONE: readonly string[] = []
const PLAIN = { body: 'json', answer: 'json', writes: false } as const

const openai = (name: OpenAiOperation, { usage, stream, ...rest }: Differences = {}): Operation => ({
  ...PLAIN,
  name,
  family: 'openai',
  forwardedHeaders: ['openai-beta'],
  native: {
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
    without: (provider, model, body) => provider.openai?.without?.(name, model, body) ?? NONE,
    repair: (provider) => provider.openai?.repair?.(name),
    // Nothing else can be translated.
    ...((name === 'chat/completions' || name === 'responses') && {
      takes: ({ openai: native }: Provider, body: Record<string, unknown>) => native?.takes?.(body, name) ?? true,
    }),
  },
  usage: { read: readOpenAiReport, readServiceTier: readOpenAiServiceTier, ...usage },
  stream: {
    isEnding: (event) => event.data === '[DONE]',
    lastFrame: 'data: [DONE]\n\n',
    failedFrame: (failure) => `data: ${JSON.stringify(dialects['openai/chat'].error(failure))}\n\n`,
    // A comment, as DeepSeek and OpenRouter send it: every client of this dialect ignores it.
    keepAlive: ': keep-alive\n\n',
    ...stream,
  },
  ...rest,
})

const anthropic = (name: 'messages' | 'messages/count_tokens', { usage, stream, ...rest }: Differences): Operation => ({
  ...PLAIN,
  name,
  family: 'anthropic',
  forwardedHeaders: ['anthropic-version', 'anthropic-beta'],
  native: {
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
    takes: ({ anthropic: native }, body) => native?.takes?.(body, name) ?? true,
  },
  usage: {
    read: readUsageWithoutAdvisors,
    readAdvisors,
    readServingModel,
    isFree: isFreeRefusal,
    readServiceTier: readAnthropicServiceTier,
    inParts: true,
    ...usage,
  },
  stream: {
    isEnding: (event) => kindOf(event) === 'message_stop',
    lastFrame: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    failedFrame: (failure) =>
      `event: error\ndata: ${JSON.stringify(dialects['anthropic/messages'].error(failure))}\n\n`,
    keepAlive: 'event: ping\ndata: {"type": "ping"}\n\n',
    opening: { frame: messageStart, isIt: (event) => kindOf(event) === 'message_start' },
    ...stream,
  },
  ...rest,
})

const gemini = (name: GeminiOperation, { usage, stream, ...rest }: Differences = {}): Operation => ({
  ...PLAIN,
  name,
  family: 'google',
  native: {
    address(provider, access, model) {
      const { gemini: native } = provider
      const url = native?.url(name, access, model)
      return url === undefined || native === undefined ? undefined : { url, headers: native.headers(access) }
    },
  },
  usage: { read: readGeminiUsage, readServiceTier: readGeminiServiceTier, repeated: true, ...usage },
  stream: {
    // Nothing marks the end of such a stream.
    isEnding: () => false,
    lastFrame: '',
    failedFrame: (failure) => `data: ${JSON.stringify(dialects['gemini/generate'].error(failure))}\n\n`,
    // Google's libraries read a line that starts with a colon as broken JSON, and retry.
    keepAlive: undefined,
    ...stream,
  },
  ...rest,
})

const hasList = (body: Record<string, unknown>, name: string) => Array.isArray(body[name]) && body[name].length > 0

const GEMINI: Record<string, Operation> = {
  generateContent: gemini('generateContent', {
    writes: true,
    dialect: dialects['gemini/generate'],
    answers: answerDecoders['gemini/generate'],
    isAnswer: (body) => hasList(body, 'candidates') || 'promptFeedback' in body,
  }),
  streamGenerateContent: gemini('streamGenerateContent', {
    writes: true,
    dialect: dialects['gemini/generate'],
    answers: answerDecoders['gemini/generate'],
    stream: { finishes: /"(?:finishReason|blockReason)"\s*:\s*"/ },
  }),
  countTokens: gemini('countTokens', { countBody: (totalTokens) => ({ totalTokens }) }),
  embedContent: gemini('embedContent'),
  batchEmbedContents: gemini('batchEmbedContents'),
}

const OPERATIONS: Record<string, Operation> = {
  '/v1/chat/completions': openai('chat/completions', {
    writes: true,
    dialect: dialects['openai/chat'],
    answers: answerDecoders['openai/chat'],
    isAnswer: (body) => hasList(body, 'choices'),
    usage: { onRequest: true },
    stream: { finishes: CHAT_ENDS },
  }),
  '/v1/completions': openai('completions', {
    writes: true,
    answers: answerDecoders['openai/completions'],
    isAnswer: (body) => hasList(body, 'choices'),
    usage: { onRequest: true },
    stream: { finishes: CHAT_ENDS },
  }),
  '/v1/embeddings': openai('embeddings'),
  '/v1/moderations': openai('moderations', { defaultModel: 'omni-moderation-latest' }),
  '/v1/images/generations': openai('images/generations', { writes: true, defaultModel: 'dall-e-2' }),
  '/v1/images/edits': openai('images/edits', { body: 'form', writes: true, defaultModel: 'gpt-image-1' }),
  '/v1/images/variations': openai('images/variations', { body: 'form', writes: true, defaultModel: 'dall-e-2' }),
  '/v1/audio/transcriptions': openai('audio/transcriptions', { body: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/translations': openai('audio/translations', { body: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/speech': openai('audio/speech', {
    answer: 'bytes',
    stream: {
      isEnding: (event) => kindOf(event) === 'speech.audio.done',
      finishes: /"speech\.audio\.done"/,
      lastFrame: '',
    },
  }),
  '/v1/responses': openai('responses', {
    writes: true,
    dialect: dialects.responses,
    answers: answerDecoders.responses,
    // One in the background has no items yet.
    isAnswer: ({ output }) => Array.isArray(output),
    usage: { readImages: readImageUsage, readAdvisors: readDrawingUsage },
    stream: {
      isEnding: (event) => ENDS.has(kindOf(event)),
      finishes: /"response\.(?:completed|incomplete|failed)"/,
      lastFrame: '',
      failedFrame: brokenResponse,
    },
  }),
  '/v1/responses/input_tokens': openai('responses/input_tokens', {
    countBody: (input_tokens) => ({ object: 'response.input_tokens', input_tokens }),
  }),
  '/v1/responses/compact': openai('responses/compact', { writes: true }),
  '/v1/rerank': openai('rerank'),
  '/v1/messages': anthropic('messages', {
    writes: true,
    dialect: dialects['anthropic/messages'],
    answers: answerDecoders['anthropic/messages'],
    isAnswer: ({ content }) => Array.isArray(content),
    stream: { finishes: /"stop_reason"\s*:\s*"/ },
  }),
  '/v1/messages/count_tokens': anthropic('messages/count_tokens', {
    countBody: (input_tokens) => ({ input_tokens }),
  }),
}

/** Not a request with an answer but a conversation, see `realtime.ts`. */
export const REALTIME: Operation = {
  ...openai('chat/completions', { writes: true }),
  name: 'realtime',
  native: {
    address: ({ realtime }, access, model) =>
      realtime && { url: realtime.url(access, model), headers: realtime.headers(access) },
  },
}

const byPath = new Map(Object.entries(OPERATIONS))
const byAction = new Map(Object.entries(GEMINI))

export const operationAt = (path: string): { operation: Operation; hints: PathHints } | undefined => {
  const plain = byPath.get(path)
  if (plain !== undefined) return { operation: plain, hints: {} }
  // A model name may contain a colon; the action follows the last one.
  const [, model = '', action = ''] = /^\/v1(?:beta)?\/models\/(.+):(\w+)$/.exec(path) ?? []
  const native = byAction.get(action)
  const named = pathText(model)
  if (native === undefined || named === undefined) return undefined
  return { operation: native, hints: { model: named, stream: action === 'streamGenerateContent' } }
}

/** Undefined for invalid encodings, such as `%zz`. */
export const pathText = (encoded: string) => {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
