import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { describeFailure } from '../api/failure.ts'
import { toast } from '../ui/toast.ts'

interface Meta {
  failure?: (message: string) => string
  silent?: boolean
}

/** The one place where a failed call is answered for, whatever screen made it. */
export function createQueryClient(onSessionLost: () => void) {
  const report = (error: unknown, meta: Meta | undefined) => {
    if (error instanceof ApiError && error.status === 401) return onSessionLost()
    if (meta?.silent === true) return
    const { kind, message } = describeFailure(error)
    toast[kind](meta?.failure?.(message) ?? message)
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => report(error, query.meta) }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _context, mutation) => report(error, mutation.meta),
    }),
    defaultOptions: {
      queries: {
        // A refusal will not change by asking again; a lost connection may.
        retry: (failures, error) => !(error instanceof ApiError) && failures < 1,
        staleTime: 5_000,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  })
}
