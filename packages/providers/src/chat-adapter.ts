import type { ChatPart, ChatRequest } from './chat.ts'
import type { Unsupported } from './unsupported.ts'
import type { Access, Encoded, TaskFollower } from './upstream-request.ts'

/** One event of a stream, whole: its framing has been taken off, and it is text. */
export interface StreamEvent {
  /** The event's name, where the framing has names. */
  event: string
  data: string
}

/** How the bytes of a vendor's stream are cut into events. The framing itself is not the adapter's business. */
export type Framing = 'sse' | 'json-lines' | 'aws-event-stream' | 'websocket'

/** What a request needs to know of the moment it is made in; an adapter has no clock and no dice of its own. */
export interface Moment {
  nowMs: number
  /** Fresh for each call; vendors that want an id of ours get this. */
  callId: string
}

/** Chat with a vendor in its own dialect. */
export interface ChatAdapter {
  framing: Framing
  /**
   * What the vendor sends, whatever was asked for; absent when it does as asked. `streamed`: a plain call is its stream,
   * collected. `whole`: a streamed call is its whole answer, sent at once.
   */
  always?: 'streamed' | 'whole'
  /**
   * What the vendor takes only as bytes. The server fetches such content with the guarded fetcher before it calls
   * `encode`, which refuses an address that is still one.
   */
  inline?: readonly ('image' | 'file')[]
  /** Which members of `extra`, and whether a search of the web, the vendor is told of; absent means none. */
  carries?(request: ChatRequest, access: Access): readonly string[]
  /** What the vendor has no word for, where that depends on the model; else it is the provider's. */
  unsupported?(request: ChatRequest, access: Access): Unsupported
  /** Where the first answer is only a receipt, and the stream or the result is fetched with another request. */
  task?: TaskFollower
  encode(request: ChatRequest, access: Access, moment: Moment): Encoded
  /** The parts of a whole answer, in the order of a stream. */
  decode(body: unknown): ChatPart[]
  /** A decoder for one stream; what it has to remember, it keeps in its closure. */
  streamDecoder(): (event: StreamEvent) => ChatPart[]
}
