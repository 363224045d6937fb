import { Fault } from '../fault.ts'
import type { Reply } from '../reply.ts'
import { AnswerReader } from './answer-reader.ts'
import { Exchange } from './exchange.ts'
import type { WireRequest } from './request-head.ts'
import { createSender, type Sender } from './sender.ts'
import type { Wire } from './tcp-socket.ts'

/** An idle connection was closed while the request was on its way. */
export class StaleConnection extends Fault {}

/** A connection closed later than this after the request was closed because of the request. */
const CROSSING_MAX_MS = 1_000

/** The pool that keeps the connection between exchanges. */
interface Owner {
  /** Servers close idle connections after seconds; one that was used just before was closed because of the request. */
  idleFromMs: number
  released(connection: Connection): void
  closed(connection: Connection): void
}

/** One connection; one exchange at a time. */
export class Connection {
  private readonly reader = new AnswerReader()
  private readonly sender: Sender
  private exchange: Exchange | undefined
  private paused = false
  /** Idle since; undefined before its first answer. */
  idleSince: number | undefined
  open = true

  constructor(
    private readonly wire: Wire,
    private readonly owner: Owner,
  ) {
    this.sender = createSender(wire)
    wire.data = this
  }

  ask({ method, body }: WireRequest, head: string, signal: AbortSignal | undefined): Promise<Reply> {
    this.wire.ref()
    this.reader.expect(method)
    const exchange = new Exchange(this, signal)
    this.exchange = exchange
    if (signal?.aborted) exchange.handleEvent()
    else this.sender.send(head, body, (error) => this.fail(error))
    return exchange.begun.promise
  }

  /** Resumes or pauses reading. */
  flow(on: boolean) {
    if (!this.open || this.paused === !on) return
    this.paused = !on
    if (on) this.wire.resume()
    else this.wire.pause()
  }

  /** Closes it in any state. */
  close() {
    this.wire.terminate()
  }

  /** An idle socket must not keep the process alive. */
  markIdle(nowMs: number) {
    this.idleSince = nowMs
    this.wire.unref()
  }

  arrived(bytes: Buffer<ArrayBuffer>) {
    const { exchange } = this
    if (exchange === undefined) return this.close() // unrequested data
    try {
      const { head, body, over } = this.reader.push(bytes)
      exchange.silent = false
      if (head?.status === 408 && this.crossed(exchange) && !this.reader.reusable()) throw wentStale()
      if (head !== undefined) exchange.begin(head.status, head.headers)
      if (over) this.finish()
      exchange.take(body, over)
    } catch (error) {
      this.fail(error instanceof Error ? error : new Fault('failed'))
    }
  }

  private finish() {
    this.exchange = undefined
    this.flow(true)
    if (this.reader.reusable() && this.sender.idle()) this.owner.released(this)
    else this.close()
  }

  /** The connection had been idle for long, and the request was sent recently. */
  private crossed({ startedAt }: Exchange) {
    const idleMs = startedAt - (this.idleSince ?? startedAt)
    const isOld = this.idleSince !== undefined && idleMs >= this.owner.idleFromMs
    return isOld && performance.now() - startedAt < CROSSING_MAX_MS
  }

  /** Aborts the exchange, and with it the connection. */
  fail(error: Error) {
    const { exchange } = this
    this.exchange = undefined
    this.close()
    exchange?.fail(error)
  }

  drained() {
    this.sender.drained()
  }

  ended(error: Error | undefined) {
    this.open = false
    const { exchange } = this
    this.exchange = undefined
    this.owner.closed(this)
    if (exchange === undefined) return
    if (exchange.hasBegun && error === undefined && this.reader.closed()) return exchange.take(undefined, true)
    exchange.fail(exchange.silent && this.crossed(exchange) ? wentStale() : new Fault('broke off'))
  }
}

const wentStale = () => new StaleConnection('went stale')
