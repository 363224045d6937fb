import { expect, test } from 'bun:test'
import { createOpenAI } from '@ai-sdk/openai'
import { anthropic } from '../anthropic/anthropic.ts'
import type { ChatMessage, ChatPart, ChatRequest } from '../chat.ts'
import { deepseek } from '../compatible/vendors.ts'
import { toolCallsOf } from '../content.ts'
import { dialects } from '../dialects.ts'
import { gemini } from '../gemini/gemini.ts'
import { encoded, failureFrom, offered } from '../testing/vendor-kit.ts'

/* Tools that OpenAI defines and the client runs, for vendors that only have functions. */

const SKILL = { name: 'tides', description: 'Reads tide tables.', path: '/skills/tides' }
const SHELL = { type: 'shell', environment: { type: 'local', skills: [SKILL] } }
const TOOLS = [SHELL, { type: 'local_shell' }, { type: 'apply_patch' }]
const NAMES = ['shell', 'local_shell', 'apply_patch']

const parse = (more: object) =>
  dialects.responses.parse({ model: 'm', input: 'Hi', tools: TOOLS, stream: false, ...more })
const meta = (request: ChatRequest) => ({ id: 'a', model: 'm', createdSec: 0, nowSec: () => 0, request })

const DIFF = '@@ def area():\n-  return "π"\n+  return 3.14'
const CALLS = [
  {
    args: { commands: ['ls -l', 'pwd'], timeout_ms: 2000 },
    item: {
      ...{ type: 'shell_call', call_id: 'c0', status: 'completed', environment: { type: 'local' } },
      action: { commands: ['ls -l', 'pwd'], timeout_ms: 2000, max_output_length: null },
    },
  },
  {
    args: { command: ['ls', '-l'], working_directory: '/quay' },
    item: {
      ...{ type: 'local_shell_call', call_id: 'c1', status: 'completed' },
      action: { type: 'exec', command: ['ls', '-l'], env: {}, working_directory: '/quay' },
    },
  },
  {
    args: { type: 'update_file', path: 'area.py', diff: DIFF },
    item: {
      ...{ type: 'apply_patch_call', call_id: 'c2', status: 'completed' },
      operation: { type: 'update_file', path: 'area.py', diff: DIFF },
    },
  },
  {
    args: { type: 'delete_file', path: 'old.py' },
    item: {
      ...{ type: 'apply_patch_call', call_id: 'c3', status: 'completed' },
      operation: { type: 'delete_file', path: 'old.py' },
    },
  },
]
const CALLED = ['shell', 'local_shell', 'apply_patch', 'apply_patch']

/** The calls as functions of another vendor, in pieces that split them anywhere. */
const partsOf = (calls: readonly { name: string; args: string }[], reason: 'tool_calls' | 'length'): ChatPart[] => [
  { type: 'start', id: 'x', model: 'm' },
  ...calls.flatMap(({ name, args }, call): ChatPart[] => [
    { type: 'tool-call', choice: 0, call, id: `c${call}`, name, arguments: '' },
    ...(args.match(/.{1,7}/gs) ?? []).map(
      (piece): ChatPart => ({
        ...{ type: 'tool-call', choice: 0, call },
        arguments: piece,
      }),
    ),
  ]),
  { type: 'finish', choice: 0, reason },
  { type: 'usage', usage: { input: 5, output: 7 } },
]
const PARTS = partsOf(
  CALLS.map(({ args }, index) => ({ name: CALLED[index] ?? '', args: JSON.stringify(args) })),
  'tool_calls',
)

function framesOf(parts: readonly ChatPart[], request: ChatRequest) {
  const { frame, end } = dialects.responses.stream(meta(request))
  return parts.map(frame).join('') + end()
}
const eventsIn = (frames: string) =>
  [...frames.matchAll(/^data: (\{.*)$/gm)].map(({ 1: data = '' }) => JSON.parse(data))

/** The AI SDK, in front of this answer. */
const answering = (parts: readonly ChatPart[], request: ChatRequest) => {
  const own = async (_: unknown, init?: RequestInit) =>
    JSON.parse(String(init?.body)).stream
      ? new Response(framesOf(parts, request), { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(dialects.responses.whole(parts, meta(request)))
  return { apiKey: 'sk', fetch: Object.assign(own, fetch) }
}

test('client tools become functions at other vendors, with the skills of the caller', async () => {
  const request = parse({})
  expect(request.tools?.map(({ name }) => name)).toEqual(NAMES)
  expect(request).not.toHaveProperty('droppedTools')
  expect(request).not.toHaveProperty('unread')
  const claude = await encoded(offered(anthropic, 'chat'), request)
  expect(claude.body.tools.map(({ name }: { name: string }) => name)).toEqual(NAMES)
  expect(claude.body.tools[0].description).toContain('- tides (/skills/tides): Reads tide tables.')
  expect(claude.body.tools[2].input_schema.properties.type.enum).toContain('delete_file')
  const google = await encoded(offered(gemini, 'chat'), request)
  const declared = google.body.tools[0].functionDeclarations
  expect(declared.map(({ name }: { name: string }) => name)).toEqual(NAMES)
  const seek = await encoded(offered(deepseek, 'chat'), request)
  expect(seek.body.tools.map((own: { function: { name: string } }) => own.function.name)).toEqual(NAMES)
})

test('calls of them are items of their own types, whole and streamed, and the answer shows the tools as they were', async () => {
  const request = parse({})
  const whole = Object(dialects.responses.whole(PARTS, meta(request)))
  expect(whole.output).toEqual(CALLS.map(({ item }) => ({ ...item, id: expect.any(String) })))
  expect(whole.tools).toEqual(TOOLS)

  const events = eventsIn(framesOf(PARTS, request))
  expect(events.at(-1).response.output).toEqual(whole.output)
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  expect(events.slice(2, -1).map(({ type, output_index }) => [type, output_index])).toEqual(
    CALLS.flatMap((_, index) => [
      ['response.output_item.added', index],
      ['response.output_item.done', index],
    ]),
  )
  expect(events.flatMap(({ type, item }) => (type === 'response.output_item.added' ? [item] : []))).toEqual(
    whole.output.map((item: object) => ({ ...item, status: 'in_progress' })),
  )
})

test('the AI SDK reads such calls, whole and streamed', async () => {
  const request = parse({})
  const sdk = createOpenAI(answering(PARTS, request))
  const tools = NAMES.map((name) => ({
    ...{ type: 'provider' as const, id: `openai.${name}` as const, name },
    args: {},
  }))
  const question = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }], tools }
  const { content } = await sdk.responses('gpt-5.1').doGenerate(question)
  const { stream } = await sdk.responses('gpt-5.1').doStream(question)
  const parts = []
  for await (const part of stream) parts.push(part)
  expect(parts.filter(({ type }) => type === 'error')).toEqual([])
  for (const read of [content, parts]) {
    const calls = read.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    expect(calls.map(({ toolName }) => toolName)).toEqual(CALLED)
    expect(calls.map(({ input }) => JSON.parse(input))).toMatchObject([
      { action: { commands: ['ls -l', 'pwd'] } },
      { action: { command: ['ls', '-l'] } },
      { operation: { path: 'area.py', diff: DIFF } },
      { operation: { type: 'delete_file' } },
    ])
  }
})

test('the calls and their results reach the vendor in the next turn as those of functions', async () => {
  const { output } = Object(dialects.responses.whole(PARTS, meta(parse({}))))
  const exit = (exit_code: number) => ({ type: 'exit', exit_code })
  const results = [
    {
      ...{ type: 'shell_call_output', call_id: 'c0', max_output_length: 4096 },
      output: [
        { stdout: 'total 0\n', stderr: '', outcome: exit(0) },
        { stdout: '', stderr: 'pwd: gone\n', outcome: exit(2) },
        { stdout: 'a', stderr: '', outcome: { type: 'timeout' } },
      ],
    },
    { type: 'local_shell_call_output', call_id: 'c1', output: '{"exit_code":0}' },
    { type: 'apply_patch_call_output', call_id: 'c2', status: 'failed', output: 'No such context' },
    { type: 'apply_patch_call_output', call_id: 'c3', status: 'completed' },
  ]
  const next = parse({ input: [{ role: 'user', content: 'Hi' }, ...output, ...results] })
  expect(next).not.toHaveProperty('unread')
  const [, calls] = next.messages
  expect(calls?.content).toMatchObject(CALLED.map((name, index) => ({ type: 'tool-call', id: `c${index}`, name })))
  expect(toolCallsOf(calls?.content ?? []).map((call) => JSON.parse(call.arguments))).toMatchObject(
    CALLS.map(({ args }) => args),
  )
  const said = (callId: string, text: string, more: { isError?: boolean } = {}): ChatMessage => ({
    ...{ role: 'tool', callId, content: [{ type: 'text', text }] },
    ...more,
  })
  expect(next.messages.slice(2)).toEqual([
    said('c0', 'total 0\n[exit code 0]\n\npwd: gone\n[exit code 2]\n\na\n[timed out]'),
    said('c1', '{"exit_code":0}'),
    said('c2', 'No such context', { isError: true }),
    said('c3', 'completed'),
  ])
  const { body } = await encoded(offered(anthropic, 'chat'), { ...next, maxTokens: 9 })
  expect(body.messages[2].content.map((part: { tool_use_id: string }) => part.tool_use_id)).toEqual(
    CALLS.map((_, index) => `c${index}`),
  )
})

test('a result may name its call by its id, as the documents of the local shell do', () => {
  const call = {
    type: 'local_shell_call',
    id: 'l',
    call_id: 'c',
    status: 'completed',
    action: { type: 'exec', command: [] },
  }
  const input = [call, { type: 'local_shell_call_output', id: 'c', output: 'done' }]
  expect(parse({ input }).messages[1]).toMatchObject({ role: 'tool', callId: 'c' })
})

test('a function of the same name keeps it, in every turn', () => {
  const own = { type: 'function', name: 'shell', parameters: { type: 'object', properties: {} } }
  const action = { commands: ['ls'] }
  const input = [
    { type: 'shell_call', call_id: 'c1', action },
    { type: 'function_call', call_id: 'c2', name: 'shell', arguments: '{}' },
  ]
  const request = parse({ tools: [SHELL, own], input })
  expect(request.tools?.map(({ name }) => name)).toEqual(['openai__shell', 'shell'])
  expect(request.messages[0]?.content).toMatchObject([{ name: 'openai__shell' }, { name: 'shell' }])
  const parts = partsOf(
    ['openai__shell', 'shell'].map((name) => ({ name, args: JSON.stringify(action) })),
    'tool_calls',
  )
  const items = [
    { type: 'shell_call', action },
    { type: 'function_call', name: 'shell' },
  ]
  expect(Object(dialects.responses.whole(parts, meta(request))).output).toMatchObject(items)
  expect(eventsIn(framesOf(parts, request)).at(-1).response.output).toMatchObject(items)
})

test('they may be chosen or allowed by their types, and the answer shows the choice', () => {
  const chosen = parse({ tool_choice: { type: 'apply_patch' } })
  expect(chosen.toolChoice).toEqual({ name: 'apply_patch' })
  expect(Object(dialects.responses.whole(PARTS, meta(chosen))).tool_choice).toEqual({ type: 'apply_patch' })
  const tools = [{ type: 'shell' }]
  const allowed = parse({ tool_choice: { type: 'allowed_tools', mode: 'required', tools } })
  expect(allowed).toMatchObject({ toolChoice: 'required', tools: [{ name: 'shell' }] })
  expect(allowed.tools).toHaveLength(1)
})

test.each(['container_auto', 'container_reference'])(
  'a shell in a container of OpenAI is refused: %s',
  async (type) => {
    const { message, param, status } = await failureFrom(() =>
      parse({ tools: [{ type: 'shell', environment: { type } }] }),
    )
    expect({ param, status }).toEqual({ param: 'tools[0].environment', status: 400 })
    expect(message).toContain('runs at OpenAI')
  },
)

test('a call that was cut off or can not be read runs nothing', () => {
  const cut = (name: string) => {
    const parts = partsOf([{ name, args: '{"commands":["rm -rf /","command":["rm"],"type":"delete_fi' }], 'length')
    const request = parse({})
    const [whole] = Object(dialects.responses.whole(parts, meta(request))).output
    expect(eventsIn(framesOf(parts, request)).at(-1).response.output).toEqual([whole])
    return whole
  }
  expect(cut('shell')).toMatchObject({ status: 'incomplete', action: { commands: [] } })
  expect(cut('local_shell')).toMatchObject({ status: 'incomplete', action: { command: [] } })
  expect(cut('apply_patch')).toMatchObject({
    status: 'in_progress',
    operation: { type: 'update_file', path: '', diff: '' },
  })
})

test('arguments that models write a little differently are understood', () => {
  const calls = [
    { name: 'shell', args: '{"commands":"ls -l","timeout_ms":"soon"}' },
    { name: 'local_shell', args: '{"command":"ls | wc","env":{"A":"1","B":2}}' },
    { name: 'apply_patch', args: '{"operation":{"type":"create_file","path":"a","diff":"+b"}}' },
  ]
  expect(Object(dialects.responses.whole(partsOf(calls, 'tool_calls'), meta(parse({})))).output).toMatchObject([
    { action: { commands: ['ls -l'], timeout_ms: null } },
    { action: { command: ['bash', '-lc', 'ls | wc'], env: { A: '1' } } },
    { operation: { type: 'create_file', path: 'a', diff: '+b' } },
  ])
})
