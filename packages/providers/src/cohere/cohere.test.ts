import { expect, test } from 'bun:test'
import { adapterSuite } from '../testing/adapter-suite.ts'
import {
  anAccess,
  CONVERSATION,
  contentOf,
  decodeStream,
  ENCODE_CONTEXT,
  encoded,
  failureFrom,
  fixturesOf,
  offered,
  PICTURE,
  WEATHER,
  withBody,
} from '../testing/vendor-kit.ts'
import { cohere } from './cohere.ts'

const chat = offered(cohere, 'chat')
const embeddings = offered(cohere, 'embeddings')
const rerank = offered(cohere, 'rerank')
const recorded = fixturesOf(import.meta.url)

test('a conversation with tools is encoded for v2', async () => {
  const { url, headers, body } = await encoded(chat, {
    model: 'command-a-03-2025',
    stream: true,
    messages: CONVERSATION,
    tools: [{ ...WEATHER, strict: true }],
    toolChoice: 'required',
    maxTokens: 100,
    temperature: 0.3,
    topP: 0.9,
    topK: 40,
    stop: ['END'],
    seed: 7,
  })
  expect(url).toBe('https://vendor.example/v2/chat')
  expect(headers.authorization).toBe('Bearer the-key')
  expect(body).toEqual({
    model: 'command-a-03-2025',
    stream: true,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Use tools.' },
      { role: 'user', content: 'Weather in Paris?' },
      {
        role: 'assistant',
        tool_plan: 'Let me look.',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Paris"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":21}' },
    ],
    max_tokens: 100,
    temperature: 0.3,
    p: 0.9,
    k: 40,
    seed: 7,
    stop_sequences: ['END'],
    tools: [{ type: 'function', function: WEATHER }],
    strict_tools: true,
    tool_choice: 'REQUIRED',
  })
})

test('a named tool is the only one offered, and required', async () => {
  const other = { name: 'time', parameters: {} }
  const { body } = await encoded(chat, { tools: [other, WEATHER], toolChoice: { name: 'weather' } })
  expect(body.tools).toHaveLength(1)
  expect(body.tools[0].function.name).toBe('weather')
  expect(body.tool_choice).toBe('REQUIRED')
})

test('images, schemas and thinking have their own fields', async () => {
  const { body } = await encoded(chat, {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, PICTURE] }],
    responseFormat: { type: 'json_schema', name: 'thing', schema: { type: 'object' } },
    reasoning: { budgetTokens: 500 },
  })
  expect(body.messages[0].content).toEqual([
    { type: 'text', text: 'What is it?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
  ])
  expect(body.response_format).toEqual({ type: 'json_object', json_schema: { type: 'object' } })
  expect(body.thinking).toEqual({ type: 'enabled', token_budget: 500 })
})

test('an effort of none switches thinking off', async () => {
  const { body } = await encoded(chat, { reasoning: { effort: 'none' } })
  expect(body.thinking).toEqual({ type: 'disabled' })
})

test('several answers are refused by name', async () => {
  expect(await failureFrom(() => encoded(chat, { n: 2 }))).toMatchObject({ status: 400, param: 'n', blame: 'request' })
})

test('usage is the billed usage, with thinking, text and citations', () => {
  expect(contentOf(chat.decode(recorded.json('text')))).toEqual({
    usage: expect.objectContaining({ input: 21, output: 9, cachedInput: 0 }),
    choices: [
      {
        index: 0,
        finish: 'stop',
        logprobs: [],
        citations: [
          { url: 'https://people.example/ada', title: 'People', start: 13, end: 16 },
          { url: 'doc:1', document: true, start: 13, end: 16 },
        ],
        blocks: [
          { type: 'reasoning', text: 'The user greets.' },
          { type: 'text', text: 'Good morning, Ada.' },
        ],
      },
    ],
  })
})

test('a plan is reasoning, and calls keep their indexes', () => {
  const [choice] = contentOf(chat.decode(recorded.json('tools'))).choices
  expect(choice?.finish).toBe('tool_calls')
  expect(choice?.blocks).toEqual([
    { type: 'reasoning', text: 'I will look up both.' },
    { type: 'tool-call', call: 0, id: 'id', name: 'weather', arguments: '{"city":"Oslo"}' },
    { type: 'tool-call', call: 1, id: 'id', name: 'time', arguments: '{}' },
  ])
})

test('a call without arguments has an empty object', () => {
  const events = recorded.sse('tools').toSpliced(8, 1)
  const [choice] = contentOf(decodeStream(chat, events)).choices
  expect(choice?.blocks.at(-1)).toMatchObject({ name: 'time', arguments: '{}' })
})

test('an answer that failed at the end is a failure', async () => {
  const end = { event: 'message-end', data: '{"type":"message-end","delta":{"finish_reason":"ERROR","error":"boom"}}' }
  expect(await failureFrom(() => decodeStream(chat, [end]))).toMatchObject({ class: 'server', message: 'boom' })
})

test('a malformed event of a known type is the vendor’s failure', async () => {
  const event = { event: '', data: '{"type":"content-delta","delta":{}}' }
  expect(await failureFrom(() => decodeStream(chat, [event]))).toMatchObject({ class: 'server' })
})

test('texts are embedded with v2 and billed by the token', async () => {
  const request = await withBody(
    embeddings.encode({ model: 'embed-v4.0', input: ['a', 'b'], dimensions: 256 }, anAccess(), ENCODE_CONTEXT),
  )
  expect(request.url).toBe('https://vendor.example/v2/embed')
  expect(request.body).toEqual({
    model: 'embed-v4.0',
    texts: ['a', 'b'],
    input_type: 'search_document',
    embedding_types: ['float'],
    output_dimension: 256,
  })
  const answer = { id: 'e', embeddings: { float: [[1], [2]] }, meta: { billed_units: { input_tokens: 2 } } }
  expect(embeddings.decode(answer)).toMatchObject({ vectors: [[1], [2]], usage: { input: 2 } })
})

test('documents are reranked with v2', async () => {
  const request = await withBody(
    rerank.encode({ model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], topN: 1 }, anAccess(), ENCODE_CONTEXT),
  )
  expect(request.url).toBe('https://vendor.example/v2/rerank')
  expect(request.body).toEqual({ model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], top_n: 1 })
  expect(rerank.decode({ results: [{ index: 1, relevance_score: 0.9 }] }).results).toEqual([{ index: 1, score: 0.9 }])
})

test('its errors are a single sentence', () => {
  const failure = cohere.explain(429, '{"message":"You are past the per minute request limit"}', new Headers())
  expect(failure).toMatchObject({ class: 'rate', message: 'You are past the per minute request limit' })
})

const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: recorded.json(name),
  events: recorded.sse(name),
  tokens,
})
const event = (body: object) => ({ event: '', data: JSON.stringify(body) })
const inMessage = (type: string, message: object) => event({ type, index: 0, delta: { message } })

adapterSuite({
  name: 'cohere',
  chat,
  answers: { text: answer('text', { input: 21, output: 9 }), tools: answer('tools', { input: 88, output: 31 }) },
  silent: [event({ type: 'debug', prompt: '...' }), inMessage('content-delta', { content: { text: '' } })],
  failure: event({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'boom' } }),
  call: (pieces) => [
    inMessage('tool-call-start', { tool_calls: { id: 'c', type: 'function', function: { name: 'f', arguments: '' } } }),
    ...pieces.map((piece) => inMessage('tool-call-delta', { tool_calls: { function: { arguments: piece } } })),
  ],
})

test('a call whose arguments are null has none, whole and streamed', () => {
  const call = (args: string) => ({ id: 'c1', type: 'function', function: { name: 'now', arguments: args } })
  const whole = { id: 'r', finish_reason: 'TOOL_CALL', message: { role: 'assistant', tool_calls: [call('null')] } }
  const event = (type: string, message?: object) => ({
    event: type,
    data: JSON.stringify({ type, index: 0, ...(message === undefined ? {} : { delta: { message } }) }),
  })
  const piece = (args: string) => event('tool-call-delta', { tool_calls: { function: { arguments: args } } })
  const streamed = (...pieces: string[]) =>
    decodeStream(chat, [
      event('tool-call-start', { tool_calls: call('') }),
      ...pieces.map(piece),
      event('tool-call-end'),
    ])
  const args = (parts: ReturnType<typeof chat.decode>) =>
    parts.map((part) => (part.type === 'tool-call' ? part.arguments : '')).join('')
  expect(args(chat.decode(whole))).toBe('{}')
  expect(args(streamed('null'))).toBe('{}')
  expect(args(streamed('{"at":', 'null', '}'))).toBe('{"at":null}')
})
