import { z } from 'zod'

/**
 * How a call to a provider can fail by the provider's fault: it limits the rate, answers with a server error, does not answer in time,
 * breaks off an answer that it began, cannot be reached, refuses the key, or the key has no balance.
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
