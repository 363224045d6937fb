import { expect, test } from 'bun:test'
import { type DialectName, dialects } from './dialects.ts'
import { failureFrom } from './testing/vendor-kit.ts'

/* Content that the newest clients send to their own vendor, in conversations that go on at another one. */

const HI = { role: 'user', content: 'Hi' }
const HELLO: Record<DialectName, object> = {
  'openai/chat': { model: 'm', messages: [HI] },
  'anthropic/messages': { model: 'm', max_tokens: 9, messages: [HI] },
  'gemini/generate': { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  responses: { model: 'm', store: false, input: 'Hi' },
}

const parse = (dialect: DialectName, body: object) =>
  dialects[dialect].parse({ ...HELLO[dialect], ...body }, { model: 'm' })

const HALF_A_DAY = { mode: 'explicit', ttl: '12h' }
const DOCUMENT = {
  type: 'document',
  title: 'tides',
  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
}
const used = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read', input: {} }] }
const call = { type: 'function_call', call_id: 't', name: 'read', arguments: '{}' }
const inlineData = { mimeType: 'application/pdf', data: 'JVBE', displayName: 'tides' }

test.each<[DialectName, object]>([
  [
    'anthropic/messages',
    {
      messages: [HI, used, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [DOCUMENT] }] }],
    },
  ],
  [
    'responses',
    {
      input: [
        HI,
        call,
        {
          ...{ type: 'function_call_output', call_id: 't' },
          output: [{ type: 'input_file', filename: 'tides', file_data: 'data:application/pdf;base64,JVBE' }],
        },
      ],
    },
  ],
  [
    'gemini/generate',
    {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ functionCall: { id: 't', name: 'read', args: {} } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 't', name: 'read', response: {}, parts: [{ inlineData }] } }],
        },
      ],
    },
  ],
])('%s: a file that a tool returned follows the results', (dialect, body) => {
  const { messages, unread } = parse(dialect, body)
  expect(messages.slice(-2)).toMatchObject([
    { role: 'tool', callId: 't', content: expect.arrayContaining([{ type: 'text', text: 'The file tides follows.' }]) },
    {
      role: 'user',
      content: [{ type: 'file', source: { mimeType: 'application/pdf', base64: 'JVBE' }, name: 'tides' }],
    },
  ])
  expect(unread).toBeUndefined()
})

test('results of one turn stay together, and their files are before the words of the user', () => {
  const output = [{ type: 'input_file', file_data: 'data:application/pdf;base64,JVBE' }]
  const { messages } = parse('responses', {
    input: [
      ...[HI, call, { ...call, call_id: 'u' }],
      { type: 'function_call_output', call_id: 't', output },
      { type: 'function_call_output', call_id: 'u', output: 'Noon' },
      { role: 'user', content: 'And?' },
    ],
  })
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user'])
  expect(messages.at(-1)?.content).toMatchObject([{ type: 'file' }, { type: 'text', text: 'And?' }])
})

test('a summary of Claude’s stands for what it summed up, wherever the conversation goes on', () => {
  const { messages } = parse('anthropic/messages', {
    messages: [{ role: 'assistant', content: [{ type: 'compaction', content: 'They spoke of tides.' }] }, HI],
  })
  expect(messages[0]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'They spoke of tides.' }] })
})

test('a tool that the client’s own search found is named to the model', () => {
  const { messages } = parse('anthropic/messages', {
    messages: [
      ...[HI, used],
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_reference', tool_name: 'tide' }] }],
      },
    ],
  })
  expect(messages.at(-1)?.content).toEqual([{ type: 'text', text: 'The tool tide is available.' }])
})

test('tools that are offered in the middle of a conversation are offered', () => {
  const tool = (name: string) => ({ type: 'function', name, parameters: { type: 'object' } })
  const { tools, unread } = parse('responses', {
    tools: [tool('read'), { type: 'tool_search' }],
    input: [
      HI,
      { type: 'additional_tools', role: 'developer', tools: [tool('tide')] },
      { type: 'tool_search_output', call_id: 'c', execution: 'client', tools: [tool('tide'), tool('berth')] },
    ],
  })
  expect(tools?.map(({ name }) => name)).toEqual(['read', 'tide', 'berth'])
  expect(unread).toBeUndefined()
})

test.each<[DialectName, object]>([
  [
    'openai/chat',
    {
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Long', prompt_cache_breakpoint: { mode: 'explicit' } }] },
      ],
    },
  ],
  [
    'responses',
    {
      input: [
        {
          role: 'user',
          content: [{ type: 'input_text', text: 'Long', prompt_cache_breakpoint: { mode: 'explicit' } }],
        },
      ],
    },
  ],
])('%s: where OpenAI’s cache would end, that of other vendors does', (dialect, body) => {
  expect(parse(dialect, body).messages).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Long', cache: {} }] },
  ])
})

test.each<[DialectName, body: object, unread: string[]]>([
  [
    'anthropic/messages',
    { messages: [HI, { role: 'assistant', content: [{ type: 'mcp_tool_listing' }, { type: 'of_next_year' }] }, HI] },
    ['messages.content.mcp_tool_listing', 'messages.content.of_next_year'],
  ],
  [
    'responses',
    { input: [HI, { type: 'program_output', id: 'p' }, { type: 'of_next_year' }] },
    ['input.program_output', 'input.of_next_year'],
  ],
  [
    'openai/chat',
    { messages: [HI, { role: 'assistant', content: [{ type: 'of_next_year' }] }, HI] },
    ['messages.content.of_next_year'],
  ],
  [
    'gemini/generate',
    {
      contents: [
        { role: 'model', parts: [{ executableCode: { code: '1' } }] },
        { role: 'user', parts: [{ text: 'Hi' }] },
      ],
    },
    ['contents.parts.executableCode'],
  ],
])('%s: what the model’s own vendor did in an earlier turn is left out and named', (dialect, body, unread) => {
  expect(parse(dialect, body).unread).toEqual(unread)
})

test.each<[DialectName, body: object, kind: string]>([
  [
    'anthropic/messages',
    { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: 'f' }] }] },
    'container_upload',
  ],
  ['responses', { input: [{ role: 'user', content: [{ type: 'input_video' }] }] }, 'input_video'],
  ['openai/chat', { messages: [{ role: 'user', content: [{ type: 'video_url' }] }] }, 'video_url'],
  ['responses', { input: [HI, { type: 'compaction', encrypted_content: 'x' }] }, 'compacted conversation'],
])('%s: what the model would have to see is refused by its name: %3$s', async (dialect, body, kind) => {
  const { status, message } = await failureFrom(() => parse(dialect, body))
  expect(status).toBe(400)
  expect(message).toContain(kind)
  expect(message).not.toContain('Expected')
})

test('settings that change in mid-conversation are those of the next answer', () => {
  const update = (own: object) => ({ type: 'configuration_update', ...own })
  const format = { type: 'json_schema', name: 'tide', schema: { type: 'object' } }
  const { reasoning, responseFormat, messages, unread } = parse('responses', {
    reasoning: { effort: 'high' },
    input: [
      update({ reasoning: { effort: 'low' } }),
      ...[HI, update({ text: { format } })],
      update({ reasoning: { effort: 'medium' } }),
      { role: 'user', content: 'And now?' },
    ],
  })
  expect({ reasoning, responseFormat }).toEqual({
    reasoning: { effort: 'medium' },
    responseFormat: { type: 'json_schema', name: 'tide', schema: { type: 'object' } },
  })
  expect(messages).toHaveLength(2)
  expect(unread).toBeUndefined()
})

test('a result that names its tool and not its call is that of the latest call', async () => {
  const result = { type: 'function_call_output', call_id: null, name: 'read', output: 'Noon' }
  const { messages, unread } = parse('responses', { input: [HI, call, { ...call, call_id: 'u' }, result] })
  expect(messages.at(-1)).toMatchObject({ role: 'tool', callId: 'u' })
  expect(unread).toBeUndefined()
  const { message } = await failureFrom(() => parse('responses', { input: [HI, { ...result, name: 'tide' }] }))
  expect(message).toBe("Invalid 'input[1].call_id': a result needs the id of the call that it is of")
})

test.each<[DialectName, object]>([
  ['anthropic/messages', { max_tokens: 0 }],
  ['responses', { generate: false }],
])('%s: a cache that should be prepared without an answer is not answered', async (dialect, body) => {
  const { status, message } = await failureFrom(() => parse(dialect, body))
  expect({ status, message }).toEqual({ status: 400, message: expect.stringMatching(/without (an answer|answering)/) })
})

test.each<[DialectName, object]>([
  [
    'openai/chat',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'Long', prompt_cache_breakpoint: HALF_A_DAY }] }] },
  ],
  [
    'responses',
    { input: [{ role: 'user', content: [{ type: 'input_text', text: 'Long', prompt_cache_breakpoint: HALF_A_DAY }] }] },
  ],
])('%s: a cache of half a day is one of an hour elsewhere', (dialect, body) => {
  const { messages, unread } = parse(dialect, body)
  expect(messages).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Long', cache: { ttl: '1h' } }] }])
  expect(unread).toBeUndefined()
})
