import { NO_USAGE, type Usage } from '@tollgate/providers'
import { eventsIn, type ServerEvent } from '../upstream/framing.ts'
import type { Operation } from './surface.ts'

/** What the meter makes of a piece of a stream. */
export interface Metered {
  /** What goes to the client; the same bytes, unless something had to be taken out. */
  bytes: Uint8Array
  /** The closing event, which is held back until the charge is durable. */
  ending: string | undefined
  /** An error that the vendor put into the stream. */
  error: string | undefined
}

export interface StreamMeter {
  read(bytes: Uint8Array): Metered
  /** What the vendor reported, if it did. */
  reported(): Usage | undefined
  /** What was delivered, by counting. */
  counted(): number
  /** Whether anything that is worth money was delivered. */
  hasContent(): boolean
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

const USAGE = Buffer.from('"usage"')
/** What makes a piece worth parsing, beside usage: an end or an error, in any of the dialects. */
const MARKS = ['[DONE]', '"error"', 'message_stop', 'response.completed', 'response.incomplete', 'response.failed'].map(
  (mark) => Buffer.from(mark),
)
const CONTENT = [
  Buffer.from('"content":"'),
  Buffer.from('"delta":"'),
  Buffer.from('"arguments":"'),
  Buffer.from('"text":"'),
]
const REASONING = Buffer.from('"reasoning_content":"')

/**
 * Looks into a passing stream without taking it apart: most pieces contain neither usage nor an
 * end, which a search of their bytes shows, and go on as they are. Only the few that do are parsed.
 */
export const createStreamMeter = (operation: Operation, { hideUsage }: { hideUsage: boolean }): StreamMeter => {
  let usage: Usage | undefined
  let contentBytes = 0

  const inspect = (bytes: Uint8Array): Metered => {
    let ending: string | undefined
    let error: string | undefined
    let kept = ''
    for (const event of eventsIn(decoder.decode(bytes))) {
      const parsed = parse(event)
      const found = operation.readUsage(parsed)
      if (found !== undefined) usage = latest(usage, found)
      if (operation.isEnding(event)) {
        ending = event.raw
        continue
      }
      if (isError(parsed)) error = event.data
      else if (!(hideUsage && found !== undefined && isUsageOnly(parsed))) kept += event.raw
    }
    return { bytes: encoder.encode(kept), ending, error }
  }

  return {
    read(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      contentBytes += contentIn(buffer)
      const special = statesUsage(buffer) || MARKS.some((mark) => buffer.includes(mark))
      return special ? inspect(bytes) : { bytes, ending: undefined, error: undefined }
    },
    reported: () => usage,
    counted: () => Math.ceil(contentBytes / 4),
    hasContent: () => contentBytes > 0,
  }
}

export const estimatedUsage = (input: number, output: number): Usage => ({ ...NO_USAGE, input, output })

/** Some vendors state the input at the beginning and the output at the end: the larger count is the later one. */
function latest(known: Usage = NO_USAGE, found: Partial<Usage>): Usage {
  const bucket = (name: keyof Usage) => Math.max(known[name], found[name] ?? 0)
  return {
    input: bucket('input'),
    cachedInput: bucket('cachedInput'),
    cacheWrite: bucket('cacheWrite'),
    audioInput: bucket('audioInput'),
    imageInput: bucket('imageInput'),
    output: bucket('output'),
    reasoning: bucket('reasoning'),
    audioOutput: bucket('audioOutput'),
    imageOutput: bucket('imageOutput'),
  }
}

/** `"usage":null` stands in every chunk of some vendors and states nothing. */
function statesUsage(buffer: Buffer) {
  for (let at = buffer.indexOf(USAGE); at !== -1; at = buffer.indexOf(USAGE, at + USAGE.length)) {
    let next = at + USAGE.length
    while (buffer[next] === 58 || buffer[next] === 32) next++
    if (buffer[next] === 123) return true
  }
  return false
}

/** How many bytes of text the piece carries, found by their names and without parsing. */
function contentIn(buffer: Buffer) {
  let bytes = 0
  for (const mark of CONTENT) bytes += valuesAfter(buffer, mark)
  return bytes + valuesAfter(buffer, REASONING)
}

function valuesAfter(buffer: Buffer, mark: Buffer) {
  let bytes = 0
  for (let at = buffer.indexOf(mark); at !== -1; at = buffer.indexOf(mark, at)) {
    const start = at + mark.length
    let end = buffer.indexOf(34, start)
    while (end !== -1 && buffer[end - 1] === 92 && buffer[end - 2] !== 92) end = buffer.indexOf(34, end + 1)
    if (end === -1) return bytes
    bytes += end - start
    at = end
  }
  return bytes
}

function parse(event: ServerEvent): unknown {
  try {
    return event.data === '' ? undefined : JSON.parse(event.data)
  } catch {
    return undefined
  }
}

function isError(parsed: unknown) {
  return (
    typeof parsed === 'object' &&
    parsed !== null &&
    'error' in parsed &&
    parsed.error !== null &&
    !('response' in parsed)
  )
}

/** The extra chunk that `include_usage` brings: no choices, only numbers. */
function isUsageOnly(parsed: unknown) {
  return (
    typeof parsed === 'object' &&
    parsed !== null &&
    'choices' in parsed &&
    Array.isArray(parsed.choices) &&
    parsed.choices.length === 0
  )
}
