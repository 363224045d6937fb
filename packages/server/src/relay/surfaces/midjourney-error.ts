import { MJ_CODES, type UpstreamFailure } from '@tollgate/providers'
import { isAboutQuota } from './insufficient-quota.ts'

/** An error as midjourney-proxy's clients know it: they read the code, whatever the status. */
export const midjourneyError = (failure: UpstreamFailure) => ({
  ...{ code: codeOf(failure), description: failure.message, result: '', properties: {} },
})

function codeOf(failure: UpstreamFailure) {
  const { status } = failure
  if (status === 404) return MJ_CODES.notFound
  // Waiting helps against a rate limit or a full queue, but not against an empty balance.
  if (status === 429 && !isAboutQuota(failure)) return MJ_CODES.queueFull
  return status === 400 || status === 405 || status === 413 || status === 422 ? MJ_CODES.invalid : MJ_CODES.failed
}
