import { expect, test } from 'bun:test'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { Framing, StreamEvent } from '@tollgate/providers'
import { eventsOf } from './events.ts'
import { asReply } from './reply.ts'

/* However a network splits a stream, the same events come out. */

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const codec = new EventStreamCodec(
  (bytes) => decoder.decode(typeof bytes === 'string' ? encoder.encode(bytes) : bytes),
  (text) => encoder.encode(text),
)

const message = (type: string, body: object) =>
  codec.encode({
    headers: { ':event-type': { type: 'string', value: type } },
    body: encoder.encode(JSON.stringify(body)),
  })

const TEXT = { text: 'Gezeiten — 潮汐 🌊 "\\n"' }
const DATA = JSON.stringify(TEXT)

const STREAMS: [string, Framing, Uint8Array, StreamEvent[]][] = [
  [
    'server-sent events with comments, names and every line ending',
    'sse',
    encoder.encode(
      `: keep-alive\n\nevent: a\ndata: ${DATA}\n\ndata:${DATA}\r\n\r\nid: 7\ndata: one\ndata: two\n\ndata: [DONE]`,
    ),
    [
      { event: 'a', data: DATA },
      { event: '', data: DATA },
      { event: '', data: 'one\ntwo' },
      { event: '', data: '[DONE]' },
    ],
  ],
  [
    'lines of JSON',
    'json-lines',
    encoder.encode(`${DATA}\n\n${DATA}\n{"last":true}`),
    [
      { event: '', data: DATA },
      { event: '', data: DATA },
      { event: '', data: '{"last":true}' },
    ],
  ],
  [
    "Amazon's event stream",
    'aws-event-stream',
    Buffer.concat([message('messageStart', TEXT), message('contentBlockDelta', TEXT), message('messageStop', {})]),
    [
      { event: 'messageStart', data: DATA },
      { event: 'contentBlockDelta', data: DATA },
      { event: 'messageStop', data: '{}' },
    ],
  ],
]

test.each(STREAMS)('%s may be split at any byte', async (_, framing, bytes, events) => {
  for (let at = 0; at <= bytes.length; at++) {
    expect(await read([bytes.slice(0, at), bytes.slice(at)], framing)).toEqual(events)
  }
  expect(
    await read(
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
      framing,
    ),
  ).toEqual(events)
})

test.each(STREAMS)('%s that ends inside an event ends with the one before', async (_, framing, bytes, events) => {
  expect(await read([bytes.slice(0, -1)], framing)).toEqual(events.slice(0, -1))
})

test('an event that claims an excessive length is refused, not waited for', async () => {
  const claim = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0)
  await expect(read([claim], 'aws-event-stream')).rejects.toMatchObject({ failure: { status: 502 } })
  const endless = Array.from({ length: 17 }, () => new Uint8Array(1024 * 1024).fill(120))
  await expect(read(endless, 'json-lines')).rejects.toMatchObject({ failure: { status: 502 } })
})

async function read(chunks: readonly Uint8Array[], framing: Framing) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) if (chunk.length > 0) controller.enqueue(chunk)
      controller.close()
    },
  })
  const events: StreamEvent[] = []
  const next = eventsOf(asReply(new Response(body)), framing)
  for (let some = await next(); some !== undefined; some = await next())
    events.push(...some.map(({ event, data }) => ({ event, data })))
  return events
}
