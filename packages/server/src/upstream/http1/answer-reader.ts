import { Fault } from '../fault.ts'
import type { Bytes } from '../reply.ts'
import { type HeaderLines, headerLines } from './header-lines.ts'

export interface AnswerHead {
  status: number
  headers: HeaderLines
}

/** What the bytes that arrived have brought. */
export interface Arrived {
  head: AnswerHead | undefined
  body: Bytes | undefined
  /** The answer is complete. */
  over: boolean
}

/** Reads one answer after another from a connection, wherever the bytes are cut. Throws a `Fault` at what is not HTTP. */
export interface AnswerReader {
  /** A request with this method was sent. */
  expect(method: string): void
  push(bytes: Buffer<ArrayBuffer>): Arrived
  /** The other side has closed. True where that is how the answer ends, false where it breaks off. */
  closed(): boolean
  /** Whether the connection may be asked again after this answer. */
  reusable(): boolean
}

const HEAD_MAX = 256 * 1024
const LINE_MAX = 4 * 1024

/** What comes next. */
type Expected = 'nothing' | 'head' | 'body' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailers'

export const createAnswerReader = (): AnswerReader => {
  let expected: Expected = 'nothing'
  let method = ''
  let keepsOpen = false
  /** Bytes of the body, or of the chunk, that are still to come. */
  let left = 0
  /** A head or a line of which the end has not come yet. */
  let carry: Buffer<ArrayBuffer> | undefined

  const push = (arrived: Buffer<ArrayBuffer>): Arrived => {
    const bytes = carry === undefined ? arrived : Buffer.concat([carry, arrived])
    carry = undefined
    let head: AnswerHead | undefined
    let body: Bytes | undefined
    let more: Bytes[] | undefined
    let at = 0

    const take = () => {
      const piece = bytes.subarray(at, Math.min(bytes.length, at + left))
      at += piece.length
      left -= piece.length
      if (body === undefined) body = piece
      else if (more === undefined) more = [body, piece]
      else more.push(piece)
    }
    /** A line without its ending; undefined, and kept for later, when the ending has not come. */
    const line = (max: number): string | undefined => {
      const end = bytes.indexOf(LF, at)
      if ((end < 0 ? bytes.length : end) - at > max) throw new Fault('an endless line')
      if (end < 0) {
        carry = bytes.subarray(at)
        at = bytes.length
        return undefined
      }
      const text = bytes.toString('latin1', at, end > at && bytes[end - 1] === CR ? end - 1 : end)
      at = end + 1
      return text
    }

    while (at < bytes.length && expected !== 'nothing') {
      switch (expected) {
        case 'head': {
          const end = endOfHead(bytes, at)
          if ((end < 0 ? bytes.length : end) - at > HEAD_MAX) throw new Fault('an endless head')
          if (end < 0) {
            refuseGarbage(bytes, at)
            carry = bytes.subarray(at)
            at = bytes.length
            break
          }
          const read = readHead(bytes.toString('latin1', at, end))
          at = end
          if (read.status === 101) throw new Fault('an upgrade that nobody asked for')
          // An announcement that goes before the answer.
          if (read.status <= 199) break
          head = { status: read.status, headers: read.headers }
          const framing = framingOf(read, method)
          keepsOpen = read.keepsOpen && framing.expected !== 'until-close'
          expected = framing.expected
          left = framing.length
          break
        }
        case 'body':
          take()
          if (left === 0) expected = 'nothing'
          break
        case 'until-close':
          left = bytes.length - at
          take()
          break
        case 'chunk-size': {
          const text = line(LINE_MAX)
          if (text === undefined) break
          left = sizeIn(text)
          expected = left === 0 ? 'trailers' : 'chunk'
          break
        }
        case 'chunk':
          take()
          if (left === 0) expected = 'chunk-end'
          break
        case 'chunk-end': {
          const text = line(LINE_MAX)
          if (text === undefined) break
          if (text !== '') throw new Fault('a chunk longer than it said')
          expected = 'chunk-size'
          break
        }
        case 'trailers':
          if (line(LINE_MAX) === '') expected = 'nothing'
          break
      }
    }
    // Nobody asked for what follows the answer; whoever sends it cannot be trusted with the next question.
    if (at < bytes.length) keepsOpen = false
    return { head, body: more === undefined ? body : Buffer.concat(more), over: expected === 'nothing' }
  }

  return {
    expect(asked) {
      expected = 'head'
      method = asked
      keepsOpen = false
    },
    push,
    closed: () => expected === 'nothing' || expected === 'until-close',
    reusable: () => keepsOpen && expected === 'nothing',
  }
}

const LF = 10
const CR = 13

/** The position after the blank line. */
function endOfHead(bytes: Buffer, from: number) {
  const end = bytes.indexOf('\r\n\r\n', from)
  if (end >= 0) return end + 4
  const bare = bytes.indexOf('\n\n', from)
  return bare < 0 ? -1 : bare + 2
}

const BEGINNING = 'HTTP/1.'

/** A server that does not speak HTTP is not waited for until it has sent so much as a head may have. */
function refuseGarbage(bytes: Buffer, from: number) {
  const text = bytes.toString('latin1', from, from + BEGINNING.length)
  if (text !== BEGINNING.slice(0, text.length)) throw notHttp()
}

function readHead(text: string) {
  const [first = '', ...lines] = text.split(/\r?\n/)
  const [, version, status] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/.exec(first) ?? []
  if (version === undefined || status === undefined) throw notHttp()
  const headers = headerLines(lines)
  const connection = (headers.get('connection') ?? '').toLowerCase()
  const keepsOpen = version === '1' ? !connection.includes('close') : connection.includes('keep-alive')
  return { status: Number(status), headers, keepsOpen }
}

/** How the end of the body will be known. */
function framingOf({ status, headers }: AnswerHead, method: string): { expected: Expected; length: number } {
  if (method === 'HEAD' || status === 204 || status === 304) return NO_BODY
  const coding = headers.get('transfer-encoding')
  if (coding !== null) {
    if (coding.toLowerCase() !== 'chunked') throw new Fault('an unknown transfer encoding')
    return { expected: 'chunk-size', length: 0 }
  }
  const length = headers.get('content-length')
  if (length === null) return { expected: 'until-close', length: 0 }
  // The same length twice is one length; two lengths are none.
  const [value = '', ...others] = length.split(/\s*,\s*/)
  if (!/^\d{1,15}$/.test(value) || others.some((other) => other !== value)) throw new Fault('an impossible length')
  return Number(value) === 0 ? NO_BODY : { expected: 'body', length: Number(value) }
}

const NO_BODY = { expected: 'nothing', length: 0 } as const

function sizeIn(line: string) {
  const [, size] = /^([0-9a-f]{1,12})\s*(?:;|$)/i.exec(line) ?? []
  if (size === undefined) throw new Fault('a chunk without a size')
  return Number.parseInt(size, 16)
}

const notHttp = () => new Fault('answered with something that is not HTTP')
