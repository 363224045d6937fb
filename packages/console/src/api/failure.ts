import '@tanstack/react-query'
import { errorsText } from '../text/errors.ts'
import { textNow } from '../text/text.ts'
import { ApiError } from './api-error.ts'

/** How a failed call is reported when the default toast is not right. */
interface FailureMeta extends Record<string, unknown> {
  /** Shown instead of the error's own text. */
  failure?: (message: string) => string
  /** The caller reports by itself. A lost session is handled all the same. */
  silent?: boolean
  /** The page itself shows the error, such as a missing record. */
  shown?: boolean
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: FailureMeta
    mutationMeta: FailureMeta
  }
}

export interface FailureReport {
  kind: 'error' | 'info'
  message: string
}

/** The message for a failed call. A refusal is the server's own sentence; anything else is labelled as an error. */
export function describeFailure(error: unknown): FailureReport {
  const text = textNow(errorsText)
  if (!(error instanceof ApiError)) return { kind: 'error', message: text.other(messageOf(error)) }
  switch (error.status) {
    case 200:
      return { kind: 'error', message: error.message }
    case 405:
      return { kind: 'info', message: text.demonstration }
    case 429:
      return { kind: 'error', message: text.tooManyRequests }
    case 500:
      return { kind: 'error', message: text.internal }
    default:
      return { kind: 'error', message: text.other(error.message) }
  }
}

const messageOf = (error: unknown) => (error instanceof Error && error.message !== '' ? error.message : String(error))
