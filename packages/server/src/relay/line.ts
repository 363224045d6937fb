import type { Line } from '../upstream/open.ts'
import type { Patience, Watchdog } from './watchdog.ts'

/** A line to one vendor. It ends when the client leaves, when the vendor is silent for too long, or when we hang up. */
export const openLine = (watchdog: Watchdog, client: AbortSignal, startedAt: number, patience?: Patience): Line => {
  const abort = new AbortController()
  const watched = watchdog.watch(abort, startedAt, patience)
  const leave = () => abort.abort(client.reason)
  if (client.aborted) leave()
  else client.addEventListener('abort', leave, { once: true })
  const end = () => {
    watched.done()
    client.removeEventListener('abort', leave)
  }
  return {
    signal: abort.signal,
    alive: watched.alive,
    pause: watched.pause,
    hangUp() {
      end()
      abort.abort()
    },
    end,
  }
}
