/*
 * An instant vendor: the same small answer to every call, or a stream of as many chunks as the model's name says, in the dialect of
 * the path.
 */

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

const event = (body: { type: string; [more: string]: unknown }) =>
  `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`

const piece = (text: string, more: object = {}) =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0, ...more }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 100, totalTokenCount: 109 }, modelVersion: 'm', responseId: 'bench' })}\n\n`

const encoder = new TextEncoder()
interface StreamParts {
  first: string
  word: string
  last: string
}

const CHAT: StreamParts = {
  first: '',
  word: chunk([{ index: 0, delta: { content: ' word' }, finish_reason: null }]),
  last:
    chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
    chunk([], { usage: { prompt_tokens: 9, completion_tokens: 100, total_tokens: 109 } }) +
    'data: [DONE]\n\n',
}

const MESSAGES: StreamParts = {
  first:
    event({
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 9 } },
    }) + event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  word: event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: ' word' } }),
  last:
    event({ type: 'content_block_stop', index: 0 }) +
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 100 } }) +
    event({ type: 'message_stop' }),
}

const GENERATE: StreamParts = { first: '', word: piece(' word'), last: piece('', { finishReason: 'STOP' }) }

const partsAt = (path: string) =>
  path.endsWith('/messages') ? MESSAGES : path.includes(':streamGenerateContent') ? GENERATE : CHAT

Bun.serve({
  port: Number(port),
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const text = await request.text()
    const { pathname } = new URL(request.url)
    const streams = text.includes('"stream":true') || pathname.includes(':stream')
    if (!streams) return new Response(ANSWER, { headers: { 'content-type': 'application/json' } })
    const [, count = '100', pause = '0'] = /chunks[/-](\d+)[/-](\d+)/.exec(pathname + text) ?? []
    return new Response(words(partsAt(pathname), Number(count), Number(pause)) as unknown as BodyInit, {
      headers: { 'content-type': 'text/event-stream' },
    })
  },
})

async function* words({ first, word, last }: StreamParts, count: number, pauseMs: number) {
  const bytes = encoder.encode(word)
  if (first !== '') yield encoder.encode(first)
  for (let sent = 0; sent < count; sent++) {
    // A turn of the event loop between chunks, or they would be sent as one.
    await (pauseMs > 0 ? Bun.sleep(pauseMs) : new Promise((resolve) => setImmediate(resolve)))
    yield bytes
  }
  yield encoder.encode(last)
}

console.log(`listening on ${port}`)

export {}
