import { expect, test } from 'bun:test'
import type { ChatPart } from './chat.ts'
import { collect, toolCalls } from './collect.ts'
import { openai } from './compatible/vendors.ts'
import { dialects } from './dialects.ts'
import { decodeStream, encoded, offered } from './testing/vendor-kit.ts'

/* Tools that take plain text, for callers of both OpenAI dialects and for vendors that only have functions. */

const GRAMMAR = { syntax: 'lark', definition: 'start: "SELECT" /.+/' }
const SQL = { name: 'write_sql', description: 'Writes SQL.' }
const INPUT = 'SELECT "name"\nFROM berths — 12'

const viaResponses = dialects.responses.parse({
  model: 'm',
  input: [
    { role: 'user', content: 'Which berths are free?' },
    { type: 'custom_tool_call', call_id: 'call_1', name: 'write_sql', input: 'SELECT 1' },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: '1' },
  ],
  tools: [
    { type: 'custom', ...SQL, format: { type: 'grammar', ...GRAMMAR } },
    { type: 'function', name: 'now', parameters: { type: 'object', properties: {} } },
  ],
  tool_choice: { type: 'custom', name: 'write_sql' },
})

const viaChat = dialects['openai/chat'].parse({
  model: 'm',
  messages: [
    { role: 'user', content: 'Which berths are free?' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'write_sql', input: 'SELECT 1' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '1' },
  ],
  tools: [
    { type: 'custom', custom: { ...SQL, format: { type: 'grammar', grammar: GRAMMAR } } },
    { type: 'function', function: { name: 'now' } },
  ],
  tool_choice: { type: 'custom', custom: { name: 'write_sql' } },
})

/** The equivalent at a vendor that only has functions: the text inside an object, in chunks that split it anywhere. */
const PARTS: ChatPart[] = [
  { type: 'tool-call', choice: 0, call: 0, id: 'call_2', name: 'write_sql', arguments: '' },
  ...(JSON.stringify({ input: INPUT }).match(/.{1,5}/gs) ?? []).map(
    (piece): ChatPart => ({ type: 'tool-call', choice: 0, call: 0, arguments: piece }),
  ),
  { type: 'tool-call', choice: 0, call: 1, id: 'call_3', name: 'now', arguments: '{}' },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
]

const meta = (request: typeof viaChat) => ({ id: 'a', model: 'm', createdSec: 0, nowSec: () => 0, request })

test('a tool with plain-text input becomes a function with one string at vendors that only have functions, with its grammar in the description', () => {
  for (const request of [viaResponses, viaChat]) {
    expect(request).toMatchObject({
      tools: [
        {
          name: 'write_sql',
          description: `Writes SQL.\n\nThe input has to match this lark grammar:\n${GRAMMAR.definition}`,
          parameters: { properties: { input: { type: 'string' } }, required: ['input'] },
        },
        { name: 'now' },
      ],
      toolChoice: { name: 'write_sql' },
    })
    expect(request.messages.slice(1)).toMatchObject([
      { content: [{ type: 'tool-call', id: 'call_1', name: 'write_sql', arguments: '{"input":"SELECT 1"}' }] },
      { role: 'tool', callId: 'call_1' },
    ])
  }
})

test('a call of it becomes plain text for the caller, whole and streamed, beside functions', () => {
  const { output, tools } = Object(dialects.responses.whole(PARTS, meta(viaResponses)))
  const custom = { type: 'custom_tool_call', call_id: 'call_2', name: 'write_sql', input: INPUT, status: 'completed' }
  expect(output).toMatchObject([custom, { type: 'function_call', call_id: 'call_3', arguments: '{}' }])
  expect(tools[0]).toEqual({ type: 'custom', ...SQL, format: { type: 'grammar', ...GRAMMAR } })

  const events = streamed(dialects.responses.stream(meta(viaResponses)))
  expect(events.filter(({ type }) => type === 'response.custom_tool_call_input.done')).toMatchObject([{ input: INPUT }])
  expect(events.at(-1).response.output).toMatchObject([custom, { call_id: 'call_3' }])

  const [choice] = Object(dialects['openai/chat'].whole(PARTS, meta(viaChat))).choices
  const calls = [
    { id: 'call_2', type: 'custom', custom: { name: 'write_sql', input: INPUT } },
    { id: 'call_3', type: 'function', function: { name: 'now', arguments: '{}' } },
  ]
  expect(choice.message.tool_calls).toEqual(calls)
  const deltas = streamed(dialects['openai/chat'].stream(meta(viaChat))).flatMap(
    ({ choices }) => choices[0].delta.tool_calls ?? [],
  )
  expect(deltas).toEqual([
    { index: 0, id: 'call_2', type: 'custom', custom: { name: 'write_sql', input: '' } },
    { index: 1, ...calls[1] },
    { index: 0, custom: { input: INPUT } },
  ])
})

function streamed({ frame, end }: ReturnType<(typeof dialects)['responses']['stream']>) {
  const text = PARTS.map(frame).join('') + end()
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(({ 1: data = '' }) => JSON.parse(data))
}

test('malformed input from a model is passed on unchanged', () => {
  const parts: ChatPart[] = [{ type: 'tool-call', choice: 0, call: 0, id: 'c', name: 'write_sql', arguments: '{"inp' }]
  expect(Object(dialects.responses.whole(parts, meta(viaResponses))).output).toMatchObject([{ input: '{"inp' }])
})

test("OpenAI's own models that only support Responses get such a tool unchanged, and their calls are read", async () => {
  const chat = offered(openai, 'chat')
  const { body } = await encoded(chat, { ...viaChat, model: 'gpt-5.3-codex' })
  expect(body.tools[0]).toEqual({ type: 'custom', ...SQL, format: { type: 'grammar', ...GRAMMAR } })
  expect(body.tool_choice).toEqual({ type: 'custom', name: 'write_sql' })
  expect(body.input.slice(1)).toEqual([
    { type: 'custom_tool_call', call_id: 'call_1', name: 'write_sql', input: 'SELECT 1' },
    { type: 'custom_tool_call_output', call_id: 'call_1', output: '1' },
  ])

  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'write_sql', input: INPUT }
  const usage = { input_tokens: 5, output_tokens: 7 }
  const called = [{ id: 'call_2', name: 'write_sql', arguments: JSON.stringify({ input: INPUT }) }]
  const whole = { object: 'response', id: 'r', status: 'completed', output: [item], usage }
  const event = (type: string, more: object) => ({ event: type, data: JSON.stringify({ type, ...more }) })
  const pieces = INPUT.match(/.{1,6}/gs) ?? []
  const events = [
    event('response.created', { response: { ...whole, status: 'in_progress' } }),
    event('response.output_item.added', { output_index: 0, item: { ...item, input: '' } }),
    ...pieces.map((delta) => event('response.custom_tool_call_input.delta', { output_index: 0, delta })),
    event('response.output_item.done', { output_index: 0, item }),
    event('response.completed', { response: whole }),
  ]
  for (const parts of [chat.decode(whole), decodeStream(chat, events), decodeStream(chat, withoutDeltas(events))]) {
    const [choice] = collect(parts).choices
    expect(choice?.finish).toBe('tool_calls')
    expect(choice && toolCalls(choice)).toMatchObject(called)
  }
})

const withoutDeltas = (events: { event: string; data: string }[]) =>
  events.filter(({ event }) => !event.endsWith('.delta'))

test.each([1, 6, 400])('a chat’s own calls of custom tools are read, whole and in pieces of %d characters', (size) => {
  const chat = offered(openai, 'chat')
  const head = { index: 0, id: 'call_2', type: 'custom' }
  const answer = (piece: string, delta: object, finish_reason: string | null = null) => ({
    ...{ id: 'c', model: 'm' },
    choices: [{ index: 0, [piece]: delta, finish_reason }],
  })
  const calls = (...tool_calls: object[]) => ({ role: 'assistant', content: null, tool_calls })
  const empty = { id: 'call_3', type: 'custom', custom: { name: 'now', input: '' } }
  const whole = answer('message', calls({ ...head, custom: { name: 'write_sql', input: INPUT } }, empty), 'tool_calls')
  const events = [
    answer('delta', calls({ ...head, custom: { name: 'write_sql', input: '' } })),
    ...(INPUT.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).map((input) =>
      answer('delta', { tool_calls: [{ index: 0, custom: { input } }] }),
    ),
    answer('delta', { tool_calls: [{ ...empty, index: 1 }] }),
    answer('delta', {}, 'tool_calls'),
  ]
  const streamed = decodeStream(
    chat,
    events.map((body) => ({ event: '', data: JSON.stringify(body) })),
  )
  for (const parts of [chat.decode(whole), streamed]) {
    const [choice] = collect(parts).choices
    expect(choice?.finish).toBe('tool_calls')
    expect(choice && toolCalls(choice)).toMatchObject([
      { id: 'call_2', name: 'write_sql', arguments: JSON.stringify({ input: INPUT }) },
      { id: 'call_3', name: 'now', arguments: '{"input":""}' },
    ])
  }
})
