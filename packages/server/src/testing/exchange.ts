export interface Exchange {
  path: string
  model: string
  headers: Headers
  body: Record<string, unknown>
  /** Output tokens whose text was sent. */
  tokensSent: number
  finished: boolean
  /** The gateway disconnected before the end. */
  aborted: boolean
}
