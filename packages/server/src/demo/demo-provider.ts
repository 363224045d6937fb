/** The delay per word of a visitor's stream, like that of a model. */
const WORD_MS = 25
const WORDS_MAX = 2000

const TEXT = [
  'A toll is a fee for passing. This provider belongs to the demo: it answers every question with this text,',
  'word by word, and counts what it sent. Behind the gateway it looks like any other vendor, so holds, charges,',
  'the log and the charts are made of real calls. Add a channel with a key of your own to talk to a real model.',
]
  .join(' ')
  .split(' ')

/**
 * A vendor that speaks OpenAI's chat dialect and needs no key, so that the demo has an upstream. A call with a word count
 * (`metadata.words`) is answered at once.
 */
export const startDemoProvider = () => {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      if (request.method === 'GET') return Response.json({ object: 'list', data: [] })
      const body: ChatBody = await request.json()
      const words = wordsFor(body)
      const usage = usageOf(body, words.length)
      if (body.stream !== true) return Response.json(completion(body, words, usage))
      const chunks = streamed(body, words, usage)
      // Bun accepts an async iterator as a body; the DOM's types do not know that.
      return new Response(chunks as unknown as BodyInit, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

interface ChatBody {
  model?: string
  stream?: boolean
  messages?: unknown
  metadata?: { words?: number }
}

type Usage = ReturnType<typeof usageOf>

function wordsFor({ metadata }: ChatBody) {
  const count = Math.min(metadata?.words ?? TEXT.length, WORDS_MAX)
  return Array.from({ length: count }, (_, index) => TEXT[index % TEXT.length] ?? '')
}

function usageOf({ messages }: ChatBody, words: number) {
  const prompt_tokens = Math.ceil(JSON.stringify(messages ?? '').length / 4)
  return { prompt_tokens, completion_tokens: words, total_tokens: prompt_tokens + words }
}

const headOf = ({ model = '' }: ChatBody, object: string) => ({
  id: `chatcmpl-${crypto.randomUUID()}`,
  object,
  created: Math.floor(Date.now() / 1000),
  model,
})

const completion = (body: ChatBody, words: readonly string[], usage: Usage) => ({
  ...headOf(body, 'chat.completion'),
  choices: [{ index: 0, message: { role: 'assistant', content: words.join(' ') }, finish_reason: 'stop' }],
  usage,
})

async function* streamed(body: ChatBody, words: readonly string[], usage: Usage) {
  const head = headOf(body, 'chat.completion.chunk')
  const event = (choices: unknown[], more = {}) => `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`
  const isPaced = body.metadata?.words === undefined
  yield event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
  for (const [index, word] of words.entries()) {
    if (isPaced) await Bun.sleep(WORD_MS)
    yield event([{ index: 0, delta: { content: index === 0 ? word : ` ${word}` }, finish_reason: null }])
  }
  yield event([{ index: 0, delta: {}, finish_reason: 'stop' }])
  yield event([], { usage })
  yield 'data: [DONE]\n\n'
}
