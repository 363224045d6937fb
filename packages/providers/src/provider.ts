import type { ChannelConfig } from '@tollgate/contract'
import type { ChatAdapter } from './chat-adapter.ts'
import type { UpstreamFailure } from './failure.ts'
import type { Usage } from './usage.ts'

/** What an adapter may know of a channel: where it points and what opens the door. */
export interface Access {
  type: number
  /** Without a trailing slash; the vendor's own address when the channel has none. */
  baseUrl: string
  key: string
  other: string
  config: ChannelConfig
}

/** A request to make, as plain data. Whoever sends it adds nothing but the connection. */
export interface UpstreamRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  /** JSON text, form data or bytes; absent for GET. */
  body?: string | Uint8Array | FormData
}

/** The calls of OpenAI's surface that an OpenAI-compatible vendor may answer. */
export type OpenAiOperation =
  | 'chat/completions'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'images/generations'
  | 'images/edits'
  | 'audio/transcriptions'
  | 'audio/translations'
  | 'audio/speech'
  | 'responses'
  | 'rerank'

/**
 * The caller's dialect is the vendor's own: the body goes through as it came, and only the address, the credentials and
 * the model's name are ours.
 */
export interface PassThrough<Operation extends string> {
  /** Undefined when the vendor does not offer the operation. */
  url(operation: Operation, access: Access, model: string): string | undefined
  headers(access: Access): Record<string, string>
}

/** A vendor: a value made of pure functions. What it does not offer, it leaves out. */
export interface Provider {
  name: string
  /** The vendor's own address, used when a channel names none. Absent when the channel has to name one. */
  baseUrl?: string
  /** OpenAI's dialect, spoken natively. */
  openai?: PassThrough<OpenAiOperation>
  /** Anthropic's Messages dialect, spoken natively. */
  anthropic?: PassThrough<'messages' | 'messages/count_tokens'>
  /** Google's generateContent dialect, spoken natively. */
  gemini?: PassThrough<'generateContent' | 'streamGenerateContent' | 'countTokens' | 'embedContent'>
  /** Chat in a dialect of its own, translated from and to the gateway's tongue. */
  chat?: ChatAdapter
  embeddings?: EmbeddingsAdapter
  images?: ImagesAdapter
  /** How the vendor lists its models. */
  models?: { request(access: Access): UpstreamRequest; read(body: unknown): string[] }
  /** How the vendor states a balance, in the unit of its channel type. Some need two answers. */
  balance?: { requests(access: Access, nowSec: number): UpstreamRequest[]; read(bodies: unknown[]): number }
  /** What a refusal means: whom to blame, and what to tell the caller. `body` is text; it may be anything. */
  explain(status: number, body: string, headers: Headers): UpstreamFailure
}

export interface EmbeddingsAdapter {
  encode(request: { model: string; input: string[]; dimensions?: number }, access: Access): Encoded
  decode(body: unknown): { vectors: number[][]; usage: Usage | undefined }
}

export interface ImagesAdapter {
  encode(
    request: { model: string; prompt: string; n: number; size?: string; extra: Record<string, unknown> },
    access: Access,
  ): Encoded
  decode(body: unknown): { images: { url?: string; b64?: string; revisedPrompt?: string }[]; usage: Usage | undefined }
}

/** Most requests are made at once; a signature or a token exchange may take a moment. */
export type Encoded = UpstreamRequest | Promise<UpstreamRequest>
