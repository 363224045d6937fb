import { expect, test } from 'bun:test'
import type { ChatPart } from '../chat.ts'
import { dialects } from '../dialects.ts'
import { chatStreamDecoder, decodeChat } from './chat-decode.ts'

/* Callers and vendors that know functions, the predecessor of tools. */

const called = (name: string, args: object) => ({
  role: 'assistant',
  content: null,
  function_call: { name, arguments: JSON.stringify(args) },
})

const request = dialects['openai/chat'].parse({
  model: 'm',
  messages: [
    { role: 'user', content: 'Compare the tides.' },
    called('tide', { port: 'Brest' }),
    { role: 'function', name: 'tide', content: '5.1' },
    called('tide', { port: 'Cork' }),
    { role: 'function', name: 'tide', content: '3.2' },
  ],
  functions: [{ name: 'tide', parameters: { type: 'object', properties: { port: { type: 'string' } } } }],
  function_call: 'auto',
})

const meta = { id: 'a', model: 'm', createdSec: 0, nowSec: () => 0, request }

const chunksOf = (parts: readonly ChatPart[]) => {
  const stream = dialects['openai/chat'].stream(meta)
  return (parts.map(stream.frame).join('') + stream.end())
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice('data: '.length)).choices[0])
}

test('two calls of one function are two calls at vendors that know tools, each with its result', () => {
  const ids = request.messages.flatMap((message) => {
    if (message.role === 'tool') return [['result', message.callId]]
    return message.content.flatMap((part) => (part.type === 'tool-call' ? [['call', part.id]] : []))
  })
  const [first, second] = [ids[0]?.[1] ?? '', ids[2]?.[1] ?? '']
  expect(ids).toEqual([
    ['call', first],
    ['result', first],
    ['call', second],
    ['result', second],
  ])
  expect(first).not.toBe(second)
})

const call = (index: number, ...args: string[]): ChatPart[] =>
  ['', ...args].map((piece, place) => ({
    ...{ type: 'tool-call', choice: 0, call: index, arguments: piece },
    ...(place === 0 ? { id: `call_${index}`, name: 'tide' } : {}),
  }))

test.each([
  ['with arguments', ['{"port":', '"Cork"}'], '{"port":"Cork"}'],
  ['without arguments', [], '{}'],
])('a caller who knows functions gets the first call as one, whole and streamed: %s', (_, pieces, wanted) => {
  const parts: ChatPart[] = [
    ...call(0, ...pieces),
    ...call(1, '{"port":"Brest"}'),
    { type: 'finish', choice: 0, reason: 'tool_calls' },
  ]
  const [choice] = Object(dialects['openai/chat'].whole(parts, meta)).choices
  expect(choice).toMatchObject({
    message: { content: null, function_call: { name: 'tide', arguments: wanted } },
    finish_reason: 'function_call',
  })
  expect(choice.message).not.toHaveProperty('tool_calls')
  const chunks = chunksOf(parts)
  const deltas = chunks.flatMap(({ delta }) => delta.function_call ?? [])
  expect(deltas.map(({ name }) => name)).toEqual(['tide', ...deltas.slice(1).map(() => undefined)])
  expect(deltas.map(({ arguments: args }) => args).join('')).toBe(wanted)
  expect(chunks.some(({ delta }) => 'tool_calls' in delta)).toBe(false)
  expect(chunks.at(-1).finish_reason).toBe('function_call')
})

test('a vendor that answers with a function calls a tool, whole and streamed, in every API', () => {
  const wanted = [expect.objectContaining({ name: 'tide', arguments: '{"port":"Cork"}' })]
  const whole = decodeChat({
    id: 'v',
    choices: [{ message: called('tide', { port: 'Cork' }), finish_reason: 'function_call' }],
  })
  const decode = chatStreamDecoder()
  const deltas = [{ name: 'tide', arguments: '' }, { arguments: '{"port":' }, { arguments: '"Cork"}' }]
  const streamed = [
    ...deltas.map((function_call) => ({ delta: { content: null, function_call } })),
    { delta: {}, finish_reason: 'function_call' },
  ].flatMap((choice) => decode({ event: '', data: JSON.stringify({ id: 'v', choices: [{ index: 0, ...choice }] }) }))
  for (const parts of [whole, streamed]) {
    const { output } = Object(dialects.responses.whole(parts, meta))
    expect(output).toEqual(wanted)
    const { content, stop_reason } = Object(dialects['anthropic/messages'].whole(parts, meta))
    expect([content, stop_reason]).toMatchObject([
      [{ type: 'tool_use', name: 'tide', input: { port: 'Cork' } }],
      'tool_use',
    ])
  }
})
