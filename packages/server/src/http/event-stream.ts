/**
 * Server-sent events as they come. A message of nothing is a sign of life, by which both ends know that the other is
 * there.
 */
export const eventStream = (
  messages: AsyncGenerator<unknown>,
  { headers, parse }: { headers: Headers; parse: (message: unknown) => unknown },
) => {
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('x-accel-buffering', 'no')
  // Bun takes an async generator as a body and ends it when the client leaves; the DOM's types do not know that.
  return new Response(encoded(messages, parse) as unknown as BodyInit, { headers })
}

const encoder = new TextEncoder()
const SIGN_OF_LIFE = encoder.encode(': \n\n')

/** One message may go to many who listen to the same: it is checked and written once. */
const written = new WeakMap<object, Uint8Array>()

async function* encoded(messages: AsyncGenerator<unknown>, parse: (message: unknown) => unknown) {
  for await (const message of messages) {
    if (typeof message !== 'object' || message === null) {
      yield SIGN_OF_LIFE
      continue
    }
    const bytes = written.get(message) ?? encoder.encode(`${idOf(message)}data: ${JSON.stringify(parse(message))}\n\n`)
    written.set(message, bytes)
    yield bytes
  }
}

/** With it a client that lost the connection says how far it has come. */
const idOf = (message: object) => ('at' in message && typeof message.at === 'string' ? `id: ${message.at}\n` : '')
