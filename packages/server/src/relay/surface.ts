import {
  type Access,
  type Dialect,
  dialects,
  type OpenAiOperation,
  type Provider,
  readAnthropicUsage,
  readOpenAiUsage,
  type Usage,
} from '@tollgate/providers'
import type { ServerEvent } from '../upstream/framing.ts'

/** How a vendor that speaks the caller's dialect is addressed. */
export interface Address {
  url: string
  headers: Record<string, string>
}

/** One kind of call: how it is sent, answered and metered. */
export interface Operation {
  name: string
  /** The body is JSON, or a form with a file. */
  body: 'json' | 'form'
  /** The answer is JSON (or a stream of it), or bytes. */
  answer: 'json' | 'bytes'
  /** Whether the answer is written by a model, so that its length is not known in advance. */
  writes: boolean
  /** Used when a request names no model, as OpenAI does. */
  defaultModel?: string
  /** Undefined when the vendor does not offer the call in this dialect. */
  address(provider: Provider, access: Access, model: string): Address | undefined
  /** Present for chats, which can also be translated for vendors of another dialect. */
  dialect?: Dialect
  /** The vendor sends usage with a stream only if asked. */
  asksUsage: boolean
  /** What one body or event states; the members it leaves out are not known. */
  readUsage(body: unknown): Partial<Usage> | undefined
  /** The event after which nothing follows; it waits for the charge. */
  isEnding(event: ServerEvent): boolean
}

type Shape = Partial<Omit<Operation, 'name'>>

const openai = (name: OpenAiOperation, shape: Shape = {}): Operation => ({
  name,
  body: 'json',
  answer: 'json',
  writes: false,
  asksUsage: false,
  address(provider, access, model) {
    const url = provider.openai?.url(name, access, model)
    return url === undefined || provider.openai === undefined
      ? undefined
      : { url, headers: provider.openai.headers(access) }
  },
  readUsage: readOpenAiUsage,
  isEnding: (event) => event.data === '[DONE]',
  ...shape,
})

const OPERATIONS: Record<string, Operation> = {
  '/v1/chat/completions': openai('chat/completions', {
    writes: true,
    asksUsage: true,
    dialect: dialects['openai/chat'],
  }),
  '/v1/completions': openai('completions', { writes: true, asksUsage: true }),
  '/v1/embeddings': openai('embeddings'),
  '/v1/moderations': openai('moderations', { defaultModel: 'omni-moderation-latest' }),
  '/v1/images/generations': openai('images/generations', { writes: true, defaultModel: 'dall-e-2' }),
  '/v1/images/edits': openai('images/edits', { body: 'form', writes: true, defaultModel: 'gpt-image-1' }),
  '/v1/audio/transcriptions': openai('audio/transcriptions', { body: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/translations': openai('audio/translations', { body: 'form', defaultModel: 'whisper-1' }),
  '/v1/audio/speech': openai('audio/speech', { answer: 'bytes' }),
  '/v1/responses': openai('responses', {
    writes: true,
    isEnding: (event) => /^response\.(completed|incomplete|failed)$/.test(event.event),
  }),
  '/v1/rerank': openai('rerank'),
  '/v1/messages': {
    name: 'messages',
    body: 'json',
    answer: 'json',
    writes: true,
    asksUsage: false,
    dialect: dialects['anthropic/messages'],
    address(provider, access, model) {
      const url = provider.anthropic?.url('messages', access, model)
      return url === undefined || provider.anthropic === undefined
        ? undefined
        : { url, headers: provider.anthropic.headers(access) }
    },
    readUsage: readAnthropicUsage,
    isEnding: (event) => event.event === 'message_stop',
  },
}

const byPath = new Map(Object.entries(OPERATIONS))

export const operationAt = (path: string) => byPath.get(path)
