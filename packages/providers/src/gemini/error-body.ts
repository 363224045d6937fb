import type { UpstreamFailure } from '../failure.ts'

/** Google's error object. */
export const googleError = ({ status, message }: UpstreamFailure) => ({
  error: {
    code: googleStatus(status),
    message,
    status: STATUSES[googleStatus(status)] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT'),
  },
})

/** "Overloaded" is a status of Anthropic's own; Google has the usual one for it. */
export const googleStatus = (status: number) => (status === 529 ? 503 : status)

const STATUSES: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  402: 'RESOURCE_EXHAUSTED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
