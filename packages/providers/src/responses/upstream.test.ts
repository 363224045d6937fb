import { expect, test } from 'bun:test'
import type { ChatMessage, ChatRequest } from '../chat.ts'
import { collect } from '../collect.ts'
import { openai, openrouter } from '../compatible/vendors.ts'
import { type DialectName, dialects } from '../dialects.ts'
import { fieldsOf, listOf } from '../json.ts'
import { adapterSuite, recordings } from '../testing/adapter-suite.ts'
import {
  anAccess,
  CONVERSATION,
  contentOf,
  decodeStream,
  encoded,
  failureFrom,
  offered,
  PICTURE,
  WEATHER,
} from '../testing/vendor-kit.ts'

/* Responses as the vendor's API, for models that support nothing else. */

const chat = offered(openai, 'chat')
const { whole, events } = recordings(import.meta.url, ({ type }) => String(type))
const event = (type: string, body: object = {}) => ({ event: type, data: JSON.stringify({ type, ...body }) })
const started = event('response.created', { response: { id: 'r', model: 'm' } })

adapterSuite({
  name: 'responses upstream',
  chat,
  answers: {
    'every kind of item': { whole: whole('tools'), events: events('tools'), tokens: { input: 140, output: 80 } },
    'an answer that was cut short': { whole: whole('cut'), events: events('cut'), tokens: { input: 140, output: 80 } },
  },
  silent: [],
  failure: event('response.failed', { response: { error: { code: 'server_error', message: 'The model broke' } } }),
  call: (pieces) => [
    started,
    event('response.output_item.added', { output_index: 0, item: { type: 'function_call', call_id: 'c', name: 'f' } }),
    ...pieces.map((delta) => event('response.function_call_arguments.delta', { output_index: 0, delta })),
  ],
})

test('a response is decoded, without what ran at the vendor', () => {
  expect(collect(chat.decode(whole('tools'))).choices).toMatchObject([
    {
      blocks: [
        { type: 'reasoning', text: 'First the tide.\n\nThen the berth.', signature: 'tollgate/openai/gAAAAABo' },
        { type: 'text', text: 'High water at noon.' },
        { type: 'tool-call', id: 'call_a', name: 'book', arguments: '{"berth":12}' },
        { type: 'tool-call', id: 'call_b', name: 'clock', arguments: '{}' },
        { type: 'image', mimeType: 'image/webp', base64: 'cXVheQ==' },
      ],
      citations: [{ url: 'https://tides.example/', title: 'Tides' }],
      finish: 'tool_calls',
    },
  ])
  expect(collect(chat.decode(whole('cut'))).choices).toMatchObject([{ finish: 'length' }])
})

test('a failed response, or an error among its events, is reported as an error', async () => {
  const failed = { object: 'response', status: 'failed', error: { code: 'rate_limit_exceeded', message: 'Slow down' } }
  expect(await failureFrom(() => chat.decode(failed))).toMatchObject({ message: 'Slow down' })
  const decode = chat.streamDecoder()
  decode(started)
  const error = event('error', { code: 'server_error', message: 'Broken', param: null })
  expect(await failureFrom(() => decode(error))).toMatchObject({ message: 'Broken', class: 'server' })
})

test('a model that only supports responses is called in their format', async () => {
  const { url, body } = await encoded(chat, {
    model: 'gpt-5.1-codex',
    stream: true,
    messages: [...CONVERSATION, { role: 'tool', callId: 'call_2', content: [{ type: 'text', text: 'see' }, PICTURE] }],
    tools: [WEATHER],
    toolChoice: { name: 'weather' },
    maxTokens: 100,
    reasoning: { effort: 'high' },
    responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object' } },
  })
  expect(url).toBe('https://vendor.example/v1/responses')
  expect(body).toEqual({
    model: 'gpt-5.1-codex',
    stream: true,
    store: false,
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Use tools.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Weather in Paris?' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
      { type: 'function_call_output', call_id: 'call_1', output: '{"celsius":21}' },
      {
        type: 'function_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' },
        ],
      },
    ],
    max_output_tokens: 100,
    include: ['reasoning.encrypted_content'],
    tools: [{ type: 'function', ...WEATHER, strict: false }],
    tool_choice: { type: 'function', name: 'weather' },
    reasoning: { effort: 'high', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: false } },
  })
  const passes = (model: string) => offered(openai, 'openai').url('chat/completions', anAccess(), model) !== undefined
  expect(['gpt-5.1', 'gpt-5.1-codex', 'o3', 'o3-pro', 'codex-mini-latest'].map(passes)).toEqual([
    ...[true, false, true, false, false],
  ])
  expect(await failureFrom(() => encoded(chat, { model: 'o3-pro', n: 2 }))).toMatchObject({ status: 400, param: 'n' })
})

test('a stream of a response is recognised by its events, wherever the vendor puts the type', () => {
  const events = [
    { sequence_number: 0, type: 'response.created', response: { id: 'r', model: 'm', output: [] } },
    { delta: 'Noon.', item_id: 'i', output_index: 0, type: 'response.output_text.delta' },
    { response: { usage: { input_tokens: 3, output_tokens: 2 } }, type: 'response.completed' },
  ].map((body) => ({ event: '', data: JSON.stringify(body) }))
  expect(contentOf(decodeStream(chat, events))).toMatchObject({
    usage: { input: 3, output: 2 },
    choices: [{ finish: 'stop', blocks: [{ type: 'text', text: 'Noon.' }] }],
  })
})

const CLOSED = 'gAAAAABo'
const thought = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] }
const REPLY = {
  object: 'response',
  id: 'resp_1',
  model: 'gpt-5.1-codex',
  output: [
    { ...thought, encrypted_content: CLOSED },
    { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: '{"city":"Brest"}' },
  ],
  usage: { input_tokens: 3, output_tokens: 2 },
}

/** How a client of each dialect sends an answer back with the result of the call. */
const TURNS: Record<DialectName, { ask: object; next(answer: Record<string, unknown>): object }> = {
  'openai/chat': {
    ask: { messages: [{ role: 'user', content: 'Weather?' }] },
    next: ({ choices }) => ({
      messages: [
        { role: 'user', content: 'Weather?' },
        fieldsOf(listOf(choices).map(fieldsOf)[0]).message,
        { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
      ],
    }),
  },
  'anthropic/messages': {
    ask: { max_tokens: 9, messages: [{ role: 'user', content: 'Weather?' }] },
    next: ({ content }) => ({
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'rain' }] },
      ],
    }),
  },
  'gemini/generate': {
    ask: { contents: [{ role: 'user', parts: [{ text: 'Weather?' }] }] },
    next: ({ candidates }) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Weather?' }] },
        fieldsOf(listOf(candidates).map(fieldsOf)[0]).content,
        { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'weather', response: { sky: 'rain' } } }] },
      ],
    }),
  },
  responses: {
    ask: { store: false, input: 'Weather?' },
    next: ({ output }) => ({
      store: false,
      input: [
        { role: 'user', content: 'Weather?' },
        ...listOf(output),
        { type: 'function_call_output', call_id: 'call_1', output: 'rain' },
      ],
    }),
  },
}

const DIALECTS = Object.keys(TURNS).filter((name): name is DialectName => name in TURNS)

test.each(DIALECTS)('the reasoning of a Responses-only model is sent back with the next turn: %s', async (name) => {
  const { ask, next } = TURNS[name]
  const hints = { model: 'gpt-5.1-codex' }
  const request = dialects[name].parse({ model: 'm', ...ask }, hints)
  const { body: first } = await encoded(chat, request)
  expect(first).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })

  const answer = fieldsOf(
    dialects[name].whole(chat.decode(REPLY), { id: '1', model: 'm', createdSec: 0, nowSec: () => 0, request }),
  )
  const { body } = await encoded(chat, dialects[name].parse({ model: 'm', ...next(answer) }, hints))
  expect(body.input.slice(1, 3)).toMatchObject([
    { type: 'reasoning', summary: thought.summary, encrypted_content: CLOSED },
    { type: 'function_call', call_id: 'call_1', name: 'weather' },
  ])
})

test('reasoning is sent back with its result, and only to the model that produced it', async () => {
  const signed = (signature: string) => ({ type: 'reasoning' as const, text: 'Hm.', signature })
  const text = { type: 'text' as const, text: 'Noon.' }
  const inputOf = async (...content: Extract<ChatMessage, { role: 'assistant' }>['content']) => {
    const { body } = await encoded(chat, { model: 'o3-pro', messages: [{ role: 'assistant', content }] })
    return body.input.map(({ type, role }: { type?: string; role?: string }) => type ?? role)
  }
  expect(await inputOf(signed('tollgate/openai/x'), text)).toEqual(['reasoning', 'assistant'])
  expect(await inputOf(text, signed('tollgate/openai/x'))).toEqual(['assistant'])
  expect(await inputOf(signed('tollgate/claude/x'), text)).toEqual(['assistant'])
})

test('a thinking budget becomes an effort, and no thinking the lowest that the model has', async () => {
  const effortAt = async (model: string, reasoning: ChatRequest['reasoning']) => {
    const { body } = await encoded(chat, { model, ...(reasoning && { reasoning }) })
    return body.reasoning?.effort ?? body.reasoning_effort
  }
  expect(await effortAt('gpt-5.1-codex', { budgetTokens: 1024 })).toBe('low')
  expect(await effortAt('gpt-5.1-codex', { budgetTokens: 30_000 })).toBe('high')
  expect(await effortAt('gpt-5.1-codex', { effort: 'none' })).toBe('low')
  expect(await effortAt('o3-pro', {})).toBeUndefined()
  const least = await Promise.all(
    ['gpt-4o', 'gpt-5-mini', 'gpt-5.1', 'o3', 'gpt-5-pro'].map((model) => effortAt(model, { effort: 'none' })),
  )
  expect(least).toEqual([undefined, 'minimal', 'none', 'low', undefined])
})

test('tools with an effort use Responses where chats refuse them', async () => {
  const urlOf = async (model: string, more: Partial<ChatRequest>) =>
    (await encoded(chat, { model, tools: [WEATHER], reasoning: { effort: 'high' }, ...more })).url.split('/v1/')[1]
  expect(await urlOf('gpt-5.4', {})).toBe('responses')
  expect(await urlOf('gpt-5.4-mini', { reasoning: { budgetTokens: 4000 } })).toBe('responses')
  expect(await urlOf('gpt-5.4', { tools: [] })).toBe('chat/completions')
  expect(await urlOf('gpt-5.4', { reasoning: { effort: 'none' } })).toBe('chat/completions')
  expect(await urlOf('gpt-5.4', { stop: ['x'] })).toBe('chat/completions')
  expect(await urlOf('gpt-5.1', {})).toBe('chat/completions')
  const imitator = await encoded(offered(openrouter, 'chat'), {
    ...{ model: 'openai/gpt-5.4', tools: [WEATHER], reasoning: { effort: 'high' } },
  })
  expect(imitator.url).toEndWith('/chat/completions')
})

const message = (text: string) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
  content: [{ type: 'output_text', text, annotations: [] }],
})
const musing = { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'The tide first.' }] }
const called = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' }
const ITEMS = [musing, message('High water at noon.'), called]
const completed = (output: object[]) =>
  event('response.completed', {
    response: { id: 'r', model: 'm', output, usage: { input_tokens: 4, output_tokens: 2 } },
  })

test.each<[when: string, events: ReturnType<typeof event>[]]>([
  [
    'with each complete item',
    [
      ...ITEMS.map((item, output_index) => event('response.output_item.done', { output_index, item })),
      completed(ITEMS),
    ],
  ],
  ['at the end', [completed(ITEMS)]],
])('a stream without deltas loses nothing: content %s', (_, events) => {
  expect(collect(decodeStream(chat, [started, ...events])).choices).toMatchObject([
    {
      blocks: [
        { type: 'reasoning', text: 'The tide first.' },
        { type: 'text', text: 'High water at noon.' },
        { type: 'tool-call', id: 'c', name: 'f', arguments: '{"a":1}' },
      ],
      finish: 'tool_calls',
    },
  ])
})

test('a response that was cancelled is no answer', async () => {
  const cancelled = { object: 'response', status: 'cancelled', error: null, output: [message('Half')], usage: null }
  expect(await failureFrom(() => chat.decode(cancelled))).toMatchObject({ class: 'server' })
})

test('files that an answer cites, and files that it wrote, are its sources', () => {
  const annotations = [
    { type: 'file_citation', file_id: 'file-1', filename: 'tides.pdf', index: 3 },
    {
      type: 'container_file_citation',
      container_id: 'c',
      file_id: 'file-2',
      filename: 'a.csv',
      start_index: 0,
      end_index: 4,
    },
    { type: 'file_path', file_id: 'file-3', index: 3 },
  ]
  const spoken = { ...message('Noon.'), content: [{ type: 'output_text', text: 'Noon.', annotations }] }
  const parts = chat.decode({ object: 'response', id: 'r', model: 'm', output: [spoken] })
  expect(collect(parts).choices[0]?.citations).toEqual([
    { url: 'file-1', title: 'tides.pdf', document: true },
    { url: 'file-2', title: 'a.csv', document: true, start: 0, end: 4 },
    { url: 'file-3', document: true },
  ])
})
