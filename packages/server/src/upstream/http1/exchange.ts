import { Fault } from '../fault.ts'
import type { Bytes, Reply } from '../reply.ts'
import type { HeaderLines } from './header-lines.ts'

/** The connection of an exchange. */
interface Carrier {
  /** Resumes or pauses reading. */
  flow(on: boolean): void
  /** Aborts. */
  fail(error: Error): void
}

/** The amount of unread body at which reading pauses. */
const WAITING_MAX = 64 * 1024

/** One request and its answer, which is the reply that callers read. */
export class Exchange implements Reply {
  readonly begun = Promise.withResolvers<Reply>()
  readonly startedAt = performance.now()
  /** No byte has been received. */
  silent = true
  hasBegun = false
  status = 0
  headers: HeaderLines = NO_HEADERS
  private readonly waiting: Bytes[] = []
  private waitingBytes = 0
  private over = false
  private failure: unknown
  private reader: PromiseWithResolvers<Bytes | undefined> | undefined

  constructor(
    private readonly carrier: Carrier,
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
    // Not earlier: a resumed socket delivers half a megabyte at once.
    this.carrier.flow(true)
    this.reader = Promise.withResolvers()
    return this.reader.promise
  }

  cancel() {
    if (!this.over && this.failure === undefined) this.carrier.fail(new Fault('cancelled'))
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
    if (!over && this.waitingBytes >= WAITING_MAX) this.carrier.flow(false)
  }

  fail(error: unknown) {
    this.end()
    this.failure = error
    this.reader?.reject(error)
    if (!this.hasBegun) this.begun.reject(error)
  }

  /** The caller has aborted. */
  handleEvent() {
    this.waiting.length = 0
    this.carrier.fail(this.signal?.reason)
  }

  private end() {
    this.over = true
    this.signal?.removeEventListener('abort', this)
  }
}

const NO_HEADERS = { get: () => null, forEach: () => {} }
