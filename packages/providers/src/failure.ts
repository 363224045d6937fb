/**
 * Who is responsible for a failed upstream call. It decides what happens next: the caller's mistake is answered at once, a
 * broken channel is replaced by another one and may be disabled, a transient failure is retried elsewhere.
 */
export type Blame = 'request' | 'channel' | 'transient'

/** The class of a failure, which determines how it affects a channel's health. */
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
  /** Only for class `server`: the failure was a connection problem, not a vendor's answer. */
  end?: 'cut_off' | 'unreachable'
}

/**
 * A failure without an HTTP status: an error inside a 200 answer or a stream, a request that the vendor does not support,
 * a key in the wrong format.
 */
export class VendorError extends Error {
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

type FailureDetail = Partial<Pick<UpstreamFailure, 'type' | 'code' | 'param' | 'retryAfterSec' | 'end'>>

/** A failure of a class, with its usual status and blame. */
export const failureOf = (
  failureClass: FailureClass,
  message: string,
  { status = STATUS[failureClass], ...detail }: FailureDetail & { status?: number } = {},
): UpstreamFailure => ({
  class: failureClass,
  blame: BLAME[failureClass],
  status,
  message,
  type: failureClass === 'client' ? 'invalid_request_error' : 'upstream_error',
  code: null,
  param: null,
  ...detail,
})

export const BLAME: Record<FailureClass, Blame> = {
  auth: 'channel',
  quota: 'channel',
  rate: 'transient',
  server: 'transient',
  timeout: 'transient',
  client: 'request',
}

const STATUS: Record<FailureClass, number> = {
  auth: 401,
  quota: 402,
  rate: 429,
  server: 502,
  timeout: 504,
  client: 400,
}
