import { expect, test } from 'bun:test'
import { collect, toolCalls } from './collect.ts'
import { providerOf } from './registry.ts'
import { decodeStream, offered } from './testing/vendor-kit.ts'

/* Hosts of gpt-oss leave its marks in the names of tools. */

const NAME = 'tide<|channel|>commentary'
const args = '{"port":"Kiel"}'
const event = (body: object, name = '') => ({ event: name, data: JSON.stringify(body) })

const chatCall = { index: 0, id: 'c1', type: 'function', function: { name: NAME, arguments: args } }
const item = { type: 'function_call', id: 'fc', call_id: 'c1', name: NAME, arguments: args }
const toolUse = { toolUseId: 'c1', name: NAME }

const HOSTS: [type: number, whole: object, stream: { event: string; data: string }[]][] = [
  [
    8,
    { choices: [{ message: { tool_calls: [chatCall] }, finish_reason: 'tool_calls' }] },
    [event({ choices: [{ index: 0, delta: { tool_calls: [chatCall] }, finish_reason: 'tool_calls' }] })],
  ],
  [
    33,
    {
      output: { message: { content: [{ toolUse: { ...toolUse, input: { port: 'Kiel' } } }] } },
      stopReason: 'tool_use',
    },
    [
      event({ contentBlockIndex: 0, start: { toolUse } }, 'contentBlockStart'),
      event({ contentBlockIndex: 0, delta: { toolUse: { input: args } } }, 'contentBlockDelta'),
      event({ stopReason: 'tool_use' }, 'messageStop'),
    ],
  ],
  [
    30,
    { message: { tool_calls: [{ function: { name: NAME, arguments: { port: 'Kiel' } } }] }, done: true },
    [event({ message: { tool_calls: [{ function: { name: NAME, arguments: { port: 'Kiel' } } }] }, done: true })],
  ],
  [
    1,
    { id: 'r', object: 'response', status: 'completed', output: [item] },
    [
      event({ type: 'response.created', response: { id: 'r' } }),
      event({ type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } }),
      event({ type: 'response.function_call_arguments.delta', output_index: 0, delta: args }),
      event({ type: 'response.completed', response: {} }),
    ],
  ],
]

test.each(HOSTS)('a tool has the name that it was offered with (type %d)', (type, whole, stream) => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`No provider ${type}`)
  const chat = offered(provider, 'chat')
  for (const parts of [chat.decode(whole), decodeStream(chat, stream)]) {
    const [choice] = collect(parts).choices
    if (choice === undefined) throw new Error('No choice')
    expect(toolCalls(choice)).toMatchObject([{ name: 'tide', arguments: args }])
  }
})
