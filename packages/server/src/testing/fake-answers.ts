import type { Exchange } from './exchange.ts'

/* A provider's answers: the bodies and streams of OpenAI's dialect, and the ways in which they fail. */

const WORDS = ['The', ' bar', ' goes', ' up', ' when', ' the', ' toll', ' is', ' paid', '.']

export function whole(exchange: Exchange, path: string) {
  const words = wordsOf(exchange)
  exchange.tokensSent = words.length
  exchange.finished = true
  const { model, body } = exchange
  const prompt = promptTokens(exchange)
  const usage = usageOf(exchange, words.length)
  if (path.endsWith('/embeddings')) {
    const count = Array.isArray(body.input) ? body.input.length : 1
    const data = Array.from({ length: count }, (_, index) => ({
      object: 'embedding',
      index,
      embedding: [0.1, 0.2, 0.3],
    }))
    return Response.json({ object: 'list', data, model, usage: { prompt_tokens: prompt, total_tokens: prompt } })
  }
  if (path.endsWith('/audio/speech')) {
    return new Response(new Uint8Array(2048), { headers: { 'content-type': 'audio/mpeg' } })
  }
  if (path.endsWith('/audio/transcriptions') || path.endsWith('/audio/translations')) {
    return body.response_format === 'srt'
      ? new Response(`1\n00:00:00,000 --> 00:00:02,000\n${words.join('')}\n`, {
          headers: { 'content-type': 'text/plain' },
        })
      : Response.json({ text: words.join('') })
  }
  if (/\/images\/(?:generations|edits|variations)$/.test(path)) {
    const data = Array.from({ length: Number(body.n ?? 1) }, () => ({ b64_json: 'aGk='.repeat(1000) }))
    const spent = { input_tokens: prompt, output_tokens: 272, total_tokens: prompt + 272 }
    return Response.json({ created: 1, data, ...(model === 'usage/none' ? {} : { usage: spent }) })
  }
  if (path.endsWith('/moderations')) {
    const nothing = { hate: false, violence: false }
    const results = [{ flagged: false, categories: nothing, category_scores: { hate: 0.01, violence: 0.02 } }]
    return Response.json({ id: 'modr-1', model, results })
  }
  if (path.endsWith('/rerank')) {
    return Response.json({ results: [{ index: 0, relevance_score: 0.9 }], usage: { total_tokens: prompt } })
  }
  if (path.endsWith('/responses')) return Response.json(responseObject(exchange, words.join(''), 'completed'))
  const choice = path.endsWith('/chat/completions')
    ? { index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop', logprobs: null }
    : { index: 0, text: words.join(''), finish_reason: 'stop', logprobs: null }
  return Response.json({
    id: 'chatcmpl-fake',
    object: path.endsWith('/chat/completions') ? 'chat.completion' : 'text_completion',
    created: 1_700_000_000,
    model,
    choices: [choice],
    ...(usage === undefined ? {} : { usage }),
  })
}

interface Control {
  /** The gateway disconnected. */
  aborted(): void
  /** Resolved when the test releases a waiting stream. */
  released: Promise<void>
}

export function streamed(exchange: Exchange, fault: string, { aborted, released }: Control) {
  const events = exchange.path.endsWith('/responses') ? responseEvents(exchange) : chatEvents(exchange, fault, released)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await events.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(fault === 'crlf' ? value.replaceAll('\n', '\r\n') : value))
      } catch (reason) {
        controller.error(reason)
      }
    },
    cancel: aborted,
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

async function* chatEvents(exchange: Exchange, fault: string, released: Promise<void>): AsyncGenerator<string> {
  const words = wordsOf(exchange)
  const { model, path } = exchange
  const isChat = path.endsWith('/chat/completions')
  const chunk = (choices: unknown[], more: object = {}) => {
    const object = isChat ? 'chat.completion.chunk' : 'text_completion'
    return event({ id: 'chatcmpl-fake', object, created: 1_700_000_000, model, choices, ...more }, fault === 'spaced')
  }
  const delta = (content: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: content, finish_reason: finish }])
  const wordChunk = (text: string) =>
    isChat ? delta({ content: text }) : chunk([{ index: 0, text, finish_reason: null }])
  const broken = (message: string) => event({ error: { message, type: 'server_error' } })
  const pace = Number(/^pace\/(\d+)/.exec(model)?.[1] ?? 0)

  if (fault === 'error-first') return yield broken('Broken before the first word')
  if (fault === 'role-then-error') return yield delta({ role: 'assistant', content: '' }) + broken('Broken at once')
  if (fault === 'empty') return
  if (isChat) yield delta({ role: 'assistant', content: '' })
  if (fault === 'wait' || fault === 'error-after-role') await released
  if (fault === 'error-after-role') return yield broken('Broken after the role')
  if (fault === 'stall-first') await new Promise(() => {})
  for (const [index, word] of words.entries()) {
    if (index === 3) {
      if (fault === 'stall-mid') await new Promise(() => {})
      if (fault === 'error-mid') return yield broken('Broken in the middle')
      if (fault === 'error-beside') return yield wordChunk(word) + broken('Broken beside a word')
      if (fault === 'end-mid') return
      if (fault === 'malformed') yield 'data: {"choices": [oops\n\n: a comment\nid: 7\nunknown\n\n'
      if (fault === 'huge-line') yield wordChunk('x'.repeat(300_000))
      if (fault === 'endless-line') yield wordChunk('x'.repeat(6_000_000))
    }
    if (pace > 0) await Bun.sleep(pace)
    exchange.tokensSent++
    yield wordChunk(word)
  }
  if (isChat) yield delta({}, 'stop')
  const asked = exchange.body.stream_options
  const includeUsage = typeof asked === 'object' && asked !== null && 'include_usage' in asked
  const usage = usageOf(exchange, words.length)
  if (includeUsage && usage !== undefined) yield chunk([], { usage })
  exchange.finished = true
  if (fault !== 'no-done') yield 'data: [DONE]\n\n'
  if (fault === 'linger') await new Promise(() => {})
}

async function* responseEvents(exchange: Exchange): AsyncGenerator<string> {
  const words = wordsOf(exchange)
  let number = 0
  const named = (type: string, fields: object) =>
    `event: ${type}\n${event({ type, sequence_number: number++, ...fields })}`
  const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  yield named('response.created', { response: responseObject(exchange, '', 'in_progress') })
  yield named('response.output_item.added', { output_index: 0, item: messageItem('', 'in_progress') })
  yield named('response.content_part.added', { ...place, part: { type: 'output_text', text: '', annotations: [] } })
  for (const [index, word] of words.entries()) {
    if (exchange.model === 'fault/error-mid' && index === 3) {
      return yield named('error', { code: 'server_error', message: 'Broken in the middle', param: null })
    }
    exchange.tokensSent++
    yield named('response.output_text.delta', { ...place, delta: word, logprobs: [] })
  }
  yield named('response.output_text.done', { ...place, text: words.join(''), logprobs: [] })
  yield named('response.output_item.done', { output_index: 0, item: messageItem(words.join(''), 'completed') })
  exchange.finished = true
  yield named('response.completed', { response: responseObject(exchange, words.join(''), 'completed') })
}

function responseObject(exchange: Exchange, text: string, status: string) {
  const done = status === 'completed'
  const usage = usageOf(exchange, wordsOf(exchange).length)
  const { prompt_tokens: input_tokens, completion_tokens: output_tokens, total_tokens } = usage ?? {}
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
  return {
    id: 'resp_fake',
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    model: exchange.model,
    output: done ? [messageItem(text, 'completed')] : [],
    ...(done && usage !== undefined ? { usage: { input_tokens, output_tokens, total_tokens, ...details } } : {}),
  }
}

function messageItem(text: string, status: string) {
  const content = status === 'completed' ? [{ type: 'output_text', text, annotations: [] }] : []
  return { id: 'msg_1', type: 'message', role: 'assistant', status, content }
}

/** `spaced`: as Python serialises it. */
function event(value: object, spaced = false) {
  const text = JSON.stringify(value)
  return `data: ${spaced ? text.replaceAll('":', '": ') : text}\n\n`
}

/** The length of an answer: by the model's name, or by `metadata.words` of the request. */
function wordsOf({ model, body }: Exchange) {
  const { metadata } = body
  const asked = typeof metadata === 'object' && metadata !== null && 'words' in metadata ? metadata.words : 10
  const count = Number(/^(?:say|pace\/\d+|fixed\/\d+)\/(\d+)/.exec(model)?.[1] ?? asked)
  return Array.from({ length: count }, (_, index) => WORDS[index % WORDS.length] ?? '')
}

function promptTokens({ body }: Exchange) {
  return Math.max(1, Math.ceil(JSON.stringify(body.messages ?? body.input ?? body.prompt ?? '').length / 4))
}

interface StatedUsage {
  prompt_tokens: unknown
  completion_tokens: unknown
  total_tokens: unknown
  [more: string]: unknown
}

/** `usage/…` reports impossible usage; `fixed/7/3` reports 7 and 3. */
function usageOf(exchange: Exchange, output: number): StatedUsage | undefined {
  const stated = (prompt_tokens: unknown, completion_tokens: unknown, more: object = {}) => ({
    prompt_tokens,
    completion_tokens,
    total_tokens: Number(prompt_tokens) + Number(completion_tokens),
    ...more,
  })
  const prompt = promptTokens(exchange)
  switch (exchange.model) {
    case 'usage/none':
      return undefined
    case 'usage/negative':
      return stated(-5, -1000)
    case 'usage/negative-output':
      return stated(prompt, -1000)
    case 'usage/fraction':
      return stated(prompt, 3.5)
    case 'usage/text':
      return stated('many', 'more')
    case 'usage/huge':
      return stated(900_000_000, 900_000_000)
    case 'usage/huge-output':
      return stated(prompt, 50_000_000)
    case 'usage/huge-input':
      return stated(50_000_000, output)
    case 'usage/buckets':
      return stated(1000, 200, {
        prompt_tokens_details: { cached_tokens: 600, audio_tokens: 100 },
        completion_tokens_details: { reasoning_tokens: 120, audio_tokens: 30 },
      })
  }
  const fixed = /^fixed\/(\d+)\/(\d+)/.exec(exchange.model)
  return fixed === null ? stated(prompt, output) : stated(Number(fixed[1]), Number(fixed[2]))
}
