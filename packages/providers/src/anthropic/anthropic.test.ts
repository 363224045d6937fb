import { expect, test } from 'bun:test'
import { collect } from '../collect.ts'
import { VendorError } from '../failure.ts'
import { adapterSuite, recordings } from '../testing/adapter-suite.ts'
import { CONVERSATION, decodeStream, encoded, failureFrom, offered, PICTURE, WEATHER } from '../testing/vendor-kit.ts'
import { anthropic } from './anthropic.ts'

const chat = offered(anthropic, 'chat')
const { whole, events } = recordings(import.meta.url, ({ type }) => String(type))
const answer = (name: string, tokens: { input: number; output: number }) => ({
  whole: whole(name),
  events: events(name),
  tokens,
})
const event = (type: string, body: object = {}) => ({ event: type, data: JSON.stringify({ type, ...body }) })
const toEvent = ({ type, ...body }: { type: string }) => event(type, body)

adapterSuite({
  name: 'anthropic',
  chat,
  answers: {
    'thinking and calls': answer('thinking', { input: 2257, output: 97 }),
    'an answer with sources': answer('cited', { input: 900, output: 33 }),
    'what tools at Anthropic did, beside calls of ours': answer('server-tools', { input: 1200, output: 120 }),
    'a refusal': answer('refused', { input: 30, output: 2 }),
  },
  silent: [event('ping'), event('content_block_weather', { index: 7 }), event('content_block_stop', { index: 99 })],
  failure: event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  call: (pieces) => [
    event('content_block_start', { index: 0, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } }),
    ...pieces.map((piece) =>
      event('content_block_delta', { index: 0, delta: { type: 'input_json_delta', partial_json: piece } }),
    ),
  ],
})

test('anthropic: a conversation is encoded', async () => {
  const { url, headers, body } = await encoded(chat, {
    model: 'claude-sonnet-4-5',
    messages: CONVERSATION,
    tools: [{ ...WEATHER, cache: { ttl: '1h' } }],
    toolChoice: 'required',
    parallelToolCalls: false,
    stop: ['END', '\n'],
    temperature: 1.5,
    topP: 0.5,
    user: 'u1',
  })
  expect(url).toBe('https://vendor.example/v1/messages')
  expect(headers).toMatchObject({ 'x-api-key': 'the-key', 'anthropic-version': '2023-06-01' })
  expect(body).toEqual({
    model: 'claude-sonnet-4-5',
    max_tokens: 32_000,
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Use tools.' },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Weather in Paris?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Paris' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '{"celsius":21}' }] }],
      },
    ],
    temperature: 1,
    stop_sequences: ['END'],
    metadata: { user_id: 'u1' },
    tools: [
      {
        name: 'weather',
        description: 'The weather of a city',
        input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        cache_control: { type: 'ephemeral', ttl: '1h' },
      },
    ],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    stream: false,
  })
})

test('anthropic: images and documents, by URL and as data', async () => {
  const { body } = await encoded(chat, {
    messages: [
      {
        role: 'user',
        content: [
          PICTURE,
          { type: 'image', source: { url: 'https://i.example/a.png' } },
          { type: 'file', source: { mimeType: 'application/pdf', base64: 'JVBERi0=' }, name: 'a.pdf' },
          { type: 'file', source: { mimeType: 'text/plain', base64: btoa('hello') } },
          { type: 'file', source: { id: 'file_1' } },
        ],
      },
    ],
  })
  expect(body.messages[0].content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
    { type: 'image', source: { type: 'url', url: 'https://i.example/a.png' } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
      title: 'a.pdf',
    },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hello' } },
    { type: 'document', source: { type: 'file', file_id: 'file_1' } },
  ])
})

test('anthropic: effort is a budget for older models, an effort for newer ones, and dropped for the oldest', async () => {
  const asked = async (model: string, reasoning: { effort?: string; budgetTokens?: number }, maxTokens = 20_000) => {
    const { body } = await encoded(chat, { model, reasoning, maxTokens, temperature: 0.5 })
    return { thinking: body.thinking, effort: body.output_config?.effort, temperature: body.temperature }
  }
  expect(await asked('claude-sonnet-4-5', { effort: 'medium' })).toEqual({
    thinking: { type: 'enabled', budget_tokens: 8192 },
    effort: undefined,
    temperature: undefined,
  })
  expect(await asked('claude-sonnet-4-5', { effort: 'high' }, 10_000)).toMatchObject({
    thinking: { budget_tokens: 8000 },
  })
  expect(await asked('claude-sonnet-4-5', { effort: 'high' }, 1000)).toMatchObject({ temperature: 0.5 })
  expect(await asked('claude-opus-4-6', { effort: 'xhigh' })).toEqual({
    thinking: { type: 'adaptive', display: 'summarized' },
    effort: 'high',
    temperature: undefined,
  })
  expect(await asked('us.anthropic.claude-opus-4-7-v1:0', { budgetTokens: 30_000 })).toEqual({
    thinking: { type: 'adaptive', display: 'summarized' },
    effort: 'high',
    temperature: undefined,
  })
  expect(await asked('claude-3-5-haiku-20241022', { effort: 'high' })).toMatchObject({ temperature: 0.5 })
  expect(await asked('claude-opus-5-5', { effort: 'none' })).toMatchObject({ thinking: undefined, effort: 'low' })
})

test('anthropic: a turn that lost its thinking continues without it, and so does a forced call', async () => {
  const reasoning = { effort: 'low' }
  const model = 'claude-sonnet-4-5'
  expect((await encoded(chat, { model, reasoning, messages: CONVERSATION })).body.thinking).toBeUndefined()
  const forced = { model, reasoning, tools: [WEATHER], toolChoice: { name: 'weather' } }
  expect((await encoded(chat, forced)).body.thinking).toBeUndefined()
})

test('anthropic: only what Claude signed is sent back to Claude', async () => {
  const { body } = await encoded(chat, {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'own', signature: 'tollgate/claude/c2ln' },
          { type: 'reasoning', text: 'foreign', signature: 'tollgate/gemini/c2ln' },
          { type: 'reasoning', text: 'unsigned' },
          { type: 'reasoning', text: '', redacted: 'ZGF0YQ==' },
          { type: 'text', text: 'Hello' },
        ],
      },
    ],
  })
  expect(body.messages[1].content).toEqual([
    { type: 'thinking', thinking: 'own', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZGF0YQ==' },
    { type: 'text', text: 'Hello' },
  ])
})

test('anthropic: a schema is closed, and unsupported constraints are moved to the description', async () => {
  const schema = {
    type: 'object',
    properties: { age: { type: 'integer', minimum: 0, description: 'Years' }, who: { $ref: '#/$defs/who' } },
    required: ['age'],
    $defs: { who: { type: 'object', properties: {} } },
  }
  const { body } = await encoded(chat, { responseFormat: { type: 'json_schema', name: 'x', schema } })
  expect(body.output_config.format).toEqual({
    type: 'json_schema',
    schema: {
      type: 'object',
      properties: { age: { type: 'integer', description: 'Years\n\n{minimum: 0}' }, who: { $ref: '#/$defs/who' } },
      required: ['age'],
      additionalProperties: false,
      $defs: { who: { type: 'object', properties: {}, additionalProperties: false } },
    },
  })
  const json = await encoded(chat, { responseFormat: { type: 'json' } })
  expect(json.body.system).toHaveLength(1)
})

test('anthropic: unsupported features are refused by name', async () => {
  expect(await failureFrom(() => encoded(chat, { n: 2 }))).toMatchObject({ status: 400, param: 'n' })
  expect(await failureFrom(() => encoded(chat, { logprobs: true }))).toMatchObject({ param: 'logprobs' })
  await encoded(chat, { n: 1, seed: 1, frequencyPenalty: 0.5 })
})

test('anthropic: errors are classified, and an empty account is distinguished from a bad request', () => {
  const explain = (status: number, type: string, message: string) =>
    anthropic.explain(status, JSON.stringify({ type: 'error', error: { type, message } }), new Headers())
  expect(explain(529, 'overloaded_error', 'Overloaded')).toMatchObject({ class: 'server', blame: 'transient' })
  expect(explain(401, 'authentication_error', 'invalid x-api-key')).toMatchObject({ class: 'auth', blame: 'channel' })
  expect(explain(400, 'invalid_request_error', 'max_tokens: required')).toMatchObject({ blame: 'request' })
  expect(
    explain(400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
  ).toMatchObject({ class: 'quota', blame: 'channel', status: 400 })
  expect(() => chat.decode({ type: 'error', error: { type: 'api_error' } })).toThrow(VendorError)
})

test('anthropic: calls of server tools are not passed on; only client calls are, and sources are kept', () => {
  const { choices, usage } = collect(chat.decode(whole('server-tools')))
  expect(choices).toMatchObject([
    {
      blocks: [
        { type: 'reasoning', signature: 'tollgate/claude/EpQBCkYIBxgC' },
        { type: 'text', text: 'Dues rose by four in a hundred.' },
        { type: 'tool-call', call: 0, id: 'toolu_10', name: 'book_berth', arguments: '{"berth":12}' },
        { type: 'tool-call', call: 1, id: 'toolu_11', name: 'list_berths', arguments: '{}' },
      ],
      citations: [{ url: 'https://harbour.example/dues', title: 'Harbour dues' }],
      finish: 'tool_calls',
    },
  ])
  expect(usage).toMatchObject({ input: 410, cachedInput: 90, cacheWrite: 200, cacheWriteLong: 500, output: 120 })
})

test('anthropic: usage of helper models that the totals leave out is billed too', () => {
  const iteration = (type: string, input: number, output: number) => ({
    type,
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: 0,
    cache_creation_input_tokens: 30,
    cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
  })
  const iterations = [
    iteration('compaction', 5000, 200),
    iteration('message', 40, 60),
    iteration('advisor_message', 700, 80),
    iteration('fallback_message', 40, 60),
  ]
  const usage = { input_tokens: 80, output_tokens: 120, cache_read_input_tokens: 7, iterations }
  const written = { cache_creation_input_tokens: 60, cache_creation: { ephemeral_1h_input_tokens: 40 } }
  const content = [{ type: 'text', text: 'To sum up.' }]
  const decoded = collect(chat.decode({ id: 'm', content, stop_reason: 'end_turn', usage: { ...usage, ...written } }))
  expect(decoded.usage).toMatchObject({ input: 5780, output: 400, cachedInput: 7, cacheWrite: 40, cacheWriteLong: 80 })

  const events = [
    { type: 'message_start', message: { id: 'm', usage: { ...written, input_tokens: 5000, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
    { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'Earlier …' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'To sum up.' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { ...usage, cache_creation_input_tokens: written.cache_creation_input_tokens },
    },
  ]
  const streamed = collect(decodeStream(chat, events.map(toEvent)))
  expect(streamed.choices).toMatchObject([{ blocks: [{ type: 'text', text: 'To sum up.' }], finish: 'stop' }])
  expect(streamed.usage).toMatchObject({ input: 5780, output: 400, cacheWrite: 80, cacheWriteLong: 40 })
})

test('anthropic: a streamed turn that is complete at its start is passed on in full', () => {
  const tool_use = { type: 'tool_use', id: 'toolu_1', name: 'berths', input: { free: true } }
  const bare = { type: 'tool_use', id: 'toolu_2', name: 'tide', input: {} }
  const result = { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: {} }
  const events = [
    {
      type: 'message_start',
      message: { id: 'm', content: [result, tool_use, bare], stop_reason: 'tool_use', usage: { input_tokens: 3 } },
    },
    { type: 'message_stop' },
  ]
  expect(collect(decodeStream(chat, events.map(toEvent))).choices).toMatchObject([
    {
      blocks: [
        { id: 'toolu_1', name: 'berths', arguments: '{"free":true}' },
        { id: 'toolu_2', name: 'tide', arguments: '{}' },
      ],
      finish: 'tool_calls',
    },
  ])
})

test('a request with only instructions is refused with a message', async () => {
  const messages = [{ role: 'system' as const, content: [{ type: 'text' as const, text: 'Be brief.' }] }]
  const { message, param, status } = await failureFrom(() => encoded(chat, { messages }))
  expect({ message, param, status }).toEqual({
    message: expect.stringContaining('no conversation'),
    param: 'messages',
    status: 400,
  })
})
