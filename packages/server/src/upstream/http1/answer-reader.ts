import { ProtocolError } from '../fault.ts'
import type { Bytes } from '../reply.ts'
import { type HeaderLines, headerLines, LINES_MAX } from './header-lines.ts'

export interface AnswerHead {
  status: number
  headers: HeaderLines
}

/** What the received bytes contain. */
export interface ReadResult {
  head: AnswerHead | undefined
  body: Bytes | undefined
  /** The answer is complete. */
  over: boolean
}

const HEAD_MAX = 64 * 1024
const LINE_MAX = 4 * 1024
/** Trailers are ignored, so they are limited. */
const TRAILERS_MAX = 8 * 1024
const ANNOUNCEMENTS_MAX = 16

/** What comes next. */
type Expected = 'nothing' | 'head' | 'body' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers'

/**
 * Parses one answer after another from a connection, at any chunk boundary. Throws a `ProtocolError` for invalid HTTP. A class: it is
 * called for every packet of every stream, and closures would be created each time.
 */
export class AnswerReader {
  private expected: Expected = 'nothing'
  private method = ''
  private keepsOpen = false
  /** Remaining bytes of the body, or of the chunk. */
  private left = 0
  private trailerBytes = 0
  private announcements = 0
  /** The bytes being parsed; between packets, an incomplete head or line. */
  private bytes: Buffer<ArrayBuffer> = NOTHING
  private at = 0
  /** The part of `bytes` that belongs to the body so far. */
  private bodyFrom = 0
  private bodyTo = 0

  /** A request with this method was sent. */
  expect(method: string) {
    this.expected = 'head'
    this.method = method
    this.keepsOpen = false
    this.trailerBytes = 0
    this.announcements = 0
  }

  push(arrived: Buffer<ArrayBuffer>): ReadResult {
    this.bytes = this.bytes.length === 0 ? arrived : Buffer.concat([this.bytes, arrived])
    this.at = 0
    this.bodyFrom = 0
    this.bodyTo = 0
    let head: AnswerHead | undefined
    while (this.at < this.bytes.length && this.expected !== 'nothing') {
      const before = this.at
      if (this.expected === 'head') head = this.readHead()
      else this.readBody(this.expected)
      if (this.at === before) break // the rest of it has not come
    }
    const isCut = this.expected !== 'nothing' && this.at < this.bytes.length
    // Unsolicited data after the answer: the connection cannot be trusted for another request.
    if (!isCut && this.at < this.bytes.length) this.keepsOpen = false
    const body = this.bodyTo > this.bodyFrom ? this.bytes.subarray(this.bodyFrom, this.bodyTo) : undefined
    this.bytes = isCut ? Buffer.from(this.bytes.subarray(this.at)) : NOTHING
    return { head, body, over: this.expected === 'nothing' }
  }

  /** The other side has closed. True when that ends the answer, false when it is truncated. */
  closed() {
    return this.expected === 'nothing' || this.expected === 'until-close'
  }

  /** Whether the connection can be reused after this answer. */
  reusable() {
    return this.keepsOpen && this.expected === 'nothing'
  }

  private readHead(): AnswerHead | undefined {
    const end = endOfHead(this.bytes, this.at)
    if ((end < 0 ? this.bytes.length : end) - this.at > HEAD_MAX) throw new ProtocolError('an endless head')
    if (end < 0) {
      refuseGarbage(this.bytes, this.at)
      return undefined
    }
    const head = headIn(this.bytes.toString('latin1', this.at, end - 2))
    this.at = end
    if (head.status === 101) throw new ProtocolError('an upgrade that nobody asked for')
    // An informational response before the answer.
    if (head.status <= 199) {
      if (++this.announcements > ANNOUNCEMENTS_MAX) throw new ProtocolError('endless announcements')
      return undefined
    }
    const framing = framingOf(head, this.method)
    this.keepsOpen = head.keepsOpen && framing.expected !== 'until-close'
    this.expected = framing.expected
    this.left = framing.length
    return head
  }

  private readBody(expected: Exclude<Expected, 'nothing' | 'head'>) {
    switch (expected) {
      case 'until-close':
        this.left = this.bytes.length - this.at
        this.take()
        return
      case 'body':
        this.take()
        if (this.left === 0) this.expected = 'nothing'
        return
      case 'chunk':
        this.take()
        if (this.left === 0) this.expected = 'chunk-end'
        return
    }
    if (expected === 'chunk-size') {
      const size = this.plainSize() ?? this.size()
      if (size === undefined) return
      this.left = size
      this.expected = size === 0 ? 'trailers' : 'chunk'
      return
    }
    if (expected === 'chunk-end') return this.endChunk()
    const from = this.at
    const line = this.line()
    this.trailerBytes += this.at - from
    if (this.trailerBytes > TRAILERS_MAX) throw new ProtocolError('endless trailers')
    if (line === undefined) return
    if (line === '') this.expected = 'nothing'
    else headerLines(`${line}\r\n`, 0)
  }

  private endChunk() {
    if (this.bytes[this.at] !== CR) throw new ProtocolError('a chunk longer than it said')
    if (this.at + 1 === this.bytes.length) return
    if (this.bytes[this.at + 1] !== LF) throw new ProtocolError('a chunk longer than it said')
    this.at += 2
    this.expected = 'chunk-size'
  }

  /** Chunks that arrived together become one, in place. */
  private take() {
    const end = Math.min(this.bytes.length, this.at + this.left)
    if (this.bodyTo === this.bodyFrom) {
      this.bodyFrom = this.at
      this.bodyTo = end
    } else {
      this.bytes.copyWithin(this.bodyTo, this.at, end)
      this.bodyTo += end - this.at
    }
    this.left -= end - this.at
    this.at = end
  }

  /** Digits and a line ending, which is what servers send; undefined when the general parser is needed. */
  private plainSize(): number | undefined {
    let at = this.at
    let size = 0
    for (let digit = hexDigit(this.bytes[at]); digit >= 0; digit = hexDigit(this.bytes[at])) {
      size = size * 16 + digit
      at++
    }
    if (at === this.at || at - this.at > SIZE_DIGITS || this.bytes[at] !== CR || this.bytes[at + 1] !== LF)
      return undefined
    this.at = at + 2
    return size
  }

  private size(): number | undefined {
    const line = this.line()
    return line === undefined ? undefined : sizeIn(line)
  }

  /** A line without its ending; undefined when incomplete. */
  private line(): string | undefined {
    if (this.bytes[this.at] === CR && this.bytes[this.at + 1] === LF) {
      this.at += 2
      return ''
    }
    const end = this.bytes.indexOf(LF, this.at)
    if ((end < 0 ? this.bytes.length : end) - this.at > LINE_MAX) throw new ProtocolError('an endless line')
    if (end < 0) return undefined
    if (end === this.at || this.bytes[end - 1] !== CR) throw bareLineFeed()
    const text = this.bytes.toString('latin1', this.at, end - 1)
    this.at = end + 1
    return text
  }
}

const NOTHING = Buffer.alloc(0)
const LF = 10
const CR = 13

/** The position after the blank line; -1 while incomplete. */
function endOfHead(bytes: Buffer, from: number) {
  let lines = 0
  for (let at = from; ; lines++) {
    const end = bytes.indexOf(LF, at)
    if (end < 0) return -1
    if (end === from || bytes[end - 1] !== CR) throw bareLineFeed()
    if (end - 1 === at) return end + 1
    // The status line, the headers, and one too many.
    if (lines > LINES_MAX) throw new ProtocolError(`more than ${LINES_MAX} header lines`)
    at = end + 1
  }
}

const BEGINNING = 'HTTP/1.'
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/

/** A server that does not speak HTTP is rejected before a whole head has arrived. */
function refuseGarbage(bytes: Buffer, from: number) {
  const text = bytes.toString('latin1', from, from + BEGINNING.length)
  if (text !== BEGINNING.slice(0, text.length)) throw notHttp()
}

function headIn(text: string) {
  const [first = '', version, status] = STATUS_LINE.exec(text) ?? []
  if (version === undefined || status === undefined) throw notHttp()
  const headers = headerLines(text, first.length)
  const connection = (headers.get('connection') ?? '').toLowerCase()
  const keepsOpen = version === '1' ? !connection.includes('close') : connection.includes('keep-alive')
  return { status: Number(status), headers, keepsOpen }
}

/** How the end of the body is determined. */
function framingOf({ status, headers }: AnswerHead, method: string): { expected: Expected; length: number } {
  if (method === 'HEAD' || status === 204 || status === 304) return NO_BODY
  const coding = headers.get('transfer-encoding')
  if (coding !== null) {
    if (coding.toLowerCase() !== 'chunked') throw new ProtocolError('an unknown transfer encoding')
    return { expected: 'chunk-size', length: 0 }
  }
  const length = headers.get('content-length')
  if (length === null) return { expected: 'until-close', length: 0 }
  const size = Number(LENGTH.test(length) ? length : theOneLength(length))
  return size === 0 ? NO_BODY : { expected: 'body', length: size }
}

const LENGTH = /^\d{1,15}$/

/** A repeated equal length is valid; two different ones are not. */
function theOneLength(lengths: string) {
  const [value, ...others] = lengths.split(',').map((length) => SPACED_LENGTH.exec(length)?.[1])
  if (value === undefined || others.some((other) => other !== value)) throw new ProtocolError('an impossible length')
  return value
}

const SPACED_LENGTH = /^[\t ]*(\d{1,15})[\t ]*$/

const NO_BODY = { expected: 'nothing', length: 0 } as const

const SIZE_DIGITS = 12
const SIZE = new RegExp(`^([0-9a-f]{1,${SIZE_DIGITS}})[\\t ]*(?:;[\\t\\x20-\\x7e\\x80-\\xff]*)?$`, 'i')

function sizeIn(line: string) {
  const [, size] = SIZE.exec(line) ?? []
  if (size === undefined) throw new ProtocolError('a chunk without a size')
  return Number.parseInt(size, 16)
}

/** -1 for other characters. */
function hexDigit(byte = 0) {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}

const bareLineFeed = () => new ProtocolError('a line feed without a carriage return')
const notHttp = () => new ProtocolError('answered with something that is not HTTP')
