import type { BatchAdapter } from './batch-adapter.ts'
import type { ChatAdapter, EncodeContext } from './chat-adapter.ts'
import type { UpstreamFailure } from './failure.ts'
import type { Signer } from './signature.ts'
import type { Unsupported } from './unsupported.ts'
import type { Access, Encoded, TaskFollower, UpstreamRequest } from './upstream-request.ts'
import type { Usage } from './usage.ts'

/** The operations of OpenAI's API that a compatible vendor may support. */
export type OpenAiOperation =
  | 'chat/completions'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'images/generations'
  | 'images/edits'
  | 'images/variations'
  | 'audio/transcriptions'
  | 'audio/translations'
  | 'audio/speech'
  | 'responses'
  | 'responses/input_tokens'
  | 'responses/compact'
  | 'rerank'

export type GeminiOperation =
  | 'generateContent'
  | 'streamGenerateContent'
  | 'countTokens'
  | 'embedContent'
  | 'batchEmbedContents'

/**
 * The caller's dialect is the vendor's own: the body passes through unchanged, and only URL, credentials and model name
 * are set by the gateway.
 */
export interface PassThrough<Operation extends string> {
  /** Undefined when the vendor does not offer the operation. */
  url(operation: Operation, access: Access, model: string, stream?: boolean): string | undefined
  headers(access: Access): Record<string, string>
  /** Whether a chat or a response can pass through unchanged; absent means always. Otherwise it is translated. */
  takes?(body: Record<string, unknown>, operation: Operation): boolean
  /** Whether `stream_options` may be sent; absent means yes. Where it is an error, usage comes anyway or not at all. */
  streamOptions?(access: Access): boolean
  /** Optional members that the vendor refuses: they are dropped. */
  without?(operation: Operation, model: string, body: Record<string, unknown>): readonly string[]
  /** Rewrites a body whose vendor refuses what its own repaired answers contain. */
  amend?(operation: Operation, body: string): string
  /** Who signs the reasoning, if not the vendor that defined the dialect; `repair` marks it. */
  signer?: Signer
  /** Adapts the request to this vendor: signs it, or moves values from headers into the body. */
  finish?(request: UpstreamRequest, access: Access, nowMs: number): Encoded
  /**
   * For vendors whose answers deviate from the dialect: fixes an answer, or each event of a stream, in place for strict
   * clients.
   */
  repair?(operation: Operation): ((body: Record<string, unknown>) => void) | undefined
}

/** OpenAI's videos: made later, fetched by their ids. */
export interface VideosAdapter {
  /** `/videos`, `/videos/video_1/content`. */
  url(path: string, access: Access): string
  headers(access: Access): Record<string, string>
}

/** A video as a caller wants it, for vendors with an API of their own. */
export interface VideoSpec {
  model: string
  prompt: string
  seconds: number
  /** `1280x720`. */
  size: string
  /** To begin with. */
  picture?: { mimeType: string; base64: string }
}

/** What a vendor says of a video, in OpenAI's words. */
export interface VideoState {
  /** The vendor's id in a form that is valid in a path; absent if an answer does not repeat it. */
  id?: string
  status: 'queued' | 'in_progress' | 'completed' | 'failed'
  progress?: number
  /** Where the vendor reports how long it has become. */
  seconds?: number
  error?: { code: string; message: string }
}

export type VideoContent =
  | { url: string; headers?: Record<string, string> }
  | { bytes: Uint8Array<ArrayBuffer>; mimeType: string }
  | { next: UpstreamRequest }

/** Videos behind OpenAI's paths, of a vendor that has an API of its own for them. */
export interface VideoTasksAdapter {
  /** Whether a model of the vendor's makes videos. */
  makes(model: string): boolean
  /** Throws for parameters that the vendor does not have. */
  create(spec: VideoSpec, access: Access): UpstreamRequest
  retrieve(id: string, access: Access): UpstreamRequest
  /** Reads the answers to both. Throws a `VendorError` for an error inside a 200 answer. */
  read(body: unknown): VideoState
  /** Where a completed video is, by the answer that says so, or the video itself; `next` where another question comes first. */
  content(body: unknown, access: Access): VideoContent
}

/** Tasks in the protocol of midjourney-proxy. */
export interface MidjourneyAdapter {
  /** `/mj/submit/imagine`, `/mj/task/1689231405853400/fetch`. */
  url(path: string, access: Access): string
  headers(access: Access): Record<string, string>
}

/** A vendor: a value made of pure functions. What it does not offer, it leaves out. */
export interface Provider {
  name: string
  /** The vendor's default base URL. Absent when the channel has to set one. */
  baseUrl?: string
  /** OpenAI's dialect, natively supported. */
  openai?: PassThrough<OpenAiOperation>
  /** Anthropic's Messages dialect, natively supported. */
  anthropic?: PassThrough<'messages' | 'messages/count_tokens'>
  /** Google's generateContent dialect, natively supported. */
  gemini?: PassThrough<GeminiOperation>
  /** Chat in a dialect of its own, translated from and to the internal format. */
  chat?: ChatAdapter
  embeddings?: EmbeddingsAdapter
  rerank?: RerankAdapter
  images?: ImagesAdapter
  speech?: SpeechAdapter
  transcription?: TranscriptionAdapter
  /** OpenAI's realtime conversations, over a WebSocket. */
  realtime?: { url(access: Access, model: string): string; headers(access: Access): Record<string, string> }
  /** Files of requests that are answered within a day at a lower price. */
  batches?: BatchAdapter
  /** Where files begin to be uploaded that calls of Google's dialect refer to. */
  files?: { upload(access: Access): string }
  videos?: VideosAdapter
  videoTasks?: VideoTasksAdapter
  midjourney?: MidjourneyAdapter
  /** Responses may be made in the background, and be fetched and cancelled. */
  background?: true
  /** Forwards any path unchanged. */
  forward?: ForwardAdapter
  /** The vendor issues a short-lived token for the key. */
  exchange?: TokenExchange
  /** The vendor expects a short-lived token that we sign with the key. */
  mint?(access: Access, nowMs: number): Promise<Token>
  /** What the vendor does not support, and how such parameters are handled. */
  unsupported?: Unsupported
  /** How the vendor lists its models; some have more than one list. */
  models?: {
    request(access: Access, nowMs: number): Encoded
    more?(access: Access, nowMs: number): Encoded
    read(body: unknown, more?: unknown): string[]
  }
  /** How the vendor reports a balance, in the unit of its channel type. Some need two requests. */
  balance?: {
    requests(access: Access, nowSec: number): UpstreamRequest[]
    read(bodies: unknown[], access: Access): number
  }
  /**
   * Interprets an error: who is responsible, and what to tell the caller. `body` is arbitrary text. Retry headers are read
   * by the caller for all vendors; a delay inside the body is read here.
   */
  explain(status: number, body: string, headers: Headers): UpstreamFailure
}

/**
 * A credential that replaces the key for a while. The server obtains it through `exchange` or `mint` with the channel's own
 * key, caches it per channel until a minute before it expires, replaces it after an error of class `auth`, and passes it to
 * every other capability of the provider as `access.key`.
 */
export interface Token {
  token: string
  expiresInSec: number
}

export interface TokenExchange {
  request(access: Access, nowMs: number): Encoded
  /** Throws a `VendorError` when the vendor refused inside a 200 answer. */
  read(body: unknown): Token
}

export interface EmbeddingsAdapter {
  encode(
    request: { model: string; input: string[]; dimensions?: number },
    access: Access,
    context: EncodeContext,
  ): Encoded
  decode(body: unknown): { vectors: number[][]; usage: Usage | undefined }
}

export interface RerankAdapter {
  encode(
    request: { model: string; query: string; documents: string[]; topN?: number },
    access: Access,
    context: EncodeContext,
  ): Encoded
  /** `index` is the document's position in the request; the best come first. */
  decode(body: unknown): { results: { index: number; score: number }[]; usage: Usage | undefined }
}

export interface SpeechAdapter {
  /** By OpenAI's names; the first is the default. */
  formats: readonly [string, ...string[]]
  encode(
    request: { model: string; input: string; voice?: string; instructions?: string; speed?: number },
    access: Access,
    context: EncodeContext,
  ): Encoded
  /** Either the audio itself, or its URL. */
  decode(
    body: unknown,
    format: string,
  ): { sound: { bytes: Uint8Array<ArrayBuffer>; mimeType: string } | { url: string }; usage: Usage | undefined }
}

export interface TranscriptionAdapter {
  encode(
    request: { model: string; audio: { mimeType: string; base64: string }; language?: string; prompt?: string },
    access: Access,
    context: EncodeContext,
  ): Encoded
  decode(body: unknown): { text: string; usage: Usage | undefined }
}

export interface ImageRequest {
  model: string
  prompt: string
  n: number
  size?: string
  /** The images to edit; only for adapters that support edits. */
  pictures?: { mimeType: string; base64: string }[]
  /** Members of the caller's body without a field above. */
  extra: Record<string, unknown>
}

export interface ImagesAdapter {
  /** Whether this model can edit images. */
  edits?(model: string): boolean
  encode(request: ImageRequest, access: Access, context: EncodeContext): Encoded
  /** Set when the first answer is only a task id. */
  task?: TaskFollower
  decode(body: unknown): { images: { url?: string; b64?: string; revisedPrompt?: string }[]; usage: Usage | undefined }
}

/** Any method and path of a vendor, behind one base URL and one credential. */
export interface ForwardAdapter {
  /** `rest` is what follows the channel's base URL: path and query as the caller wrote them. */
  url(rest: string, access: Access): string
  /** The caller's headers without hop-by-hop and gateway headers, plus the channel's credential. */
  requestHeaders(headers: Headers, access: Access): Headers
  /** The vendor's headers without those that must not reach the caller's browser. */
  answerHeaders(headers: Headers): Headers
}
