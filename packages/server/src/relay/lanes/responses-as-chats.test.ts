import { expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Servers with OpenAI's dialect at their own address, without its Responses. */

const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }
const choices = [{ index: 0, message: { role: 'assistant', content: 'By chat.' }, finish_reason: 'stop' }]

async function fixture(refusal: () => Response) {
  const own = await relayFixture()
  const vendor = fakeVendor(({ path }) =>
    path.endsWith('/chat/completions')
      ? Response.json({ id: 'c', object: 'chat.completion', choices, usage })
      : refusal(),
  )
  await own.channel('gpt-4o,gpt-4o-mini', { type: 1, base_url: vendor.url, key: 'k' })
  const openai = new OpenAI({ apiKey: own.key, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  return { ...own, openai, paths: () => vendor.asked.map(({ path }) => path) }
}

const REFUSALS: [string, () => Response][] = [
  ['a method that is not allowed', () => new Response('Method Not Allowed', { status: 405 })],
  ['a page that is not found', () => new Response('404 page not found', { status: 404 })],
  ['nothing found', () => Response.json({ detail: 'Not Found' }, { status: 404 })],
  ['a file that is not found', () => problem('File Not Found', { type: 'not_found_error', code: 404 })],
  ['a chat', () => Response.json({ id: 'c', object: 'chat.completion', choices, usage })],
  ['an unknown URL', () => problem('Unknown request URL: POST /v1/responses', { code: 'unknown_url' })],
]

const problem = (message: string, more: object = {}) =>
  Response.json({ error: { message, type: 'invalid_request_error', code: null, ...more } }, { status: 404 })

test.each(REFUSALS)(
  'a channel that answers Responses with %s is called with chats, and this is cached',
  async (_, refusal) => {
    const { openai, paths, app } = await fixture(refusal)
    for (const model of ['gpt-4o', 'gpt-4o', 'gpt-4o-mini']) {
      const answer = await openai.responses.create({ model, input: 'Hi' })
      expect(answer).toMatchObject({ output_text: 'By chat.', usage: { input_tokens: 5, output_tokens: 3 } })
    }
    const chat = '/v1/chat/completions'
    expect(paths()).toEqual(['/v1/responses', chat, chat, chat])
    expect(await app.audit()).toEqual([])
  },
)

test('a chat stream in place of a response is refused, and the call is made as a chat instead', async () => {
  const chunk = (delta: object, finish_reason: string | null, more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...more })}\n\n`
  const said = chunk({ role: 'assistant', content: 'By chat.' }, null) + chunk({}, 'stop', { usage })
  const own = await relayFixture()
  const vendor = fakeVendor(() => new Response(said, { headers: { 'content-type': 'text/event-stream' } }))
  await own.channel('gpt-4o', { type: 59, base_url: vendor.url })
  const openai = new OpenAI({ apiKey: own.key, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  const received = await openai.responses.stream({ model: 'gpt-4o', input: 'Hi' }).finalResponse()
  expect(received).toMatchObject({ output_text: 'By chat.', usage: { input_tokens: 5, output_tokens: 3 } })
  expect(await own.charges()).toHaveLength(1)
})

const ANSWERS: [string, () => Response][] = [
  ['the model', () => problem("The model 'gpt-4o' does not exist", { code: 'model_not_found' })],
  [
    'the model, in a form of its own',
    () => Response.json({ message: 'The model `x` does not exist.', code: 404 }, { status: 404 }),
  ],
  ['an item', () => problem("Item with id 'rs_1' not found.")],
]

test.each(ANSWERS)('a Responses vendor that does not find %s is trusted', async (_, refusal) => {
  const { openai, paths } = await fixture(refusal)
  const answer = await openai.responses.create({ model: 'gpt-4o', input: 'Hi' }).catch((error: unknown) => error)
  expect(answer).toBeInstanceOf(OpenAI.NotFoundError)
  expect(paths()).toEqual(['/v1/responses'])
})

const NAMESPACE = {
  ...{ type: 'namespace' as const, name: 'mcp__harbour', description: 'A harbour.' },
  tools: [{ type: 'function' as const, name: 'tide', parameters: { type: 'object', properties: {} }, strict: false }],
}
const calls = [{ id: 'call_1', type: 'function', function: { name: 'mcp__harbour__tide', arguments: '{}' } }]
const CALLED = { type: 'function_call', namespace: 'mcp__harbour', name: 'tide', call_id: 'call_1' }

/** How servers answer to a tool that they do not know: LM Studio, llama.cpp, xAI's and Rust's deserializers, Ollama. */
const UNKNOWN_TOOLS: [string, status: number, error: object][] = [
  ['names the member', 400, { message: 'Invalid', type: 'invalid_request_error', param: 'tools.8.type' }],
  ['says what a type must be', 400, { message: "'type' of tool must be 'function'", code: 400 }],
  ['has another list', 422, { message: 'tools[4]: unknown variant `namespace`, expected `function`' }],
  ['breaks', 500, { message: 'Failed to parse tools: Unsupported tool type: {}', code: 500 }],
]

async function strictServer(status: number, error: object) {
  const own = await relayFixture()
  const vendor = fakeVendor(({ path, body }) => {
    const isStrange = Object(body).tools?.some(({ type }: { type: string }) => type !== 'function')
    if (isStrange) return Response.json({ error }, { status })
    if (!path.endsWith('/chat/completions')) {
      return Response.json({
        id: 'r',
        object: 'response',
        status: 'completed',
        output: [],
        usage: { input_tokens: 5, output_tokens: 3 },
      })
    }
    const message = { role: 'assistant', content: null, tool_calls: calls }
    return Response.json({
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
      usage,
    })
  })
  await own.channel('m', { type: 1, base_url: vendor.url, key: 'k' })
  const openai = new OpenAI({ apiKey: own.key, baseURL: `${own.app.url}/v1`, maxRetries: 0 })
  return { ...own, openai, paths: () => vendor.asked.map(({ path }) => path) }
}

test.each(UNKNOWN_TOOLS)(
  'a server that %s gets an agent’s tools as functions, and this is cached',
  async (_, status, error) => {
    const { openai, paths, app, charges } = await strictServer(status, error)
    for (const tools of [[NAMESPACE], [NAMESPACE], []]) {
      const answer = await openai.responses.create({ model: 'm', input: 'Hi', store: false, tools })
      expect(answer.output).toMatchObject(tools.length === 0 ? [] : [CALLED])
    }
    const chat = '/v1/chat/completions'
    expect(paths()).toEqual(['/v1/responses', chat, chat, '/v1/responses'])
    expect(await charges()).toHaveLength(3)
    expect(await app.audit()).toEqual([])
  },
)

test('a server that refuses something else is trusted', async () => {
  const { openai, paths } = await strictServer(400, { message: 'Your input is too long', param: 'input' })
  const asked = openai.responses.create({ model: 'm', input: 'Hi', store: false, tools: [NAMESPACE] })
  expect(await asked.catch((error: unknown) => error)).toBeInstanceOf(OpenAI.BadRequestError)
  expect(paths()).toEqual(['/v1/responses'])
})
