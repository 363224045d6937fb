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

/**
 * A longer line is no event; it is passed on unchanged, so that it cannot fill the memory. An event may contain an image of 4096 by 4096
 * pixels.
 */
const CARRY_MAX = 64 * 1024 * 1024

const NOTHING = new Uint8Array(0)

export const createEventCutter = (): EventCutter => {
  /** The chunks of the incomplete event. They are searched once and joined once, however many there are. */
  let carry: Uint8Array[] = []
  let length = 0
  /** Their last bytes: a boundary may have begun there. */
  let tail: Uint8Array = NOTHING

  const taken = () => {
    const all = joined(carry)
    carry = []
    length = 0
    tail = NOTHING
    return all
  }
  const keep = (bytes: Uint8Array) => {
    if (bytes.length === 0) return
    // A copy: the start of an event must not keep the rest of its chunk in memory.
    carry.push(bytes.slice())
    length += bytes.length
    tail = joined([tail, bytes]).slice(-BOUNDARY_MAX)
  }

  return {
    push(chunk) {
      const searched = tail.length === 0 ? chunk : joined([tail, chunk])
      const end = Math.max(0, lastBoundary(searched) - tail.length)
      if (end === chunk.length && carry.length === 0) return chunk
      const events = end === 0 ? NOTHING : joined([taken(), chunk.subarray(0, end)])
      keep(chunk.subarray(end))
      return length > CARRY_MAX ? joined([events, taken()]) : events
    },
    rest: taken,
  }
}

/** Of the four bytes of the longest boundary, how many may have arrived before. */
const BOUNDARY_MAX = 3

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
    ? joined([rest, BLANK_LINE])
    : NOTHING
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only = NOTHING, ...others] = parts.filter((part) => part.length > 0)
  if (others.length === 0) return only
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
