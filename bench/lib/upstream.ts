/** An instant vendor: the same small answer to every call, or a stream of as many chunks as the model's name says. */
const [port = '0'] = process.argv.slice(2)

const ANSWER = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'The bar goes up.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 },
})

const chunk = (choices: unknown[], more: object = {}) =>
  `data: ${JSON.stringify({ id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`

const encoder = new TextEncoder()
const WORD = encoder.encode(chunk([{ index: 0, delta: { content: ' word' }, finish_reason: null }]))
const LAST = encoder.encode(
  chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
    chunk([], { usage: { prompt_tokens: 9, completion_tokens: 100, total_tokens: 109 } }) +
    'data: [DONE]\n\n',
)

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const text = await request.text()
    const streams = text.includes('"stream":true')
    if (!streams) return new Response(ANSWER, { headers: { 'content-type': 'application/json' } })
    const [, count = '100', pause = '0'] = /"model":"chunks\/(\d+)\/(\d+)"/.exec(text) ?? []
    return new Response(words(Number(count), Number(pause)) as unknown as BodyInit, {
      headers: { 'content-type': 'text/event-stream' },
    })
  },
})

async function* words(count: number, pauseMs: number) {
  for (let sent = 0; sent < count; sent++) {
    // A turn of the event loop between chunks, or they would travel as one.
    await (pauseMs > 0 ? Bun.sleep(pauseMs) : new Promise((resolve) => setImmediate(resolve)))
    yield WORD
  }
  yield LAST
}

console.log(`listening on ${port}`)

export {}
