/**
 * Server-sent events as they come. A message of nothing is a sign of life, by which both ends know that the other is
 * there.
 */
export const eventStream = (messages: AsyncGenerator<unknown>, headers: Headers) => {
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('x-accel-buffering', 'no')
  // Bun takes an async generator as a body and ends it when the client leaves; the DOM's types do not know that.
  return new Response(encoded(messages) as unknown as BodyInit, { headers })
}

async function* encoded(messages: AsyncGenerator<unknown>) {
  const encoder = new TextEncoder()
  for await (const message of messages) {
    yield encoder.encode(message === undefined ? ': \n\n' : `${idOf(message)}data: ${JSON.stringify(message)}\n\n`)
  }
}

/** With it a client that lost the connection says how far it has come. */
const idOf = (message: unknown) => {
  const { at } = Object(message)
  return typeof at === 'string' ? `id: ${at}\n` : ''
}
