import type { ChannelConfig } from '@tollgate/contract'

/** What an adapter may know of a channel: its base URL and credentials. */
export interface Access {
  type: number
  /** Without a trailing slash; the vendor's default when the channel has none. */
  baseUrl: string
  key: string
  other: string
  config: ChannelConfig
}

/** A request as plain data. The HTTP client adds nothing but the connection. */
export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Record<string, string>
  /** JSON text, form data or bytes; absent for GET. */
  body?: string | Uint8Array<ArrayBuffer> | FormData
}

/** Most requests are built synchronously; signatures and token exchanges are not. */
export type Encoded = UpstreamRequest | Promise<UpstreamRequest>

/**
 * For vendors that answer with a task instead of a result. The server calls `next` with every answer: a request means
 * "pause, then send this", undefined means that the answer is the result. A failed task throws.
 */
export interface TaskFollower {
  /** Before the first poll; later pauses grow. */
  pauseMs: number
  /** Tasks that take longer are abandoned. */
  limitMs: number
  /**
   * `stream` says whether the caller wants one; then the last request may open it. An answer that is not an event stream
   * counts as whole in any case.
   */
  next(body: unknown, access: Access, stream: boolean): UpstreamRequest | undefined
  /** Cancels a task that no caller waits for, given its last answer; undefined when it has already ended. */
  cancel?(body: unknown, access: Access): UpstreamRequest | undefined
}
