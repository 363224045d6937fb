import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { describeFailure } from '../api/failure.ts'
import { isOffline } from '../lib/browser/failure-kind.ts'
import { fieldErrors } from '../lib/forms/field-errors.ts'
import { toast, toasts } from '../ui/feedback/toast.ts'

interface Meta {
  failure?: (message: string) => string
  silent?: boolean
  shown?: boolean
}

/** The cause of every toast about a write: the next successful write removes it. */
const SENDING = 'sending'

/** The one place that reports failed calls, whatever screen made them. */
export function createQueryClient(onSessionLost: () => void) {
  const report = (error: unknown, meta: Meta | undefined, cause: string) => {
    if (error instanceof ApiError && error.status === 401) return onSessionLost()
    if (meta?.silent === true) return
    // A page for one record shows itself that it does not exist.
    if (meta?.shown === true && error instanceof ApiError && error.status === 200) return
    // An error about a field of an open form is shown there.
    if (cause === SENDING && error instanceof ApiError && fieldErrors.offer(error)) return
    const { kind, message } = describeFailure(error)
    toast[kind](isAccident(error) ? message : (meta?.failure?.(message) ?? message), { cause })
  }
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => report(error, query.meta, query.queryHash),
      onSuccess: (_data, query) => toasts.settle(query.queryHash),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => report(error, mutation.meta, SENDING),
      onSuccess: () => toasts.settle(SENDING),
    }),
    defaultOptions: {
      queries: {
        // Without a connection a call fails at once and says so, instead of waiting silently.
        networkMode: 'always',
        // A refusal does not change on retry; a lost connection may, unless the browser is offline.
        retry: (failures, error) => !(error instanceof ApiError) && !isOffline() && failures < 1,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
      },
      // Writes are never retried automatically.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** When the server itself has failed, every call has the same message, so it is shown once. */
function isAccident(error: unknown) {
  return error instanceof ApiError && error.status >= 500
}
