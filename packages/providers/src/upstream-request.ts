import type { ChannelConfig } from '@tollgate/contract'

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
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** JSON text, form data or bytes; absent for GET. */
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

/** Most requests are made at once; a signature or a token exchange may take a moment. */
export type Encoded = UpstreamRequest | Promise<UpstreamRequest>

/**
 * A vendor that answers with a task instead of a result. The server asks `next` about every answer: a request means
 * "pause, then ask this", undefined means that the answer in hand is the result. A task that failed throws.
 */
export interface TaskFollower {
  /** Before the first question; each later pause is longer. */
  pauseMs: number
  /** A task that takes longer is given up. */
  limitMs: number
  /**
   * `stream` says whether the caller wants one; then the last request may open it. An answer in hand that is no event
   * stream is a whole one, whatever was wanted.
   */
  next(body: unknown, access: Access, stream: boolean): UpstreamRequest | undefined
  /** How a task that nobody waits for any more is ended, by its last answer; undefined when it has ended already. */
  cancel?(body: unknown, access: Access): UpstreamRequest | undefined
}
