import type { ChatPart, ChatRequest } from './chat.ts'
import type { UpstreamFailure } from './failure.ts'

/** What an answer has to say of itself beside its parts. */
export interface AnswerMeta {
  /** Ours, without the dialect's prefix; the same in every frame of a stream. */
  id: string
  /** The model by the name the caller used. */
  model: string
  createdSec: number
  /** As the caller meant it. */
  request: ChatRequest
  /** Where the caller may name items of this answer later, instead of sending them again. */
  remember?(items: readonly { id: string }[]): void
}

/** What the caller's URL says and the body does not; it wins over the body. */
export interface ParseHints {
  model?: string
  stream?: boolean
  /** An item of an earlier answer, or such an answer, by its id; undefined when it is not known, or not any more. */
  recall?(id: string): unknown
}

/** One stream to a caller. The parts of `frame` may be empty text: not every part is worth a frame. */
export interface StreamEncoder {
  frame(part: ChatPart): string
  /** The closing frames. */
  end(): string
  /** The last frame of a stream that failed in the middle; nothing may follow it. */
  error(failure: UpstreamFailure): string
}

/** How a client speaks to us: requests in, answers out, whole or streamed. */
export interface Dialect {
  /** Throws a `VendorError` of class `client` that names the parameter. */
  parse(body: unknown, hints?: ParseHints): ChatRequest
  whole(parts: readonly ChatPart[], meta: AnswerMeta): unknown
  stream(meta: AnswerMeta): StreamEncoder
  error(failure: UpstreamFailure): unknown
}
