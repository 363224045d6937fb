import type { ChatPart, ChatRequest } from './chat.ts'
import type { Unsupported } from './unsupported.ts'
import type { Access, Encoded, TaskFollower } from './upstream-request.ts'

/** One complete stream event as text, after framing. */
export interface StreamEvent {
  /** The event's name, if the framing has names. */
  event: string
  data: string
}

/** How the bytes of a vendor's stream are split into events. Adapters never see the framing. */
export type Framing = 'sse' | 'json-lines' | 'aws-event-stream' | 'websocket'

/** The time and id of a request; adapters have neither a clock nor randomness. */
export interface EncodeContext {
  nowMs: number
  /** Unique per call; used for vendors that expect a client-generated id. */
  callId: string
}

/** Chat with a vendor in its own dialect. */
export interface ChatAdapter {
  framing: Framing
  /**
   * What the vendor sends regardless of the request; absent when it honours it. `streamed`: a plain call collects its
   * stream. `whole`: a streamed call gets the whole answer at once.
   */
  always?: 'streamed' | 'whole'
  /**
   * Content that the vendor takes only as bytes. The server fetches it with the guarded fetcher before it calls `encode`,
   * which refuses remaining URLs.
   */
  inline?: readonly ('image' | 'file')[]
  /** The names of files in the vendor's own store: others are refused. Absent if it has none. */
  files?(request: ChatRequest): RegExp | undefined
  /** Which members of `extra`, and whether web search, the vendor receives; absent means none. */
  carries?(request: ChatRequest, access: Access): readonly string[]
  /** What the vendor does not support, if that depends on the model; otherwise the provider's setting applies. */
  unsupported?(request: ChatRequest, access: Access): Unsupported
  /** The vendor's filter may write a text of its own into a stream, which only the finish reason tells from the model's. */
  refusesInText?: true
  /** Set when the first answer is only a task id, and the stream or result needs another request. */
  task?: TaskFollower
  encode(request: ChatRequest, access: Access, context: EncodeContext): Encoded
  /** The parts of a whole answer, in the order of a stream. */
  decode(body: unknown): ChatPart[]
  /** A decoder for one stream; its state is in the closure. */
  streamDecoder(): (event: StreamEvent) => ChatPart[]
}
