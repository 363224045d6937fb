import { EventStreamCodec } from '@smithy/eventstream-codec'

const encoder = new TextEncoder()
const codec = new EventStreamCodec(
  (bytes) => new TextDecoder().decode(typeof bytes === 'string' ? encoder.encode(bytes) : bytes),
  (text) => encoder.encode(text),
)

/** One event of Amazon's framing. */
export const packed = (name: string, body: object, kind = 'event') =>
  codec.encode({
    headers: {
      ':message-type': { type: 'string', value: kind },
      [`:${kind}-type`]: { type: 'string', value: name },
    },
    body: encoder.encode(JSON.stringify(body)),
  })

export const amazonStream = (frames: Uint8Array[]) =>
  new Response(Buffer.concat(frames), { headers: { 'content-type': 'application/vnd.amazon.eventstream' } })
