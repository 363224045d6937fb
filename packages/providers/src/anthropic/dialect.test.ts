import { expect, test } from 'bun:test'
import type { ChatPart } from '../chat.ts'
import { failureOf, VendorError } from '../failure.ts'
import { framesOf, META } from '../testing/dialect-round-trip.ts'
import { failureFrom } from '../testing/vendor-kit.ts'
import { anthropicMessages } from './dialect.ts'

const { parse, whole, stream, error } = anthropicMessages
const messages = [{ role: 'user', content: 'Hi' }]
const body = { model: 'claude-x', max_tokens: 10, messages }

test('anthropic/messages: a request keeps its meaning', () => {
  const request = parse({
    model: 'claude-x',
    max_tokens: 10,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: 'Weather?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'thinking', thinking: '', signature: 'tollgate/gemini/Z2Vt' },
          { type: 'redacted_thinking', data: 'ZGF0YQ==' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 't1', name: 'weather', input: { city: 'Oslo' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't1',
            is_error: true,
            content: [
              { type: 'text', text: 'No data' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            ],
            cache_control: { type: 'ephemeral', ttl: '1h' },
          },
          { type: 'text', text: 'And?' },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Notes' }, title: 'N' },
        ],
      },
    ],
    tools: [{ name: 'weather', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2000 },
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
    context_management: { edits: [] },
  })
  expect(request).toEqual({
    model: 'claude-x',
    stream: true,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache: {} }] },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', signature: 'tollgate/claude/c2ln' },
          { type: 'reasoning', text: '', signature: 'tollgate/gemini/Z2Vt' },
          { type: 'reasoning', text: '', redacted: 'ZGF0YQ==' },
          { type: 'text', text: 'Let me look.' },
          { type: 'tool-call', id: 't1', name: 'weather', arguments: '{"city":"Oslo"}' },
        ],
      },
      {
        role: 'tool',
        callId: 't1',
        isError: true,
        content: [
          { type: 'text', text: 'No data' },
          { type: 'image', source: { mimeType: 'image/png', base64: 'aGk=' }, cache: { ttl: '1h' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'And?' },
          { type: 'text', text: 'N\n\nNotes' },
        ],
      },
    ],
    maxTokens: 10,
    stop: ['END'],
    user: 'u',
    tools: [{ name: 'weather', parameters: { type: 'object' } }],
    toolChoice: 'required',
    parallelToolCalls: false,
    responseFormat: { type: 'json_schema', name: 'answer', schema: { type: 'object' }, strict: true },
    reasoning: { budgetTokens: 2000 },
    foreign: true,
    extra: { context_management: { edits: [] } },
  })
})

test('anthropic/messages: a document of texts and images is both, in documents of every kind', () => {
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
  const document = (content: unknown, more: object = {}) => ({
    type: 'document',
    source: { type: 'content', content },
    ...more,
  })
  const contentOf = (block: object): unknown =>
    parse({ ...body, messages: [{ role: 'user', content: [block] }] }).messages[0]?.content
  const image = { type: 'image', source: { mimeType: 'image/png', base64: 'AAAA' } }
  const said = { type: 'text', text: 'Tide' }
  expect(contentOf(document([said, picture, picture]))).toEqual([said, image, image])
  expect(contentOf(document([picture], { title: 'Map' }))).toEqual([{ type: 'text', text: 'Map\n\n' }, image])
  expect(contentOf(document([picture]))).toEqual([image])
  expect(contentOf(document('Tide', { context: 'Read' }))).toEqual([{ type: 'text', text: 'Read' }, said])
})

test('anthropic/messages: thinking is an effort, a budget, left to the model, or off', () => {
  const reasoning = (more: object) => parse({ ...body, ...more }).reasoning
  expect(reasoning({})).toBeUndefined()
  expect(reasoning({ thinking: { type: 'adaptive' } })).toEqual({})
  expect(reasoning({ thinking: { type: 'adaptive' }, output_config: { effort: 'max' } })).toEqual({ effort: 'max' })
  expect(reasoning({ thinking: { type: 'disabled' } })).toEqual({ effort: 'none' })
})

test('anthropic/messages: a mistake is refused with the name of the parameter', async () => {
  const param = async (more: object) => (await failureFrom(() => parse({ ...body, ...more }))).param
  expect(await param({ max_tokens: undefined })).toBe('max_tokens')
  expect(await param({ messages: [{ role: 'tool', content: '' }] })).toBe('messages[0].role')
  expect(await param({ tools: [{ type: 'code_execution_20250522', name: 'code_execution' }] })).toBe('tools[0].type')
  expect(
    await param({ messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] }] }),
  ).toBe('messages[0].content[0].source.type')
  expect(
    await param({
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'audio' }] }] }],
    }),
  ).toBe('messages[0].content[0].content[0].type')
})

const parts: ChatPart[] = [
  { type: 'start', id: 'v', model: 'v' },
  { type: 'usage', usage: { input: 5, cachedInput: 7 } },
  { type: 'reasoning', choice: 0, text: 'Hm.' },
  { type: 'text', choice: 0, text: 'Hi' },
  { type: 'citation', choice: 0, url: 'https://a.example' },
  { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a"', signature: 'tollgate/gemini/Z2Vt' },
  { type: 'tool-call', choice: 0, call: 0, arguments: ':1}' },
  { type: 'tool-call', choice: 0, call: 1, id: 'c2', name: 'g', arguments: '' },
  { type: 'text', choice: 1, text: 'another choice' },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
  { type: 'usage', usage: { output: 9, reasoning: 2 } },
]

test('anthropic/messages: events open, fill and close one block after the other', () => {
  const events = framesOf('anthropic/messages', parts).map(({ event, data }) => {
    const { type, ...rest } = JSON.parse(data)
    expect(type).toBe(event)
    return { event, ...rest }
  })
  const block = (index: number, kind: object, ...deltas: object[]) => [
    { event: 'content_block_start', index, content_block: kind },
    ...deltas.map((delta) => ({ event: 'content_block_delta', index, delta })),
    { event: 'content_block_stop', index },
  ]
  const [first, ...rest] = events
  expect(first).toMatchObject({
    message: { id: 'msg_call-1', model: 'a-model', usage: { input_tokens: 5, cache_read_input_tokens: 7 } },
  })
  expect(rest).toEqual([
    ...block(0, { type: 'thinking', thinking: '', signature: '' }, { type: 'thinking_delta', thinking: 'Hm.' }),
    ...block(
      1,
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'Hi' },
      { type: 'citations_delta', citation: CITATION },
    ),
    ...block(
      2,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'signature_delta', signature: 'tollgate/gemini/Z2Vt' },
    ),
    ...block(
      3,
      { type: 'tool_use', id: 'c1', name: 'f', input: {} },
      { type: 'input_json_delta', partial_json: '{"a"' },
      { type: 'input_json_delta', partial_json: ':1}' },
    ),
    ...block(4, { type: 'tool_use', id: 'c2', name: 'g', input: {} }),
    {
      event: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: {
        input_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 7,
        output_tokens: 11,
        output_tokens_details: { thinking_tokens: 2 },
      },
    },
    { event: 'message_stop' },
  ])
})

const CITATION = {
  type: 'web_search_result_location',
  url: 'https://a.example',
  title: 'https://a.example',
  cited_text: '',
  encrypted_index: '',
}

test('anthropic/messages: a whole message shows the same blocks', () => {
  expect(whole(parts, META)).toMatchObject({
    id: 'msg_call-1',
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: '' },
      { type: 'text', text: 'Hi', citations: [CITATION] },
      { type: 'thinking', thinking: '', signature: 'tollgate/gemini/Z2Vt' },
      { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'c2', name: 'g', input: {} },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 5, output_tokens: 11 },
  })
})

test('anthropic/messages: interleaved tool calls are sent one after the other, and none is silently lost', () => {
  const piece = (call: number, args: string, id?: string): ChatPart => ({
    ...{ type: 'tool-call', choice: 0, call, arguments: args },
    ...(id === undefined ? {} : { id, name: `f${call}` }),
  })
  const { frame, end } = stream(META)
  const mixed = [
    piece(0, '', 'a'),
    piece(1, '', 'b'),
    piece(2, '{}', 'c'),
    piece(0, '{"x":'),
    piece(1, '{"y":2'),
    piece(0, '1}'),
    piece(1, '}'),
  ]
  const text = mixed.map(frame).join('') + end()
  const events = [...text.matchAll(/^data: (.*)$/gm)].map(({ 1: data = '' }) => JSON.parse(data))
  const blocks = events
    .filter(({ type }) => type === 'content_block_start')
    .map(({ index, content_block: { id } }) => [
      id,
      events
        .filter((event) => event.type === 'content_block_delta' && event.index === index)
        .map(({ delta }) => delta.partial_json)
        .join(''),
    ])
  expect(blocks).toEqual([
    ['a', '{"x":1}'],
    ['b', '{"y":2}'],
    ['c', '{}'],
  ])
  // More input for a call that was already sent in full cannot be sent.
  const late = stream(META)
  for (const part of [piece(0, '{}', 'a'), piece(1, '{}', 'b')]) late.frame(part)
  expect(() => late.frame(piece(0, 'x'))).toThrow(VendorError)
})

test('anthropic/messages: a failure is Anthropic’s error object, whole and in a stream', () => {
  const failure = failureOf('rate', 'Slow down')
  expect(error(failure)).toEqual({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' } })
  expect(stream(META).error(failure)).toStartWith('event: error\ndata: {"type":"error"')
})
