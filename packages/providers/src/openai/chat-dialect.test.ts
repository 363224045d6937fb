import { expect, test } from 'bun:test'
import type { ChatPart } from '../chat.ts'
import { failureOf } from '../failure.ts'
import { fieldsOf } from '../json.ts'
import { framesOf, META } from '../testing/dialect-round-trip.ts'
import { failureFrom } from '../testing/vendor-kit.ts'
import { toChatBody } from './chat-body.ts'
import { openAiChat } from './chat-dialect.ts'

const { parse, whole, stream } = openAiChat
const messages = [{ role: 'user', content: 'Hi' }]

test('openai/chat: a request keeps its meaning, and unknown fields too', () => {
  const request = parse({
    model: 'gpt-5',
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'Look', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'https://i.example/a.png' } },
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'f', arguments: '{"a":1}' },
            extra_content: { google: { thought_signature: 'c2ln' } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
    ],
    max_completion_tokens: 10,
    stop: 'END',
    n: null,
    temperature: 0,
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' }, strict: true } }],
    tool_choice: { type: 'function', function: { name: 'f' } },
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' }, strict: true } },
    reasoning_effort: 'low',
    stream_options: { include_usage: true },
    service_tier: 'flex',
  })
  expect(request).toEqual({
    model: 'gpt-5',
    stream: false,
    messages: [
      { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        role: 'user',
        name: 'ann',
        content: [
          { type: 'text', text: 'Look', cache: { ttl: '1h' } },
          { type: 'image', source: { mimeType: 'image/png', base64: 'aGk=' }, detail: 'low' },
          { type: 'image', source: { url: 'https://i.example/a.png' } },
          { type: 'audio', format: 'wav', base64: 'UklGRg==' },
          { type: 'file', source: { mimeType: 'application/pdf', base64: 'JVBERi0=' }, name: 'a.pdf' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}', signature: 'tollgate/gemini/c2ln' },
        ],
      },
      { role: 'tool', callId: 'c1', content: [{ type: 'text', text: 'done' }] },
    ],
    maxTokens: 10,
    temperature: 0,
    stop: ['END'],
    tools: [{ name: 'f', parameters: { type: 'object' }, strict: true }],
    toolChoice: { name: 'f' },
    responseFormat: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true },
    reasoning: { effort: 'low' },
    extra: { stream_options: { include_usage: true }, service_tier: 'flex' },
  })
})

test('openai/chat: a parsed request can be encoded again', () => {
  const body = {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://i.example/a.png' } }] },
      {
        role: 'assistant',
        content: 'Yes',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ],
    max_tokens: 5,
    seed: 7,
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    tool_choice: 'auto',
    logit_bias: { '50256': -100 },
  }
  expect<object>(toChatBody(parse(body), { developer: true })).toEqual(body)
})

test('openai/chat: quirks of a vendor change how a request is encoded', () => {
  const request = parse({
    model: 'deepseek-reasoner',
    stream: true,
    messages: [
      { role: 'developer', content: 'A' },
      { role: 'assistant', content: 'x', reasoning_content: 'Hm.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
    ],
    max_completion_tokens: 3,
  })
  expect(toChatBody(request, { reasoning: true }, { streamOptions: false })).toEqual({
    model: 'deepseek-reasoner',
    messages: [
      { role: 'system', content: 'A' },
      { role: 'assistant', content: 'x', reasoning_content: 'Hm.' },
      { role: 'user', content: 'a\n\nb' },
    ],
    max_tokens: 3,
    stream: true,
  })
  expect(toChatBody({ ...request, model: 'o4-mini' })).toMatchObject({
    max_completion_tokens: 3,
    stream_options: { include_usage: true },
  })
})

test('openai/chat: a schema that is strict elsewhere but not here is kept loosely', () => {
  const strictOf = (schema: object) => {
    const format = { type: 'json_schema', name: 'x', schema, strict: true } as const
    return toChatBody({ ...META.request, responseFormat: format }).response_format
  }
  const properties = { a: { type: 'string' }, b: { type: 'array', items: { type: 'object', properties: {} } } }
  const open = { type: 'object', properties, required: ['a', 'b'], additionalProperties: false }
  expect(strictOf(open)).toEqual({ type: 'json_schema', json_schema: { name: 'x', schema: open } })
  const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  expect(strictOf(closed)).toMatchObject({ json_schema: { strict: true } })
})

test('openai/chat: images that tools returned follow all results of the turn', () => {
  const image = { type: 'image', source: { url: 'https://i.example/a.png' } } as const
  const { messages: said } = toChatBody({
    ...META.request,
    messages: [
      { role: 'tool', callId: 'a', content: [{ type: 'text', text: '1' }, image] },
      { role: 'tool', callId: 'b', content: [{ type: 'text', text: '2' }] },
      { role: 'user', content: [{ type: 'text', text: 'Go on' }] },
    ],
  })
  expect(said).toMatchObject([
    { role: 'tool', tool_call_id: 'a' },
    { role: 'tool', tool_call_id: 'b' },
    { role: 'user', content: [{ type: 'image_url' }] },
    { role: 'user', content: 'Go on' },
  ])
})

test('openai/chat: a mistake is refused with the name of the parameter', async () => {
  const param = async (body: object) => {
    const { status, param: name } = await failureFrom(() => parse({ model: 'm', messages, ...body }))
    expect(status).toBe(400)
    return name
  }
  expect(await param({ model: '' })).toBe('model')
  expect(await param({ messages: [] })).toBe('messages')
  expect(await param({ messages: [{ role: 'wizard', content: '' }] })).toBe('messages[0].role')
  expect(await param({ messages: [{ role: 'user', content: [{ type: 'video_url' }] }] })).toBe(
    'messages[0].content[0].type',
  )
  expect(await param({ messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] })).toBe(
    'messages[0].content[0].file',
  )
  expect(await param({ max_tokens: -1 })).toBe('max_tokens')
  expect(await param({ max_tokens: 2 ** 31 })).toBe('max_tokens')
  expect(await param({ tools: [{ type: 'web_search', search: {} }] })).toBe('tools[0].type')
  expect(await param({ temperature: 'hot' })).toBe('temperature')
  expect(await failureFrom(() => parse('text'))).toMatchObject({ status: 400, param: null })
})

test('openai/chat: older functions and lists of allowed tools are understood', () => {
  const old = parse({
    model: 'm',
    messages: [
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: 'ok' },
    ],
    functions: [{ name: 'f', parameters: {} }],
    function_call: { name: 'f' },
  })
  expect(old).toMatchObject({
    messages: [{ content: [{ type: 'tool-call', id: 'f_0' }] }, { role: 'tool', callId: 'f_0' }],
    tools: [{ name: 'f' }],
    toolChoice: { name: 'f' },
  })
  const tool = (name: string) => ({ type: 'function', function: { name } })
  const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [tool('b')] } }
  expect(parse({ model: 'm', messages, tools: [tool('a'), tool('b')], tool_choice: allowed })).toMatchObject({
    tools: [{ name: 'b' }],
    toolChoice: 'required',
  })
})

test("openai/chat: the forms in which Mistral's client writes a request mean the same as OpenAI's", () => {
  const tools = [{ type: 'function', function: { name: 'f' } }]
  const conversation = (parts: object[], args: unknown, choice: string) =>
    parse({
      ...{ model: 'm', tools, tool_choice: choice },
      messages: [
        { role: 'user', content: parts },
        { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: args } }] },
        { role: 'tool', tool_call_id: 'c', content: parts.slice(0, 1) },
      ],
    })
  const [png, pdf] = ['data:image/png;base64,iVBO', 'data:application/pdf;base64,JVBE']
  const theirs = conversation(
    [
      { type: 'image_url', image_url: png },
      { type: 'document_url', document_url: pdf, document_name: 'a.pdf' },
    ],
    { a: 1 },
    'any',
  )
  const ours = conversation(
    [
      { type: 'image_url', image_url: { url: png } },
      { type: 'file', file: { file_data: pdf, filename: 'a.pdf' } },
    ],
    '{"a":1}',
    'required',
  )
  expect(theirs).toEqual(ours)
  expect(theirs.unread).toBeUndefined()
  for (const type of ['image_url', 'document_url']) {
    expect(() => parse({ model: 'm', messages: [{ role: 'user', content: [{ type, [type]: 7 }] }] })).toThrow(type)
  }
})

const parts: ChatPart[] = [
  { type: 'start', id: 'v', model: 'v' },
  { type: 'text', choice: 0, text: 'Hi' },
  { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'f', arguments: '{"a"' },
  { type: 'tool-call', choice: 0, call: 0, arguments: ':1}' },
  { type: 'tool-call', choice: 0, call: 1, id: 'c2', name: 'g', arguments: '' },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
  { type: 'usage', usage: { input: 3, output: 4 } },
]

test('openai/chat: chunks have one id, the role first, numbered calls, one finish reason, the usage and an end', () => {
  const events = framesOf('openai/chat', parts)
  expect(events.at(-1)?.data).toBe('[DONE]')
  const chunks = events.slice(0, -1).map(({ data }) => JSON.parse(data))
  expect(new Set(chunks.map(({ id }) => id))).toEqual(new Set(['chatcmpl-call-1']))
  expect(chunks.map(({ choices }) => fieldsOf(choices[0]).delta)).toEqual([
    { role: 'assistant', content: '' },
    { content: 'Hi' },
    { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
    { tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'g', arguments: '' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
    {},
    undefined,
  ])
  expect(chunks.map(({ choices }) => fieldsOf(choices[0]).finish_reason)).toEqual([
    ...Array(6).fill(null),
    'tool_calls',
    undefined,
  ])
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })
})

test('openai/chat: usage is sent only if it was requested', () => {
  const meta = { ...META, request: { ...META.request, extra: {} } }
  const events = framesOf('openai/chat', parts, meta)
  expect(events.some(({ data }) => data.includes('usage'))).toBe(false)
})

test('openai/chat: an answer without any part is an empty one, with an end', () => {
  expect(whole([], META)).toMatchObject({ choices: [{ message: { content: '' }, finish_reason: 'stop' }] })
  const events = framesOf('openai/chat', [])
  expect(JSON.parse(events[0]?.data ?? '')).toMatchObject({
    choices: [{ delta: { role: 'assistant' }, finish_reason: 'stop' }],
  })
  expect(events.at(-1)?.data).toBe('[DONE]')
})

test('openai/chat: signatures, images, sources and log probabilities are passed on', () => {
  const more: ChatPart[] = [
    { type: 'reasoning', choice: 0, text: 'Hm.', signature: 'tollgate/claude/c2ln' },
    { type: 'text', choice: 0, text: 'a' },
    { type: 'tool-call', choice: 0, call: 0, id: 'c', name: 'f', arguments: '{}', signature: 'tollgate/gemini/Z2Vt' },
    { type: 'image', choice: 0, mimeType: 'image/png', base64: 'aGk=' },
    { type: 'citation', choice: 0, url: 'https://a.example', title: 'A' },
    { type: 'logprobs', choice: 0, tokens: [{ token: 'é', logprob: -1, top: [] }] },
  ]
  expect(whole(more, META)).toMatchObject({
    choices: [
      {
        message: {
          reasoning_content: 'Hm.',
          reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', signature: 'c2ln' }],
          tool_calls: [{ extra_content: { google: { thought_signature: 'Z2Vt' } } }],
          images: [{ image_url: { url: 'data:image/png;base64,aGk=' } }],
          annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.example', title: 'A' } }],
        },
        logprobs: { content: [{ token: 'é', bytes: [195, 169] }] },
      },
    ],
  })
  const back = parse({ model: 'm', messages: [{ role: 'assistant', ...messageOf(whole(more, META)) }] })
  expect(back.messages[0]?.content).toMatchObject([
    { type: 'reasoning', text: 'Hm.', signature: 'tollgate/claude/c2ln' },
    { type: 'text', text: 'a' },
    { type: 'tool-call', signature: 'tollgate/gemini/Z2Vt' },
  ])
})

const messageOf = (body: unknown) => {
  const { choices } = fieldsOf(body)
  return fieldsOf(fieldsOf(Array.isArray(choices) ? choices[0] : undefined).message)
}

test('openai/chat: a failure in the middle is OpenAI’s error object', () => {
  const frame = stream(META).error(failureOf('server', 'Broken', { code: 'x' }))
  expect(frame).toBe('data: {"error":{"message":"Broken","type":"upstream_error","param":null,"code":"x"}}\n\n')
})
