import { expect, test } from 'bun:test'
import type { ChatPart } from '../chat.ts'
import { failureOf } from '../failure.ts'
import { fieldsOf } from '../json.ts'
import { eventsIn, framesOf, META } from '../testing/dialect-round-trip.ts'
import { failureFrom } from '../testing/vendor-kit.ts'
import { openAiResponses } from './dialect.ts'

const { parse, whole, stream } = openAiResponses

test('responses: a request keeps its meaning, and the model’s items are one turn', () => {
  const request = parse({
    model: 'm',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look' },
          { type: 'input_image', image_url: 'https://i.example/a.png', detail: 'low' },
        ],
      },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'tollgate/claude/c2ln',
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Wait', annotations: [] }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
    ],
    tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: true }, { type: 'web_search' }],
    tool_choice: { type: 'function', name: 'f' },
    max_output_tokens: 9,
    reasoning: { effort: 'low', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true }, verbosity: 'low' },
    include: ['reasoning.encrypted_content'],
    store: false,
    previous_response_id: null,
  })
  expect(request).toEqual({
    model: 'm',
    stream: false,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', source: { url: 'https://i.example/a.png' }, detail: 'low' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.', signature: 'tollgate/claude/c2ln' },
          { type: 'text', text: 'Wait' },
          { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' },
        ],
      },
      { role: 'tool', callId: 'c1', content: [{ type: 'text', text: 'done' }] },
    ],
    instructions: 'Be brief.',
    maxTokens: 9,
    tools: [{ name: 'f', parameters: { type: 'object' }, strict: true }],
    droppedTools: ['web_search'],
    toolChoice: { name: 'f' },
    responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true },
    reasoning: { effort: 'low' },
    stateless: true,
    webSearch: { name: 'web_search', optional: true },
    foreign: true,
    extra: { verbosity: 'low' },
  })
})

test('responses: an answer shows its request, with every member that OpenAI’s has', () => {
  const settings = {
    ...{ instructions: 'Be brief.', metadata: { order: '7' }, max_tool_calls: 3, prompt_cache_key: 'harbour' },
    ...{ safety_identifier: 'somebody', truncation: 'auto', max_output_tokens: 9, temperature: 0.5, top_p: 0.25 },
  }
  const shown = (body: object) => whole([{ type: 'text', choice: 0, text: 'Hi' }], { ...META, request: parse(body) })
  expect(shown({ model: 'm', input: 'Hi', ...settings })).toMatchObject(settings)
  const members = ['created_at', 'error', 'id', 'incomplete_details', 'model', 'object', 'output', 'status', 'usage']
  const own = [
    'background',
    'completed_at',
    'frequency_penalty',
    'parallel_tool_calls',
    'presence_penalty',
    'reasoning',
  ]
  const more = ['previous_response_id', 'store', 'text', 'tool_choice', 'tools', 'top_logprobs', 'user']
  expect(Object.keys(Object(shown({ model: 'm', input: 'Hi' }))).sort()).toEqual(
    [...members, ...own, ...more, ...Object.keys(settings)].sort(),
  )
})

test('responses: the time of completion is that of a complete answer', () => {
  const finished = (reason: 'stop' | 'length') =>
    fieldsOf(whole([{ type: 'finish', choice: 0, reason }], META)).completed_at
  expect(finished('stop')).toBe(META.nowSec())
  expect(finished('length')).toBe(null)
})

test('responses: what would need stored state is refused by name', async () => {
  const param = async (more: object) => (await failureFrom(() => parse({ model: 'm', input: 'Hi', ...more }))).param
  expect(await param({ previous_response_id: 'resp_1' })).toBe('previous_response_id')
  expect(await param({ conversation: 'conv_1' })).toBe('conversation')
  expect(await param({ background: true })).toBe('background')
  expect(await param({ tools: [{ type: 'file_search' }] })).toBe('tools[0].type')
  expect(await param({ input: [{ type: 'item_reference', id: 'x' }] })).toBe('input[0].id')
  expect(await param({ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'f' }] }] })).toBe(
    'input[0].content[0].image_url',
  )
})

test('responses: calls of OpenAI’s own tools are left out when the conversation continues elsewhere', () => {
  const { messages } = parse({
    model: 'm',
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'tides' } },
      { type: 'code_interpreter_call', id: 'ci_1', code: '1', container_id: 'c', outputs: [] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'High at six.', annotations: [] }] },
    ],
  })
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
})

test('responses: an earlier answer is continued by its id, with everything before it', async () => {
  const kept = new Map<string, unknown>()
  const recall = (id: string) => kept.get(id)
  const remember = (items: readonly { id: string }[]) => {
    for (const item of items) kept.set(item.id, item)
  }
  const say = (id: string, text: string, body: object) => {
    const request = parse({ model: 'm', instructions: `Rules of ${id}.`, ...body }, { recall })
    const spoken: ChatPart[] = [{ type: 'text', choice: 0, text }]
    whole(spoken, { ...META, id, request, remember })
    return request.messages.map(({ role, content }) => [role, ...content.map((part) => 'text' in part && part.text)])
  }
  say('1', 'Hello!', { input: 'Hi' })
  say('2', 'Fine.', { input: [{ role: 'user', content: 'How are you?' }], previous_response_id: 'resp_1' })
  expect(say('3', 'Bye!', { input: 'Bye', previous_response_id: 'resp_2', store: false })).toEqual([
    ['system', 'Rules of 3.'],
    ['user', 'Hi'],
    ['assistant', 'Hello!'],
    ['user', 'How are you?'],
    ['assistant', 'Fine.'],
    ['user', 'Bye'],
  ])
  const lost = { status: 400, param: 'previous_response_id', code: 'previous_response_not_found' }
  const next = (id: string) => failureFrom(() => say('4', 'No.', { input: 'x', previous_response_id: id }))
  expect(await next('resp_3')).toMatchObject(lost)
  kept.delete('msg_1_0')
  expect(await next('resp_2')).toMatchObject(lost)
})

const parts: ChatPart[] = [
  { type: 'start', id: 'v', model: 'v' },
  { type: 'reasoning', choice: 0, text: 'Hm' },
  { type: 'reasoning', choice: 0, text: '.', signature: 'tollgate/claude/c2ln' },
  { type: 'text', choice: 0, text: 'Hi' },
  { type: 'citation', choice: 0, url: 'https://a.example' },
  { type: 'refusal', choice: 0, text: 'No' },
  { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a"' },
  { type: 'tool-call', choice: 0, call: 1, id: 'c2', name: 'g', arguments: '' },
  { type: 'tool-call', choice: 0, call: 0, arguments: ':1}' },
  { type: 'finish', choice: 0, reason: 'length' },
  { type: 'usage', usage: { input: 2, cachedInput: 3, output: 4, reasoning: 5 } },
]

test('responses: every item is opened, filled and closed, in numbered events', () => {
  const events = framesOf('responses', parts).map(({ data }) => JSON.parse(data))
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.map(({ type, output_index }) => [type.replace('response.', ''), output_index])).toEqual([
    ['created', undefined],
    ['in_progress', undefined],
    ['output_item.added', 0],
    ['reasoning_summary_part.added', 0],
    ['reasoning_summary_text.delta', 0],
    ['reasoning_summary_text.delta', 0],
    ['reasoning_summary_text.done', 0],
    ['reasoning_summary_part.done', 0],
    ['output_item.done', 0],
    ['output_item.added', 1],
    ['content_part.added', 1],
    ['output_text.delta', 1],
    ['output_text.annotation.added', 1],
    ['output_text.done', 1],
    ['content_part.done', 1],
    ['content_part.added', 1],
    ['refusal.delta', 1],
    ['refusal.done', 1],
    ['content_part.done', 1],
    ['output_item.done', 1],
    ['output_item.added', 2],
    ['function_call_arguments.delta', 2],
    ['function_call_arguments.delta', 2],
    ['function_call_arguments.done', 2],
    ['output_item.done', 2],
    ['output_item.added', 3],
    ['function_call_arguments.done', 3],
    ['output_item.done', 3],
    ['incomplete', undefined],
  ])
  expect(events.at(-1).response).toEqual(whole(parts, META))
  const opened = events.filter(({ type }) => type === 'response.output_item.added')
  expect(opened.map(({ item }) => item.status)).toEqual(Array(4).fill('in_progress'))
})

const CUT: [string, ChatPart[], string[]][] = [
  ['reasoning', [{ type: 'reasoning', choice: 0, text: 'Hm' }], ['incomplete']],
  [
    'a text after reasoning',
    [
      { type: 'reasoning', choice: 0, text: 'Hm', signature: 'claude:c2ln' },
      { type: 'text', choice: 0, text: 'Hi' },
    ],
    ['completed', 'incomplete'],
  ],
  ['a text', [{ type: 'text', choice: 0, text: 'Hi' }], ['incomplete']],
  [
    'a call after a text',
    [
      { type: 'text', choice: 0, text: 'Hi' },
      { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a":' },
    ],
    ['completed', 'incomplete'],
  ],
  [
    'two calls whose arguments are mixed',
    [
      { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a":' },
      { type: 'tool-call', choice: 0, call: 1, id: 'c2', name: 'f', arguments: '{"b":' },
    ],
    ['completed', 'incomplete'],
  ],
  [
    'a call before its arguments',
    [{ type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '' }],
    ['incomplete'],
  ],
]

test.each(CUT)('responses: the last item of an answer that was cut off is incomplete: %s', (_, content, statuses) => {
  for (const reason of ['length', 'content_filter', 'stop'] as const) {
    const all: ChatPart[] = [...content, { type: 'finish', choice: 0, reason }]
    const response = whole(all, META)
    const events = framesOf('responses', all).map(({ data }) => JSON.parse(data))
    const expected = reason === 'stop' ? statuses.map(() => 'completed') : statuses
    expect(response).toMatchObject({ output: expected.map((status) => ({ status })) })
    expect(events.at(-1).response).toEqual(response)
    const closed = events.filter(({ type }) => type === 'response.output_item.done')
    expect(closed.map(({ item }) => item.status)).toEqual(expected)
  }
})

test('responses: a whole response has its items, its usage and its finish reason', () => {
  expect(whole(parts, META)).toMatchObject({
    id: 'resp_call-1',
    object: 'response',
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [
      { type: 'reasoning', summary: [{ text: 'Hm.' }], encrypted_content: 'tollgate/claude/c2ln' },
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [
          { type: 'output_text', text: 'Hi', annotations: [{ type: 'url_citation', url: 'https://a.example' }] },
          { type: 'refusal', refusal: 'No' },
        ],
      },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
      { type: 'function_call', call_id: 'c2', name: 'g', arguments: '{}' },
    ],
    usage: {
      input_tokens: 5,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 14,
    },
  })
})

test('responses: a failure in mid-stream reaches clients that wait for a response and those that wait for an error', () => {
  const encoder = stream(META)
  encoder.frame({ type: 'text', choice: 0, text: 'Hi' })
  const events = eventsIn(encoder.error(failureOf('server', 'Broken'))).map(({ data }) => JSON.parse(data))
  expect(events).toMatchObject([
    { type: 'response.failed', response: { status: 'failed', error: { message: 'Broken' } } },
    { type: 'error', message: 'Broken' },
  ])
})

test('responses: an item of an earlier answer may be referenced by id, unless the caller stores items', () => {
  const kept = new Map<string, unknown>()
  const remember = (items: readonly { id: string }[]) => {
    for (const item of items) kept.set(item.id, item)
  }
  const parts: ChatPart[] = [
    { type: 'reasoning', choice: 0, text: 'Hm.', signature: 'tollgate/claude/c2ln' },
    { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a":1}' },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
  ]
  whole(parts, { ...META, request: { ...META.request, stateless: true }, remember })
  expect([...kept]).toEqual([])
  whole(parts, { ...META, remember })
  framesOf('responses', parts, { ...META, remember })
  const input = [...kept.keys()].map((id) => ({ type: 'item_reference', id }))
  const { messages } = parse({ model: 'm', input }, { recall: (id) => kept.get(id) })
  expect(messages).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', signature: 'tollgate/claude/c2ln' },
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' },
      ],
    },
  ])
})
