import type { ChatAdapter, Moment } from './chat-adapter.ts'
import type { UpstreamFailure } from './failure.ts'
import type { Signer } from './signature.ts'
import type { Unsupported } from './unsupported.ts'
import type { Access, Encoded, TaskFollower, UpstreamRequest } from './upstream-request.ts'
import type { Usage } from './usage.ts'

/** The calls of OpenAI's surface that an OpenAI-compatible vendor may answer. */
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
 * The caller's dialect is the vendor's own: the body goes through as it came, and only the address, the credentials and
 * the model's name are ours.
 */
export interface PassThrough<Operation extends string> {
  /** Undefined when the vendor does not offer the operation. */
  url(operation: Operation, access: Access, model: string, stream?: boolean): string | undefined
  headers(access: Access): Record<string, string>
  /** Whether a chat can go through as it came; absent means always. Otherwise it is translated. */
  takes?(body: Record<string, unknown>): boolean
  /** Whether `stream_options` may be sent; absent means yes. Where they are an error, usage comes unasked or not at all. */
  streamOptions?(access: Access): boolean
  /** Members that the vendor answers with an error, and that are only wishes: they are left out. */
  without?(operation: Operation): readonly string[]
  /** Where the vendor refuses what its own answers, repaired, show to clients: the body as it takes it. */
  amend?(operation: Operation, body: string): string
  /** Who signs what its models think, where it is not the vendor whose dialect it is; `repair` marks it. */
  signer?: Signer
  /** The request as this vendor takes it: signed, or with what clients say in headers in the body. */
  finish?(request: UpstreamRequest, access: Access, nowMs: number): Encoded
  /**
   * Where the vendor's answers are not quite the dialect: makes one, or each event of one stream, what strict clients can
   * read. It changes what it is given.
   */
  repair?(operation: Operation): ((body: Record<string, unknown>) => void) | undefined
}

/** How a vendor takes work as a whole that is fetched later. */
export interface BatchAdapter {
  /** OpenAI's takes a file and answers with files; Anthropic's takes the requests themselves. */
  dialect: 'openai' | 'anthropic'
  /** Of the usual price of tokens. */
  times: number
  /** `/files`, `/batches/batch_1/cancel`. */
  url(path: string, access: Access): string
  headers(access: Access): Record<string, string>
}

/** OpenAI's videos: made later, fetched by their ids. */
export interface VideosAdapter {
  /** `/videos`, `/videos/video_1/content`. */
  url(path: string, access: Access): string
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
  gemini?: PassThrough<GeminiOperation>
  /** Chat in a dialect of its own, translated from and to the gateway's tongue. */
  chat?: ChatAdapter
  embeddings?: EmbeddingsAdapter
  rerank?: RerankAdapter
  images?: ImagesAdapter
  speech?: SpeechAdapter
  transcription?: TranscriptionAdapter
  /** OpenAI's realtime conversations, over a WebSocket. */
  realtime?: { url(access: Access, model: string): string; headers(access: Access): Record<string, string> }
  /** Files of requests that are answered within a day, for less. */
  batches?: BatchAdapter
  videos?: VideosAdapter
  /** Responses may be made in the background, and be fetched and cancelled. */
  background?: true
  /** Any path at all, sent on as it came. */
  forward?: ForwardAdapter
  /** The vendor gives a short-lived token for the key. */
  exchange?: TokenExchange
  /** The vendor wants a short-lived token that we sign with the key ourselves. */
  mint?(access: Access, nowMs: number): Promise<Token>
  /** What the vendor has no word for, and what we do about it. */
  unsupported?: Unsupported
  /** How the vendor lists its models; some keep more than one list. */
  models?: {
    request(access: Access, nowMs: number): Encoded
    more?(access: Access, nowMs: number): Encoded
    read(body: unknown, more?: unknown): string[]
  }
  /** How the vendor states a balance, in the unit of its channel type. Some need two answers. */
  balance?: {
    requests(access: Access, nowSec: number): UpstreamRequest[]
    read(bodies: unknown[], access: Access): number
  }
  /**
   * What a refusal means: whom to blame, and what to tell the caller. `body` is text; it may be anything. How long the
   * headers ask to wait is read by whoever asks, for all vendors; a wait that the body tells of is told here.
   */
  explain(status: number, body: string, headers: Headers): UpstreamFailure
}

/**
 * A credential that stands in for the key for a while. The server obtains it through `exchange` or `mint` with the
 * channel's own key, keeps it per channel until a minute before it expires, replaces it when the vendor refuses it with
 * an error of class `auth`, and hands it to every other capability of the provider as `access.key`.
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
  encode(request: { model: string; input: string[]; dimensions?: number }, access: Access, moment: Moment): Encoded
  decode(body: unknown): { vectors: number[][]; usage: Usage | undefined }
}

export interface RerankAdapter {
  encode(
    request: { model: string; query: string; documents: string[]; topN?: number },
    access: Access,
    moment: Moment,
  ): Encoded
  /** `index` is the document's place in the request; the best come first. */
  decode(body: unknown): { results: { index: number; score: number }[]; usage: Usage | undefined }
}

export interface SpeechAdapter {
  /** By OpenAI's names; the first is given where the caller names none. */
  formats: readonly [string, ...string[]]
  encode(
    request: { model: string; input: string; voice?: string; instructions?: string; speed?: number },
    access: Access,
    moment: Moment,
  ): Encoded
  /** Either what it is, or where it is. */
  decode(
    body: unknown,
    format: string,
  ): { sound: { bytes: Uint8Array<ArrayBuffer>; mimeType: string } | { url: string }; usage: Usage | undefined }
}

export interface TranscriptionAdapter {
  encode(
    request: { model: string; audio: { mimeType: string; base64: string }; language?: string; prompt?: string },
    access: Access,
    moment: Moment,
  ): Encoded
  decode(body: unknown): { text: string; usage: Usage | undefined }
}

export interface ImageRequest {
  model: string
  prompt: string
  n: number
  size?: string
  /** The pictures that an edit begins with; only where the adapter says that it can edit. */
  pictures?: { mimeType: string; base64: string }[]
  /** Members of the caller's body that have no place above. */
  extra: Record<string, unknown>
}

export interface ImagesAdapter {
  /** Whether this model can also change pictures that it is given. */
  edits?(model: string): boolean
  encode(request: ImageRequest, access: Access, moment: Moment): Encoded
  /** Where the first answer is only a receipt. */
  task?: TaskFollower
  decode(body: unknown): { images: { url?: string; b64?: string; revisedPrompt?: string }[]; usage: Usage | undefined }
}

/** Any method and path of a vendor, behind one address and one credential. */
export interface ForwardAdapter {
  /** `rest` is what follows the channel's address: path and query as the caller wrote them. */
  url(rest: string, access: Access): string
  /** The caller's headers without those that are ours or the connection's, and with the channel's credential. */
  requestHeaders(headers: Headers, access: Access): Headers
  /** The vendor's headers without those that must not reach the caller's browser. */
  answerHeaders(headers: Headers): Headers
}
