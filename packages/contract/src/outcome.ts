/**
 * How a call ended. `client_error`: an invalid request. `access`: the key, the account or its balance. `rate_limited`: a
 * limit of this gateway; a vendor's limit is an upstream error. `upstream_error`: no channel could answer, through no fault
 * of the caller. `canceled`: the client disconnected.
 */
export const OUTCOMES = [
  'success',
  'client_error',
  'access',
  'rate_limited',
  'upstream_error',
  'timeout',
  'canceled',
] as const

export type Outcome = (typeof OUTCOMES)[number]

/** The outcomes that count as a failure. A client that disconnected has not failed. */
export const FAILED_OUTCOMES = OUTCOMES.filter((outcome) => outcome !== 'success' && outcome !== 'canceled')
