import type { Line } from '../../upstream/open.ts'
import type { Patience, Watchdog, Watched } from './watchdog.ts'

/** A line to one vendor. It ends when the client leaves, when the vendor is silent for too long, or when we hang up. */
export const openLine = (watchdog: Watchdog, client: AbortSignal, startedAt: number, patience?: Patience): Line => {
  const abort = new AbortController()
  return new WatchedLine(abort, watchdog.watch(abort, startedAt, patience), client)
}

/** A class and not closures: every call has one, and every piece of a stream passes it. */
class WatchedLine implements Line {
  readonly signal: AbortSignal

  constructor(
    private readonly abort: AbortController,
    private readonly watched: Watched,
    private readonly client: AbortSignal,
  ) {
    this.signal = abort.signal
    if (client.aborted) this.handleEvent()
    else client.addEventListener('abort', this, { once: true })
  }

  alive() {
    this.watched.alive()
  }

  pause() {
    this.watched.pause()
  }

  hangUp() {
    this.end()
    this.abort.abort()
  }

  end() {
    this.watched.done()
    this.client.removeEventListener('abort', this)
  }

  /** The client has left. */
  handleEvent() {
    this.abort.abort(this.client.reason)
  }
}
