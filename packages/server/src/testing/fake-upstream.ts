import { createServer } from 'node:net'

/*
 * The provider's end of the wire, for tests, benchmarks and the demo. What it does is chosen by the model's name, and
 * it keeps a journal of its own: the independent witness of what was really sent.
 */

export interface Exchange {
  path: string
  model: string
  headers: Headers
  body: Record<string, unknown>
  /** Output tokens whose text went out. */
  tokensSent: number
  finished: boolean
  /** The gateway hung up before the end. */
  aborted: boolean
}

export type FakeUpstream = ReturnType<typeof fakeUpstream>

const WORDS = ['The', ' bar', ' goes', ' up', ' when', ' the', ' toll', ' is', ' paid', '.']

/** `say/20` answers 20 words; `fault/…` misbehaves; anything else answers ten words. */
export const fakeUpstream = (options: { port?: number } = {}) => {
  const journal: Exchange[] = []
  const waiting: { count: number; resolve(): void }[] = []

  const note = (exchange: Exchange) => {
    journal.push(exchange)
    for (const { count, resolve } of waiting) if (journal.length >= count) resolve()
  }

  const server = Bun.serve({
    port: options.port ?? 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const path = new URL(request.url).pathname
      const body = await readBody(request)
      const model = String(body.model ?? '')
      const exchange: Exchange = {
        path,
        model,
        headers: request.headers,
        body,
        tokensSent: 0,
        finished: false,
        aborted: false,
      }
      note(exchange)
      request.signal.addEventListener('abort', () => {
        if (!exchange.finished) exchange.aborted = true
      })
      const fault = model.startsWith('fault/') ? model.slice(6) : ''
      if (fault !== '') {
        const answer = await misbehave(fault, exchange, request.signal)
        if (answer !== undefined) return answer
      }
      if (path.endsWith('/models')) return Response.json({ object: 'list', data: [{ id: 'gpt-4o-mini' }] })
      return body.stream === true ? streamed(exchange, fault) : whole(exchange, path)
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    journal,
    /** Resolves when so many requests have arrived. */
    received: (count: number) =>
      journal.length >= count ? Promise.resolve() : new Promise<void>((resolve) => waiting.push({ count, resolve })),
    stop: () => server.stop(true),
  }
}

/** A port on which connections are refused: it was free a moment ago and nobody listens. */
export const refusedAddress = async () => {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  await new Promise((resolve) => probe.close(resolve))
  return `http://127.0.0.1:${port}`
}

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const type = request.headers.get('content-type') ?? ''
  if (type.startsWith('multipart/')) return Object.fromEntries([...(await request.formData()).entries()])
  const text = await request.text()
  return text === '' ? {} : JSON.parse(text)
}

const error = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ error: { message, type: 'server_error', param: null, code: null, ...more } }, { status, headers })

async function misbehave(fault: string, exchange: Exchange, signal: AbortSignal): Promise<Response | undefined> {
  switch (fault) {
    case 'auth':
      return error(401, 'Incorrect API key provided', { code: 'invalid_api_key', type: 'invalid_request_error' })
    case 'quota':
      return error(429, 'You exceeded your current quota', { code: 'insufficient_quota', type: 'insufficient_quota' })
    case 'rate':
      return error(429, 'Rate limit reached', { code: 'rate_limit_exceeded' }, { 'retry-after': '7' })
    case 'server':
      return error(503, 'The engine is overloaded')
    case 'bad-request':
      return error(400, 'Unsupported value', { param: 'temperature', type: 'invalid_request_error' })
    case 'not-json':
      return new Response('<html>upstream</html>', { headers: { 'content-type': 'application/json' } })
    case 'error-in-200':
      return Response.json({ error: { message: 'Something went wrong inside', type: 'server_error' } })
    case 'hang':
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return error(499, 'gone')
    case 'redirect':
      return new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } })
    default:
      exchange.tokensSent = 0
      return undefined
  }
}

function whole(exchange: Exchange, path: string) {
  const words = wordsOf(exchange)
  exchange.tokensSent = words.length
  exchange.finished = true
  const prompt = promptTokens(exchange)
  if (path.endsWith('/embeddings')) {
    const input = exchange.body.input
    const count = Array.isArray(input) ? input.length : 1
    const data = Array.from({ length: count }, (_, index) => ({
      object: 'embedding',
      index,
      embedding: [0.1, 0.2, 0.3],
    }))
    return Response.json({
      object: 'list',
      data,
      model: exchange.model,
      usage: { prompt_tokens: prompt, total_tokens: prompt },
    })
  }
  if (path.endsWith('/audio/speech'))
    return new Response(new Uint8Array(2048), { headers: { 'content-type': 'audio/mpeg' } })
  if (path.endsWith('/audio/transcriptions') || path.endsWith('/audio/translations'))
    return Response.json({ text: words.join('') })
  if (path.endsWith('/images/generations') || path.endsWith('/images/edits')) {
    return Response.json({
      created: 1,
      data: [{ b64_json: 'aGk=' }],
      usage: { input_tokens: prompt, output_tokens: 272, total_tokens: prompt + 272 },
    })
  }
  if (path.endsWith('/moderations'))
    return Response.json({ id: 'modr-1', model: exchange.model, results: [{ flagged: false }] })
  const usage = usageOf(exchange, words.length)
  return Response.json({
    id: 'chatcmpl-fake',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: exchange.model,
    choices: [
      { index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop', logprobs: null },
    ],
    ...(usage === undefined ? {} : { usage }),
  })
}

function streamed(exchange: Exchange, fault: string) {
  const words = wordsOf(exchange)
  const chunk = (choices: unknown[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1_700_000_000, model: exchange.model, choices, ...more })}\n\n`
  const delta = (content: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: content, finish_reason: finish }])
  const encoder = new TextEncoder()
  const includeUsage = (exchange.body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true
  const pace = Number(/^pace\/(\d+)/.exec(exchange.model)?.[1] ?? 0)

  async function* events() {
    if (fault === 'error-first') {
      yield `data: ${JSON.stringify({ error: { message: 'Broken before the first word', type: 'server_error' } })}\n\n`
      return
    }
    yield delta({ role: 'assistant', content: '' })
    for (const [index, word] of words.entries()) {
      if (index === 3) {
        if (fault === 'reset-mid') throw new Error('reset')
        if (fault === 'stall-mid') await new Promise(() => {})
        if (fault === 'error-mid') {
          yield `data: ${JSON.stringify({ error: { message: 'Broken in the middle', type: 'server_error' } })}\n\n`
          return
        }
        if (fault === 'end-mid') return
        if (fault === 'malformed') yield 'data: {"choices": [oops\n\n'
        if (fault === 'huge-line') yield delta({ content: 'x'.repeat(300_000) })
      }
      if (pace > 0) await Bun.sleep(pace)
      exchange.tokensSent++
      yield delta({ content: word })
    }
    yield delta({}, 'stop')
    const usage = usageOf(exchange, words.length)
    if (includeUsage && usage !== undefined) yield chunk([], { usage })
    exchange.finished = true
    yield 'data: [DONE]\n\n'
  }

  const iterator = events()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      } catch (reason) {
        controller.error(reason)
      }
    },
    cancel() {
      if (!exchange.finished) exchange.aborted = true
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

/** How long an answer is: by the model's name, or by `metadata.words` of the request. */
function wordsOf({ model, body }: Exchange) {
  const { metadata } = body
  const asked = typeof metadata === 'object' && metadata !== null && 'words' in metadata ? metadata.words : 10
  const count = Number(/^(?:say|pace\/\d+)\/(\d+)/.exec(model)?.[1] ?? asked)
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length] ?? '')
}

function promptTokens({ body }: Exchange) {
  return Math.max(1, Math.ceil(JSON.stringify(body.messages ?? body.input ?? body.prompt ?? '').length / 4))
}

/** `usage/none`, `usage/negative`, `usage/huge` report what no vendor should. */
function usageOf(exchange: Exchange, output: number) {
  const prompt = promptTokens(exchange)
  switch (exchange.model) {
    case 'usage/none':
      return undefined
    case 'usage/negative':
      return { prompt_tokens: -5, completion_tokens: -1000, total_tokens: -1005 }
    case 'usage/huge':
      return { prompt_tokens: 900_000_000, completion_tokens: 900_000_000, total_tokens: 1_800_000_000 }
    default:
      return { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output }
  }
}
