import { Fault } from '../fault.ts'
import type { Bytes, Reply } from '../reply.ts'
import { AnswerReader } from './answer-reader.ts'
import type { HeaderLines } from './header-lines.ts'
import type { WireRequest } from './request-head.ts'
import { createSender, type Sender } from './sender.ts'
import type { Wire } from './wire.ts'

/** A connection that had been idle was closed and the question not answered: the two crossed on their way. */
export class WentStale extends Fault {}

/** A body of which so much waits for its reader makes the other side wait too. */
const WAITING_MAX = 64 * 1024
/** What closes later than this after the question has closed because of the question. */
const CROSSING_MAX_MS = 1_000

/** Who keeps the connection between exchanges. */
interface Owner {
  /** Servers close what has been idle for seconds; one that was asked just before means the question. */
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
  /** Since when nobody has used it; undefined before its first answer. */
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

  /** Reads on, or lets the other side wait. */
  flow(on: boolean) {
    if (!this.open || this.paused === !on) return
    this.paused = !on
    if (on) this.wire.resume()
    else this.wire.pause()
  }

  /** Ends it whatever it is doing. */
  close() {
    this.wire.terminate()
  }

  /** The socket, while nobody uses it, is no reason for the process to live on. */
  rest(nowMs: number) {
    this.idleSince = nowMs
    this.wire.unref()
  }

  arrived(bytes: Buffer<ArrayBuffer>) {
    const { exchange } = this
    if (exchange === undefined) return this.close() // nobody asked
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

  /** The connection had been idle for long, and it is not long ago that the question was sent. */
  private crossed({ startedAt }: Exchange) {
    const idleMs = startedAt - (this.idleSince ?? startedAt)
    const isOld = this.idleSince !== undefined && idleMs >= this.owner.idleFromMs
    return isOld && performance.now() - startedAt < CROSSING_MAX_MS
  }

  /** Breaks off the exchange, and with it the connection. */
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

/** One question and its answer, which is the reply that callers read. */
class Exchange implements Reply {
  readonly begun = Promise.withResolvers<Reply>()
  readonly startedAt = performance.now()
  /** Not a byte has come. */
  silent = true
  hasBegun = false
  status = 0
  headers: Pick<HeaderLines, 'get' | 'forEach'> = NO_HEADERS
  private readonly waiting: Bytes[] = []
  private waitingBytes = 0
  private over = false
  private failure: unknown
  private reader: PromiseWithResolvers<Bytes | undefined> | undefined

  constructor(
    private readonly connection: Connection,
    private readonly signal: AbortSignal | undefined,
  ) {
    signal?.addEventListener('abort', this)
  }

  get ok() {
    return this.status >= 200 && this.status <= 299
  }

  read(): Promise<Bytes | undefined> {
    const piece = this.waiting.shift()
    if (piece !== undefined) {
      this.waitingBytes -= piece.byteLength
      return Promise.resolve(piece)
    }
    if (this.failure !== undefined) return Promise.reject(this.failure)
    if (this.over) return Promise.resolve(undefined)
    // Not before: a socket that is read again gives half a megabyte at once.
    this.connection.flow(true)
    this.reader = Promise.withResolvers()
    return this.reader.promise
  }

  cancel() {
    if (!this.over && this.failure === undefined) this.connection.fail(new Fault('cancelled'))
  }

  begin(status: number, headers: HeaderLines) {
    this.hasBegun = true
    this.status = status
    this.headers = headers
    this.begun.resolve(this)
  }

  take(piece: Bytes | undefined, over: boolean) {
    if (over) this.end()
    const { reader } = this
    if (reader !== undefined && (piece !== undefined || over)) {
      this.reader = undefined
      return reader.resolve(piece)
    }
    if (piece === undefined) return
    this.waiting.push(piece)
    this.waitingBytes += piece.byteLength
    if (!over && this.waitingBytes >= WAITING_MAX) this.connection.flow(false)
  }

  fail(error: unknown) {
    this.end()
    this.failure = error
    this.reader?.reject(error)
    if (!this.hasBegun) this.begun.reject(error)
  }

  /** The caller does not wait any longer. */
  handleEvent() {
    this.waiting.length = 0
    this.connection.fail(this.signal?.reason)
  }

  private end() {
    this.over = true
    this.signal?.removeEventListener('abort', this)
  }
}

const wentStale = () => new WentStale('went stale')

const NO_HEADERS = { get: () => null, forEach: () => {} }
