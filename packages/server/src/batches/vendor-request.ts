import type { UpstreamRequest, VideoSpec } from '@tollgate/providers'

/** A request about a file, batch, video or task to its vendor. */
export interface VendorRequest {
  method: UpstreamRequest['method']
  /** `/batches/batch_1`. */
  path: string
  body?: string | FormData
  headers?: Record<string, string>
  /** A call of a model, to which the channel's body rules apply. */
  isCall?: true
  /** The requested video, for vendors whose API differs from OpenAI's. */
  video?: VideoSpec
}

/** The vendor's answer; the channel's secrets are masked. */
export interface VendorAnswer {
  text: string
  body: unknown
}
