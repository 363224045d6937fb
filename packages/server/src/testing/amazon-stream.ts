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

const FRAMED = { headers: { 'content-type': 'application/vnd.amazon.eventstream' } }

/** A stream of these events; each further list is sent a moment later. */
export const amazonStream = (frames: Uint8Array[], ...later: Uint8Array[][]) => {
  if (later.length === 0) return new Response(Buffer.concat(frames), FRAMED)
  async function* packets() {
    yield Buffer.concat(frames)
    for (const more of later) {
      await Bun.sleep(20)
      yield Buffer.concat(more)
    }
  }
  return new Response(packets() as unknown as BodyInit, FRAMED)
}
