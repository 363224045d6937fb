import { failureOf, type UpstreamFailure } from '@tollgate/providers'
import type { ApiFamily } from './api-family.ts'

const CODE = 'insufficient_quota'

/** Programs that take every 429 for a busy vendor and call again for minutes, whatever else the answer says. */
const CALLS_AGAIN = /^(?:opencode|QwenCode)\//

/**
 * As each family says that nothing is left to pay with: Anthropic by a status of its own, the others by a 429, except to
 * programs that would not believe it. `program` is what the caller calls itself.
 */
export const insufficientQuota = (message: string, family: ApiFamily, program = ''): UpstreamFailure => ({
  ...failureOf('client', message, {
    status: family === 'anthropic' || CALLS_AGAIN.test(program) ? 402 : 429,
    code: CODE,
  }),
  type: CODE,
})

/** Said by us. What a vendor says of its own account is no matter of the caller's. */
export const isAboutQuota = ({ code, class: kind }: UpstreamFailure) => code === CODE && kind === 'client'
