import type { EventStreamCodec } from '@smithy/eventstream-codec'
import { type Framing, failureOf, jsonOrUndefined, type StreamEvent, VendorError } from '@tollgate/providers'
import { completeEvent, createEventCutter, eventsIn } from './framing.ts'
import type { Reply } from './reply.ts'

const decoder = new TextDecoder()

/** The maximum length of an event, to bound memory. */
const MESSAGE_MAX = 16 * 1024 * 1024

/** Extracts events from bytes as they arrive. */
interface Deframer {
  push(chunk: Uint8Array): StreamEvent[]
  /** The last event at the end of the stream; half of one is left out. */
  rest(): StreamEvent[]
}

/**
 * The events of a vendor's stream, whatever its framing: as many at a time as have arrived, possibly none for a keep-alive, and
 * undefined after the last. A function instead of a generator, which would cost each of them a turn of the event loop.
 */
export const eventsOf = (reply: Reply, framing: Framing): (() => Promise<StreamEvent[] | undefined>) => {
  let frames: Deframer | undefined
  let over = false
  return async () => {
    frames ??= framing === 'aws-event-stream' ? awsEvents(await loadCodec()) : DEFRAMERS[framing]()
    if (over) return undefined
    const chunk = await reply.read()
    if (chunk !== undefined) return frames.push(chunk)
    over = true
    return frames.rest()
  }
}

const DEFRAMERS = {
  sse: (): Deframer => {
    const cutter = createEventCutter()
    const read = (bytes: Uint8Array) =>
      bytes.length === 0 ? [] : eventsIn(decoder.decode(bytes)).filter(({ data }) => data !== '')
    return { push: (chunk) => read(cutter.push(chunk)), rest: () => read(completeEvent(cutter.rest())) }
  },

  'json-lines': (): Deframer => {
    const lines = new TextDecoder()
    let carry = ''
    const events = (texts: string[]) =>
      texts.filter((text) => text.trim() !== '').map((data): StreamEvent => ({ event: '', data }))
    return {
      push(chunk) {
        carry += lines.decode(chunk, { stream: true })
        const complete = carry.split('\n')
        carry = complete.pop() ?? ''
        if (carry.length > MESSAGE_MAX) throw damaged()
        return events(complete)
      },
      rest: () => (jsonOrUndefined(carry) === undefined ? [] : events([carry])),
    }
  },

  /** Each chunk is one message already. */
  websocket: (): Deframer => ({
    push: (chunk) => [{ event: '', data: decoder.decode(chunk) }],
    rest: () => [],
  }),
}

/** Loaded with the first such stream, so that the start need not wait for it. */
const loadCodec = async () => {
  const { EventStreamCodec } = await import('@smithy/eventstream-codec')
  return new EventStreamCodec(
    (bytes) => decoder.decode(toBytes(bytes)),
    (text) => new TextEncoder().encode(text),
  )
}

/** Amazon's binary framing: each message starts with its length. */
function awsEvents(codec: EventStreamCodec): Deframer {
  let carry: Uint8Array = new Uint8Array(0)
  return {
    push(chunk) {
      const events: StreamEvent[] = []
      carry = Buffer.concat([carry, chunk])
      for (;;) {
        const length = carry.length < 4 ? 0 : new DataView(carry.buffer, carry.byteOffset).getUint32(0)
        if (length > MESSAGE_MAX) throw damaged()
        if (length === 0 || carry.length < length) return events
        events.push(awsEvent(codec, carry.subarray(0, length)))
        carry = carry.subarray(length)
      }
    },
    rest: () => [],
  }
}

function awsEvent(codec: EventStreamCodec, message: Uint8Array): StreamEvent {
  try {
    const { headers, body } = codec.decode(message)
    const name = headers[':event-type'] ?? headers[':exception-type']
    return { event: String(name?.value ?? ''), data: decoder.decode(body) }
  } catch {
    throw damaged()
  }
}

const damaged = () => new VendorError(failureOf('server', 'The upstream sent a damaged event', { status: 502 }))

function toBytes(value: Uint8Array | string) {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value
}
