/** Why something could not be loaded: refused, unreachable, or failed. */
export type FailureKind = 'refused' | 'offline' | 'unreachable' | 'failed'

export const isOffline = () => globalThis.navigator?.onLine === false

/** By error name, so that code that only shows errors need not import the API client. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'ApiError') return 'status' in error && error.status === 200 ? 'refused' : 'failed'
  if (error.name !== 'Unreachable') return 'failed'
  return isOffline() ? 'offline' : 'unreachable'
}
