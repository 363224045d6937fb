import type { SessionUser } from '@tollgate/contract'
import { ApiError } from '../../api/api-error.ts'

export type Outcome =
  | { kind: 'bound' }
  | { kind: 'entered'; user: SessionUser }
  | { kind: 'refused'; error: ApiError }
  | { kind: 'gaveUp' }

interface Steps {
  ask: () => Promise<{ message: string; data: SessionUser | null | undefined }>
  /** Called before each pause with the number of the next retry. */
  onRetry: (count: number) => void
  wait: (ms: number) => Promise<void>
}

const RETRIES_MAX = 3
const PAUSE_MS = 2000

/**
 * Sends a third party's code to the server. A refusal is final, because the code is used up. Only a call that did not get through is
 * retried, after 2, 4 and 6 seconds.
 */
export async function finishOAuth({ ask, onRetry, wait }: Steps): Promise<Outcome> {
  for (let retry = 1; ; retry += 1) {
    try {
      const { message, data } = await ask()
      return message === 'bind' || data == null ? { kind: 'bound' } : { kind: 'entered', user: data }
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return { kind: 'refused', error }
      if (retry > RETRIES_MAX) return { kind: 'gaveUp' }
      onRetry(retry)
      await wait(PAUSE_MS * retry)
    }
  }
}
