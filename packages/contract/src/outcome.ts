/**
 * How a call ended. `client_error`: the caller asked for what cannot be answered. `access`: the key, the account or its
 * balance. `rate_limited`: a limit of this gateway; a vendor's own limit is the vendor's failure. `upstream_error`: nobody
 * could answer, for no fault of the caller's. `canceled`: the client left.
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
