import type { EventStreamCodec } from '@smithy/eventstream-codec'
import { type Framing, failureOf, type StreamEvent, VendorError } from '@tollgate/providers'
import { createEventCutter, eventsIn } from './framing.ts'
import { piecesOf, type Reply } from './reply.ts'

const decoder = new TextDecoder()

/** The events of a vendor's stream, whatever framing they come in. */
export const eventsOf = (reply: Reply, framing: Framing): AsyncGenerator<StreamEvent> => {
  const body = piecesOf(reply)
  if (framing === 'json-lines') return jsonLines(body)
  if (framing === 'aws-event-stream') return awsEvents(body)
  if (framing === 'websocket') return messages(body)
  return serverEvents(body)
}

async function* serverEvents(body: AsyncGenerator<Uint8Array>): AsyncGenerator<StreamEvent> {
  const cutter = createEventCutter()
  for await (const chunk of body) {
    const complete = cutter.push(chunk)
    if (complete.length > 0) yield* eventsIn(decoder.decode(complete)).filter(({ data }) => data !== '')
  }
  yield* eventsIn(decoder.decode(cutter.rest())).filter(({ data }) => data !== '')
}

/** Each chunk is one message already. */
async function* messages(body: AsyncGenerator<Uint8Array>): AsyncGenerator<StreamEvent> {
  for await (const chunk of body) yield { event: '', data: decoder.decode(chunk) }
}

async function* jsonLines(body: AsyncGenerator<Uint8Array>): AsyncGenerator<StreamEvent> {
  const lines = new TextDecoder()
  let carry = ''
  for await (const chunk of body) {
    carry += lines.decode(chunk, { stream: true })
    const complete = carry.split('\n')
    carry = complete.pop() ?? ''
    for (const line of complete) if (line.trim() !== '') yield { event: '', data: line }
  }
  if (carry.trim() !== '') yield { event: '', data: carry }
}

/** Loaded with the first such stream: the start need not wait for it. */
const loadCodec = async () => {
  const { EventStreamCodec } = await import('@smithy/eventstream-codec')
  return new EventStreamCodec(
    (bytes) => decoder.decode(toBytes(bytes)),
    (text) => new TextEncoder().encode(text),
  )
}

/** Amazon's binary framing: each message begins with its own length. */
async function* awsEvents(body: AsyncGenerator<Uint8Array>): AsyncGenerator<StreamEvent> {
  const codec = await loadCodec()
  let carry: Uint8Array = new Uint8Array(0)
  for await (const chunk of body) {
    carry = Buffer.concat([carry, chunk])
    for (;;) {
      const length = carry.length < 4 ? 0 : new DataView(carry.buffer, carry.byteOffset).getUint32(0)
      if (length === 0 || carry.length < length) break
      yield awsEvent(codec, carry.subarray(0, length))
      carry = carry.subarray(length)
    }
  }
}

function awsEvent(codec: EventStreamCodec, message: Uint8Array): StreamEvent {
  try {
    const { headers, body } = codec.decode(message)
    const name = headers[':event-type'] ?? headers[':exception-type']
    return { event: String(name?.value ?? ''), data: decoder.decode(body) }
  } catch {
    throw new VendorError(failureOf('server', 'The upstream sent a damaged event', { status: 502 }))
  }
}

function toBytes(value: Uint8Array | string) {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value
}
