import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { describeFailure } from '../api/failure.ts'
import { isOffline } from '../lib/failure-kind.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { toast, toasts } from '../ui/feedback/toast.ts'

interface Meta {
  failure?: (message: string) => string
  silent?: boolean
  shown?: boolean
}

/** The cause of every toast about a write: the next one that succeeds ends it. */
const SENDING = 'sending'

/** The one place where a failed call is answered for, whatever screen made it. */
export function createQueryClient(onSessionLost: () => void) {
  const report = (error: unknown, meta: Meta | undefined, cause: string) => {
    if (error instanceof ApiError && error.status === 401) return onSessionLost()
    if (meta?.silent === true) return
    // A page that stands for one record says itself that there is none.
    if (meta?.shown === true && error instanceof ApiError && error.status === 200) return
    // A refusal about a field of an open form is told there.
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
        // Without a connection a call fails at once and says so, instead of waiting for one in silence.
        networkMode: 'always',
        // A refusal will not change by asking again; a lost connection may, unless there is none at all.
        retry: (failures, error) => !(error instanceof ApiError) && !isOffline() && failures < 1,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
      },
      // Nothing is sent later by itself.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** When the server itself has failed, every call says the same sentence, so that it is said once. */
function isAccident(error: unknown) {
  return error instanceof ApiError && error.status >= 500
}
