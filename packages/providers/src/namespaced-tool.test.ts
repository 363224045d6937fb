import { expect, test } from 'bun:test'
import { anthropic } from './anthropic/anthropic.ts'
import type { ChatPart } from './chat.ts'
import { deepseek } from './compatible/vendors.ts'
import { dialects } from './dialects.ts'
import { gemini } from './gemini/gemini.ts'
import { flatNames } from './namespaced-tool.ts'
import { encoded, failureFrom, offered } from './testing/vendor-kit.ts'

/* Tools in namespaces, as Codex offers its own and those of MCP servers, for vendors that only have functions. */

const schema = { type: 'object', properties: { port: { type: 'string' } } }
const tool = (name: string) => ({ type: 'function', name, description: `Does ${name}.`, parameters: schema })
const AGENTS = {
  type: 'namespace',
  name: 'multi_agent_v1',
  description: 'Helpers.',
  tools: [tool('spawn'), tool('wait')],
}
const HARBOUR = {
  type: 'namespace',
  name: 'mcp__harbour',
  tools: [tool('wait'), { type: 'custom', name: 'query', format: { type: 'text' } }],
}
const TOOLS = [tool('shell'), AGENTS, { type: 'web_search' }, HARBOUR]

const parse = (more: object) =>
  dialects.responses.parse({ model: 'm', input: 'Hi', tools: TOOLS, stream: false, ...more })
const meta = (request: ReturnType<typeof parse>) => ({ id: 'a', model: 'm', createdSec: 0, nowSec: () => 0, request })
const NAMES = ['shell', 'multi_agent_v1__spawn', 'multi_agent_v1__wait', 'mcp__harbour__wait', 'mcp__harbour__query']

const PARTS: ChatPart[] = [
  { type: 'start', id: 'x', model: 'm' },
  { type: 'tool-call', choice: 0, call: 0, id: 'c1', name: 'mcp__harbour__wait', arguments: '{"port":' },
  { type: 'tool-call', choice: 0, call: 1, id: 'c2', name: 'multi_agent_v1__wait', arguments: '{}' },
  { type: 'tool-call', choice: 0, call: 0, arguments: '"Brest"}' },
  { type: 'tool-call', choice: 0, call: 2, id: 'c3', name: 'shell', arguments: '{}' },
  { type: 'tool-call', choice: 0, call: 3, id: 'c4', name: 'mcp__harbour__query', arguments: '{"input":"free?"}' },
  { type: 'finish', choice: 0, reason: 'tool_calls' },
]
const CALLED = [
  { type: 'function_call', call_id: 'c1', namespace: 'mcp__harbour', name: 'wait', arguments: '{"port":"Brest"}' },
  { type: 'function_call', call_id: 'c2', namespace: 'multi_agent_v1', name: 'wait', arguments: '{}' },
  { type: 'function_call', call_id: 'c3', name: 'shell', arguments: '{}' },
  { type: 'custom_tool_call', call_id: 'c4', namespace: 'mcp__harbour', name: 'query', input: 'free?' },
]

function streamed(request: ReturnType<typeof parse>) {
  const { frame, end } = dialects.responses.stream(meta(request))
  const text = PARTS.map(frame).join('') + end()
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(({ 1: data = '' }) => JSON.parse(data))
}

test('tools in namespaces become functions with a single name at vendors without namespaces', async () => {
  expect(parse({}).tools?.map(({ name }) => name)).toEqual(NAMES)
  const claude = await encoded(offered(anthropic, 'chat'), parse({}))
  expect(claude.body.tools.map(({ name }: { name: string }) => name)).toEqual([...NAMES, 'web_search'])
  expect(claude.body.tools[1]).toMatchObject({ description: expect.stringContaining('Helpers.'), input_schema: schema })
  const google = await encoded(offered(gemini, 'chat'), parse({}))
  const declared = google.body.tools[0].functionDeclarations
  expect(declared.map(({ name }: { name: string }) => name)).toEqual(NAMES)
  const seek = await encoded(offered(deepseek, 'chat'), parse({}))
  expect(seek.body.tools.map((own: { function: { name: string } }) => own.function.name)).toEqual(NAMES)
})

test('a call gets its namespace back, whole and streamed, and the caller may send it back', () => {
  const request = parse({})
  const whole = Object(dialects.responses.whole(PARTS, meta(request)))
  expect(whole.output).toMatchObject(CALLED)
  expect('namespace' in whole.output[2]).toBe(false)
  expect(whole.tools).toMatchObject([tool('shell'), AGENTS, HARBOUR])

  const events = streamed(request)
  expect(events.at(-1).response.output).toMatchObject(CALLED)
  const added = events.filter(({ type }) => type === 'response.output_item.added').map(({ item }) => item)
  expect(added).toMatchObject(CALLED.map(({ namespace, name }) => (namespace ? { namespace, name } : { name })))
  const done = events.filter(({ type }) => type === 'response.function_call_arguments.done')
  expect(done.map(({ name }) => name)).toEqual(['wait', 'wait', 'shell'])

  const outputs = CALLED.map(({ type, call_id }) => ({ type: `${type}_output`, call_id, output: 'ok' }))
  const next = parse({ input: [{ role: 'user', content: 'Hi' }, ...whole.output, ...outputs] })
  expect(next.messages[1]?.content.map((part) => part.type === 'tool-call' && part.name)).toEqual([
    'mcp__harbour__wait',
    'multi_agent_v1__wait',
    'shell',
    'mcp__harbour__query',
  ])
  expect(next.messages.slice(2).map((message) => message.role === 'tool' && message.callId)).toEqual([
    'c1',
    'c2',
    'c3',
    'c4',
  ])
})

test('a choice of tools names them with their namespaces, or a whole namespace', () => {
  const chosen = parse({ tool_choice: { type: 'function', namespace: 'mcp__harbour', name: 'wait' } })
  expect(chosen.toolChoice).toEqual({ name: 'mcp__harbour__wait' })
  expect(Object(dialects.responses.whole(PARTS, meta(chosen))).tool_choice).toEqual({
    type: 'function',
    namespace: 'mcp__harbour',
    name: 'wait',
  })
  // A tool with this name exists.
  expect(parse({ tool_choice: { type: 'function', name: 'spawn' } }).toolChoice).toEqual({
    name: 'multi_agent_v1__spawn',
  })
  const tools = [
    { type: 'function', name: 'shell' },
    { type: 'function', namespace: 'mcp__harbour', name: 'wait' },
    { type: 'namespace', name: 'multi_agent_v1' },
  ]
  const allowed = parse({ tool_choice: { type: 'allowed_tools', mode: 'required', tools } })
  expect(allowed).toMatchObject({ toolChoice: 'required' })
  expect(allowed.tools?.map(({ name }) => name)).toEqual(NAMES.slice(0, 4))
})

test('names are valid, at most 64 characters long, different for different tools and the same in every turn', () => {
  const tools = [
    { name: 'a__b' },
    { namespace: 'a', name: 'b' },
    { namespace: 'a__', name: 'b' },
    { namespace: 'mcp__wetter.de', name: 'größe' },
    { namespace: 'mcp__wetter_de', name: 'gr__e' },
    { namespace: '9', name: 'x' },
    { namespace: 'n'.repeat(60), name: 'first' },
    { namespace: 'n'.repeat(60), name: 'second' },
  ]
  const names = tools.map(flatNames(tools))
  expect(names[0]).toBe('a__b')
  expect(new Set(names).size).toBe(tools.length)
  for (const name of names) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/)
  expect(tools.map(flatNames(tools))).toEqual(names)
  // A tool that is no longer offered keeps its name.
  expect(flatNames([])({ namespace: 'mcp__harbour', name: 'wait' })).toBe('mcp__harbour__wait')
})

test('tools that only OpenAI has are left out and reported, unless the call is useless without them', async () => {
  const kinds = ['web_search', 'image_generation', 'tool_search', 'something_new']
  const request = parse({ tools: [...kinds.map((type) => ({ type })), tool('shell')] })
  expect(request.tools?.map(({ name }) => name)).toEqual(['shell'])
  expect(request.droppedTools).toEqual(kinds)
  expect(parse({ tools: [tool('shell')] })).not.toHaveProperty('droppedTools')

  const refused = async (more: object) => {
    const { message, param } = await failureFrom(() => parse(more))
    return { message, param }
  }
  const sentence = (param: string, kind: string) => ({
    message: `Invalid '${param}': the tool '${kind}' can not be given to this channel's model`,
    param,
  })
  for (const type of ['file_search', 'mcp', 'code_interpreter', 'computer_use_preview']) {
    expect(await refused({ tools: [tool('shell'), { type }] })).toEqual(sentence('tools[1].type', type))
  }
  const search = { tools: [{ type: 'web_search' }] }
  expect(await refused({ ...search, tool_choice: 'required' })).toEqual(sentence('tool_choice', 'web_search'))
  expect(await refused({ tool_choice: { type: 'web_search' } })).toEqual(sentence('tool_choice', 'web_search'))
  const only = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'image_generation' }] }
  expect(await refused({ tool_choice: only })).toEqual(sentence('tool_choice', 'image_generation'))
  expect(await refused({ tools: ['shell'] })).toMatchObject({ message: expect.stringContaining('with a type') })
})
