import type { UpstreamFailure } from '../failure.ts'

/** Google's error object. */
export const googleError = ({ status, message }: UpstreamFailure) => ({
  error: { code: status, message, status: STATUSES[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT') },
})

const STATUSES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
