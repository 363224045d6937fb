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
  /** Of class `server`: it was no answer of the vendor's that told of it. */
  end?: 'cut_off' | 'unreachable'
}

/**
 * A failure that no HTTP status told of: an error inside a 200 answer or inside a stream, a request that the vendor has
 * no words for, a key that is not of the vendor's form.
 */
export class VendorError extends Error {
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}

type FailureDetail = Partial<Pick<UpstreamFailure, 'type' | 'code' | 'param' | 'retryAfterSec' | 'end'>>

/** A failure of a class, with the status and the blame that usually go with it. */
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
