import { expect, test } from 'bun:test'
import { readAnswer } from './read-answer.ts'
import { readRequest } from './read-request.ts'

const json = (value: unknown) => JSON.stringify(value)
const sse = (...events: unknown[]) => events.map((event) => `data: ${json(event)}\n\n`).join('')

const SYSTEM = { role: 'system', parts: [{ kind: 'text', text: 'Be kind' }] }
const ASKED = { role: 'user', parts: [{ kind: 'text', text: 'Weather?' }] }
const CALLED = { kind: 'toolCall', name: 'weather', text: '{\n  "city": "Oslo"\n}' }
const ANSWERED = [{ kind: 'reasoning', text: 'Let me see.' }, { kind: 'text', text: 'I look.' }, CALLED]
const RESULT = { kind: 'toolResult', text: 'Rain' }

test('chat completions: roles, tool calls, their results and reasoning', () => {
  const called = { id: 'c', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }
  const message = { role: 'assistant', content: 'I look.', reasoning_content: 'Let me see.', tool_calls: [called] }
  const request = {
    ...{ model: 'm', temperature: 1, tools: [{ type: 'function' }] },
    messages: [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      message,
      { role: 'tool', tool_call_id: 'c', content: 'Rain' },
    ],
  }
  expect(readRequest(json(request))).toMatchObject({
    parameters: { model: 'm', temperature: 1 },
    tools: [{ type: 'function' }],
    turns: [SYSTEM, ASKED, { role: 'assistant', parts: ANSWERED }, { role: 'tool', parts: [RESULT] }],
  })
  expect(readAnswer(json({ choices: [{ message }] }))).toMatchObject([{ role: 'assistant', parts: ANSWERED }])
  const chunk = (delta: object) => ({ choices: [{ index: 0, delta }] })
  const streamed = sse(
    chunk({ role: 'assistant', content: '' }),
    chunk({ reasoning_content: 'Let me' }),
    chunk({ reasoning_content: ' see.' }),
    chunk({ content: 'I ' }),
    chunk({ content: 'look.' }),
    chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'weather', arguments: '{"city"' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: ':"Oslo"}' } }] }),
  )
  expect(readAnswer(`${streamed}data: [DONE]\n\n`)).toEqual([{ role: 'assistant', parts: ANSWERED }] as never)
})

test('Anthropic Messages: blocks whole and streamed', () => {
  const content = [
    { type: 'thinking', thinking: 'Let me see.', signature: 's' },
    { type: 'text', text: 'I look.' },
    { type: 'tool_use', id: 't', name: 'weather', input: { city: 'Oslo' } },
  ]
  const request = {
    ...{ model: 'm', max_tokens: 5, system: [{ type: 'text', text: 'Be kind' }] },
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'Rain' }] }] },
    ],
  }
  expect(readRequest(json(request))?.turns).toMatchObject([
    SYSTEM,
    ASKED,
    { role: 'assistant', parts: ANSWERED },
    { role: 'user', parts: [RESULT] },
  ])
  expect(readAnswer(json({ role: 'assistant', content }))).toMatchObject([{ role: 'assistant', parts: ANSWERED }])
  const delta = (index: number, piece: object) => ({ type: 'content_block_delta', index, delta: piece })
  const streamed = sse(
    { type: 'message_start', message: { role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    delta(0, { type: 'thinking_delta', thinking: 'Let me see.' }),
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    delta(1, { type: 'text_delta', text: 'I look.' }),
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', name: 'weather', input: {} } },
    delta(2, { type: 'input_json_delta', partial_json: '{"city":' }),
    delta(2, { type: 'input_json_delta', partial_json: '"Oslo"}' }),
    { type: 'message_stop' },
  )
  expect(readAnswer(streamed)).toMatchObject([{ role: 'assistant', parts: ANSWERED }])
})

test('Responses: items whole, streamed, and streamed without an end', () => {
  const items = [
    { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me see.' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
    { type: 'function_call', call_id: 'c', name: 'weather', arguments: '{"city":"Oslo"}' },
  ]
  const turns = ANSWERED.map((part) => ({ role: 'assistant', parts: [part] }))
  const output = { type: 'function_call_output', call_id: 'c', output: 'Rain' }
  const request = {
    model: 'm',
    instructions: 'Be kind',
    input: [{ role: 'user', content: 'Weather?' }, ...items, output],
  }
  expect(readRequest(json(request))?.turns).toMatchObject([SYSTEM, ASKED, ...turns, { role: 'tool', parts: [RESULT] }])
  expect(readRequest(json({ model: 'm', input: 'Weather?' }))?.turns).toMatchObject([ASKED])
  expect(readAnswer(json({ object: 'response', output: items, error: null }))).toMatchObject(turns)
  const events = [
    { type: 'response.reasoning_summary_text.delta', delta: 'Let me see.' },
    { type: 'response.output_text.delta', delta: 'I look.' },
    { type: 'response.output_item.added', output_index: 2, item: { type: 'function_call', name: 'weather' } },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"city":"Oslo"}' },
  ]
  expect(readAnswer(sse(...events))).toMatchObject([{ role: 'assistant', parts: ANSWERED }])
  const end = { type: 'response.completed', response: { output: items, error: null } }
  expect(readAnswer(sse(...events, end))).toMatchObject(turns)
})

test('Responses: calls of tools that the client runs, and their results', () => {
  const input = [
    { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } },
    { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a.txt', stderr: '' }] },
    { type: 'apply_patch_call', call_id: 'd', operation: { type: 'delete_file', path: 'a.txt' } },
    { type: 'apply_patch_call_output', call_id: 'd', status: 'completed' },
  ]
  const parts = readRequest(json({ model: 'm', input }))?.turns.flatMap((turn) => turn.parts) ?? []
  expect(parts.map(({ kind }) => kind)).toEqual(['toolCall', 'toolResult', 'toolCall', 'toolResult'])
  expect(parts).toMatchObject([
    { name: 'shell', text: expect.stringContaining('ls') },
    { text: expect.stringContaining('a.txt') },
    { name: 'apply_patch', text: expect.stringContaining('delete_file') },
    { text: 'completed' },
  ])
})

test('Gemini: parts whole, as events, and as an array', () => {
  const parts = [
    { text: 'Let me see.', thought: true },
    { text: 'I look.' },
    { functionCall: { name: 'weather', args: { city: 'Oslo' } } },
  ]
  const request = {
    systemInstruction: { parts: [{ text: 'Be kind' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Weather?' }] },
      { role: 'model', parts },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { sky: 'rain' } } }] },
    ],
  }
  expect(readRequest(json(request))?.turns).toMatchObject([
    SYSTEM,
    ASKED,
    { role: 'model', parts: ANSWERED },
    { role: 'user', parts: [{ kind: 'toolResult', name: 'weather', text: '{\n  "sky": "rain"\n}' }] },
  ])
  const candidate = (some: unknown[]) => ({ candidates: [{ index: 0, content: { role: 'model', parts: some } }] })
  const pieces = [
    candidate([{ text: 'Let me', thought: true }]),
    candidate([{ text: ' see.', thought: true }]),
    candidate(parts.slice(1)),
  ]
  const whole = [{ role: 'model', parts: ANSWERED }]
  expect(readAnswer(json(candidate(parts)))).toMatchObject(whole)
  expect(readAnswer(sse(...pieces))).toMatchObject(whole)
  expect(readAnswer(json(pieces))).toMatchObject(whole)
})

test('embeddings, images and transcripts are input and output', () => {
  expect(readRequest(json({ model: 'm', input: ['a', 'b'] }))?.turns).toMatchObject([
    {
      role: 'input',
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'text', text: 'b' },
      ],
    },
  ])
  expect(readAnswer(json({ object: 'list', data: [] }))).toMatchObject([{ role: 'output', parts: [{ kind: 'data' }] }])
  expect(readAnswer('[audio/mpeg: 2048 bytes]')).toMatchObject([
    { role: 'output', parts: [{ kind: 'text', text: '[audio/mpeg: 2048 bytes]' }] },
  ])
})

test('an error is shown as such, alone and at the end of a stream', () => {
  const error = { message: 'No', type: 'server_error' }
  expect(readAnswer(json({ error }))).toMatchObject([{ role: 'error', parts: [{ kind: 'data' }] }])
  const broken = sse({ choices: [{ index: 0, delta: { content: 'Half' } }] }, { error })
  expect(readAnswer(broken)).toMatchObject([
    { role: 'assistant', parts: [{ kind: 'text', text: 'Half' }] },
    { role: 'error', parts: [{ kind: 'data' }] },
  ])
})

test('truncated content is shown as far as it can be read, and never fails', () => {
  expect(readRequest('{"model":"m","messages":[{"ro')).toBeUndefined()
  expect(readAnswer('{"choices":[{"mess')).toBeUndefined()
  const cut = `${sse({ choices: [{ index: 0, delta: { content: 'Half' } }] })}data: {"choices":[{"ind\n… [500 more bytes]`
  expect(readAnswer(cut)).toMatchObject([{ role: 'assistant', parts: [{ kind: 'text', text: 'Half' }] }])
  for (const odd of [
    '',
    '[]',
    'null',
    '5',
    '{}',
    '{"messages":5}',
    '{"messages":[null,[],{"role":{},"content":[[null]]}]}',
    '{"output":[{}]}',
  ]) {
    readRequest(odd)
    readAnswer(odd)
  }
})
