/** Why something could not be loaded: the server refused it, cannot be reached, or failed. */
export type FailureKind = 'refused' | 'offline' | 'unreachable' | 'failed'

export const isOffline = () => globalThis.navigator?.onLine === false

/** By the names that the calls give their errors: what only looks at an error does not know how calls are made. */
export function failureKind(error: unknown): FailureKind {
  if (!(error instanceof Error)) return 'failed'
  if (error.name === 'ApiError') return 'status' in error && error.status === 200 ? 'refused' : 'failed'
  if (error.name !== 'Unreachable') return 'failed'
  return isOffline() ? 'offline' : 'unreachable'
}
