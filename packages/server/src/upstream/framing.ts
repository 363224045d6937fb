import { jsonOrUndefined } from '@tollgate/providers'

/**
 * Splits a stream of server-sent events at event boundaries. It accepts every line ending, carries incomplete events over to the
 * next chunk, and never splits a character: it works on bytes.
 */
export interface EventCutter {
  /** The complete events so far, as one chunk of bytes; empty when none is complete. */
  push(chunk: Uint8Array): Uint8Array
  /** The remainder at the end of the stream: an event without its blank line. */
  rest(): Uint8Array
}

/** A longer line is no event; it is passed on unchanged, so that it cannot fill the memory. */
const CARRY_MAX = 4 * 1024 * 1024

const NOTHING = new Uint8Array(0)

export const createEventCutter = (): EventCutter => {
  let carry: Uint8Array = NOTHING
  return {
    push(chunk) {
      const bytes = carry.length === 0 ? chunk : joined(carry, chunk)
      const end = lastBoundary(bytes)
      if (end === bytes.length || bytes.length - end > CARRY_MAX) {
        carry = NOTHING
        return bytes
      }
      // A copy: the start of an event must not keep the previous chunk in memory.
      carry = bytes.slice(end)
      return bytes.subarray(0, end)
    },
    rest() {
      const left = carry
      carry = NOTHING
      return left
    },
  }
}

const LF = 10
const CR = 13

/** The position after the last blank line: `\n\n`, `\r\n\r\n` or `\r\r`. */
function lastBoundary(bytes: Uint8Array) {
  for (let at = bytes.length - 1; at > 0; at--) {
    const byte = bytes[at]
    if (byte !== LF && byte !== CR) continue
    const before = bytes[at - 1]
    if (byte === before) return at + 1
    if (byte === LF && before === CR && (bytes[at - 2] === LF || bytes[at - 2] === CR)) return at + 1
  }
  return 0
}

/** The position after the first blank line from here on, or the end. */
export const nextBoundary = (bytes: Uint8Array, from: number): number => {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte !== LF && byte !== CR) continue
    const before = bytes[at - 1]
    if (byte === before) return at + 1
    if (byte === LF && before === CR && (bytes[at - 2] === LF || bytes[at - 2] === CR)) return at + 1
  }
  return bytes.length
}

/** A parsed event. */
export interface ServerEvent {
  event: string
  data: string
  /** The raw event with its blank line. */
  raw: string
}

/** The events in a chunk that ends at an event boundary. Comments and unknown fields are skipped. */
export const eventsIn = (text: string): ServerEvent[] => {
  const events: ServerEvent[] = []
  for (const block of text.split(/(?<=\r\n\r\n|\n\n|\r\r)/)) {
    let event = ''
    const data: string[] = []
    for (const line of block.split(/\r\n|\n|\r/)) {
      if (line.startsWith('data:')) data.push(line.charAt(5) === ' ' ? line.slice(6) : line.slice(5))
      else if (line.startsWith('event:')) event = line.slice(6).trim()
    }
    events.push({ event, data: data.join('\n'), raw: block })
  }
  return events
}

const BLANK_LINE = new Uint8Array([LF, LF])

/**
 * The remainder of a stream as an event of its own: vendors may end without a blank line. Half an event is left out, because
 * no client could read it, nor an error that is sent behind it.
 */
export const completeEvent = (rest: Uint8Array): Uint8Array => {
  if (rest.length === 0) return rest
  const events = eventsIn(new TextDecoder().decode(rest))
  return events.some(({ data }) => data === '[DONE]' || jsonOrUndefined(data) !== undefined)
    ? joined(rest, BLANK_LINE)
    : NOTHING
}

function joined(one: Uint8Array, other: Uint8Array) {
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}
