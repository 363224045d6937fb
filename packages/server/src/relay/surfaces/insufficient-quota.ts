import { failureOf, type UpstreamFailure } from '@tollgate/providers'
import type { ApiFamily } from './api-family.ts'

const CODE = 'insufficient_quota'

/** As each family says that nothing is left to pay with: Anthropic by a status of its own, the others by a 429. */
export const insufficientQuota = (message: string, family: ApiFamily): UpstreamFailure => ({
  ...failureOf('client', message, { status: family === 'anthropic' ? 402 : 429, code: CODE }),
  type: CODE,
})

/** Said by us. What a vendor says of its own account is no matter of the caller's. */
export const isAboutQuota = ({ code, class: kind }: UpstreamFailure) => code === CODE && kind === 'client'
