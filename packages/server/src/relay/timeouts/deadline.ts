import type { GatewayError } from '../../common/errors.ts'
import type { Deadline } from '../../upstream/open.ts'
import type { Watchdog, Watched, WatchOptions } from './watchdog.ts'

/** The deadline of one attempt: until the client disconnects, the vendor is silent for too long, or we abort it. */
export const startDeadline = (watchdog: Watchdog, client: AbortSignal, options: WatchOptions): Deadline => {
  const controller = new AbortController()
  return new WatchedDeadline(controller, watchdog.watch(controller, options), client)
}

/** A class instead of closures: every call has one, and every chunk of a stream passes it. */
class WatchedDeadline implements Deadline {
  readonly signal: AbortSignal

  constructor(
    private readonly controller: AbortController,
    private readonly watched: Watched,
    private readonly client: AbortSignal,
  ) {
    this.signal = controller.signal
    if (client.aborted) this.handleEvent()
    else client.addEventListener('abort', this, { once: true })
  }

  extend() {
    this.watched.alive()
  }

  reopen() {
    this.watched.reopen()
  }

  pause() {
    this.watched.pause()
  }

  outliveClient() {
    this.client.removeEventListener('abort', this)
  }

  onRevoked(end: (reason: GatewayError) => void) {
    this.watched.onRevoked(end)
  }

  abort() {
    this.clear()
    this.controller.abort()
  }

  clear() {
    this.watched.done()
    this.outliveClient()
  }

  /** The client has disconnected. */
  handleEvent() {
    this.controller.abort(this.client.reason)
  }
}
