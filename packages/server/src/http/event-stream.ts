/**
 * Server-sent events. An empty message is a heartbeat, by which both ends know that the other is alive.
 */
export const eventStream = (
  messages: AsyncGenerator<unknown>,
  { headers, parse }: { headers: Headers; parse: (message: unknown) => unknown },
) => {
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('x-accel-buffering', 'no')
  // Bun accepts an async generator as a body and ends it when the client disconnects; the DOM's types do not know that.
  return new Response(encoded(messages, parse) as unknown as BodyInit, { headers })
}

const encoder = new TextEncoder()
const KEEP_ALIVE = encoder.encode(': \n\n')

/** A message for many listeners is validated and encoded once. */
const written = new WeakMap<object, Uint8Array>()

async function* encoded(messages: AsyncGenerator<unknown>, parse: (message: unknown) => unknown) {
  for await (const message of messages) {
    if (typeof message !== 'object' || message === null) {
      yield KEEP_ALIVE
      continue
    }
    const bytes = written.get(message) ?? encoder.encode(`${idOf(message)}data: ${JSON.stringify(parse(message))}\n\n`)
    written.set(message, bytes)
    yield bytes
  }
}

/** With it a client that reconnects reports its position. */
const idOf = (message: object) => ('at' in message && typeof message.at === 'string' ? `id: ${message.at}\n` : '')
