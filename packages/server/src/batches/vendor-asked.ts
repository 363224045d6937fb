import type { UpstreamRequest, VideoWish } from '@tollgate/providers'

/** A question to the vendor that has a file, a batch, a video or a task. */
export interface VendorAsked {
  method: UpstreamRequest['method']
  /** `/batches/batch_1`. */
  path: string
  body?: string | FormData
  headers?: Record<string, string>
  /** It is a call of a model, which the channel may change like any other. */
  isCall?: true
  /** The video that is asked for, for vendors with an API of their own. */
  video?: VideoWish
}

/** What the vendor said, as text without the channel's secrets. */
export interface Told {
  text: string
  body: unknown
}
