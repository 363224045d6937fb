import { z } from 'zod'

/**
 * Failures of a call that are the provider's fault: rate limit, server error, timeout, a truncated answer, no connection,
 * a rejected key, or a key without balance.
 */
export const FailureEnd = z.enum([
  'rate_limit',
  'server_error',
  'timeout',
  'cut_off',
  'unreachable',
  'refused_key',
  'no_balance',
])

export type FailureEnd = z.infer<typeof FailureEnd>
