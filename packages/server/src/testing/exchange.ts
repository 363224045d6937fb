export interface Exchange {
  path: string
  model: string
  headers: Headers
  body: Record<string, unknown>
  /** Output tokens whose text went out. */
  tokensSent: number
  finished: boolean
  /** The gateway hung up before the end. */
  aborted: boolean
}
