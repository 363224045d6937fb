/**
 * Whom a failed upstream call is to be blamed on. It decides what happens next: the caller's own mistake is answered
 * at once, a broken channel is left for another one and may be disabled, an accident is tried elsewhere.
 */
export type Blame = 'request' | 'channel' | 'transient'

/** The class of a failure, by which the health of a channel is judged. */
export type FailureClass = 'auth' | 'quota' | 'rate' | 'server' | 'timeout' | 'client'

export interface UpstreamFailure {
  blame: Blame
  class: FailureClass
  /** The vendor's HTTP status, or the nearest one. */
  status: number
  message: string
  /** In OpenAI's error shape. */
  type: string
  code: string | null
  param: string | null
  /** How long the vendor asked us to wait. */
  retryAfterSec?: number
}
