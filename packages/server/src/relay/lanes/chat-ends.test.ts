import { expect, setDefaultTimeout, test } from 'bun:test'
import { FIRST } from '../../testing/clients/conversation.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { strictAnthropic } from '../../testing/vendors/strict-anthropic.ts'
import { strictGemini } from '../../testing/vendors/strict-gemini.ts'
import { strictMistral } from '../../testing/vendors/strict-mistral.ts'
import { strictOpenAi } from '../../testing/vendors/strict-openai.ts'
import { strictResponses } from '../../testing/vendors/strict-responses.ts'
import { sseOf, strictVendor } from '../../testing/vendors/strict-vendor.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

interface Call {
  index: number
  function: { name?: string; arguments: string }
}

interface Event {
  choices: { index: number; delta: { content?: string; tool_calls?: Call[] }; finish_reason: string | null }[]
  usage?: { prompt_tokens: number }
  x_groq?: { usage: object }
}

const CHATS = '/v1/chat/completions'
const TOOLS = ['weather', 'clock'].map((name) => ({ type: 'function', function: { name } }))
const body = (model: string) => ({ model, messages: [{ role: 'user', content: 'Tides?' }], tools: TOOLS, stream: true })

const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)))

const VENDORS = [strictOpenAi, strictAnthropic, strictGemini, strictResponses, strictMistral]

test.each(VENDORS)("$name: Mistral's library gets whole calls and the usage in the last event", async (vendor) => {
  const { channel, post, app } = await relayFixture()
  const { type, model } = vendor
  await channel(model, { type, base_url: strictVendor(vendor, [FIRST]).url })
  const headers = { 'user-agent': 'mistral-client-python/3.7.0' }
  const text = await (await post(CHATS, body(model), { headers })).text()
  const events = eventsOf(text)
  const last = events.at(-1)
  expect(events.filter(({ choices }) => choices.length === 0)).toEqual([])
  expect(events.map(({ choices: [choice] }) => choice?.delta.content ?? '').join('')).toBe(FIRST.text ?? '')
  expect(events.filter(({ choices: [choice] }) => choice?.delta.tool_calls !== undefined)).toHaveLength(1)
  const [ended] = last?.choices ?? []
  expect(ended?.finish_reason).toBe('tool_calls')
  const calls = ended?.delta.tool_calls ?? []
  expect(calls.map(({ index, function: { name, arguments: args } }) => [index, name, JSON.parse(args)])).toEqual(
    (FIRST.calls ?? []).map(({ name, args }, index) => [index, name, args]),
  )
  expect(last?.usage?.prompt_tokens).toBe(FIRST.usage.input)
  expect(events.filter((event) => 'usage' in event)).toHaveLength(1)
  expect(text).toEndWith('data: [DONE]\n\n')
  expect(await app.audit()).toEqual([])
})

test.each([
  [CHATS, 'Groq/Python 1.7.0'],
  [CHATS, 'AsyncGroq/Python 1.7.0'],
  [CHATS, 'ai-sdk-mistral/4.0.86 ai-sdk-provider-utils/5.0.81 node.js/v26'],
  ['/openai/v1/chat/completions', 'pydantic-ai/2.38.0'],
])('%s of %s has the usage in the last event, also where Groq has it', async (path, program) => {
  for (const vendor of VENDORS) {
    const { channel, post } = await relayFixture()
    const { type, model } = vendor
    await channel(model, { type, base_url: strictVendor(vendor, [FIRST]).url })
    const events = eventsOf(await (await post(path, body(model), { headers: { 'user-agent': program } })).text())
    const last = events.at(-1)
    expect(last?.choices.map(({ finish_reason }) => finish_reason)).toEqual(['tool_calls'])
    expect(last?.usage?.prompt_tokens).toBe(FIRST.usage.input)
    expect(last?.x_groq?.usage).toEqual(last?.usage ?? {})
    expect(events.filter((event) => 'usage' in event)).toHaveLength(1)
  }
})

test.each([
  [CHATS, 'OpenAI/Python 3.3.0', {}],
  ['/openai/v1/chat/completions', 'AsyncAzureOpenAI/Python 3.3.0', {}],
  [CHATS, 'Groq/Python 1.7.0', { stream_options: { include_usage: false } }],
])('%s of %s, which does not ask for the usage, has none: %j', async (path, program, options) => {
  const { channel, post } = await relayFixture()
  await channel(strictOpenAi.model, { type: strictOpenAi.type, base_url: strictVendor(strictOpenAi, [FIRST]).url })
  const sent = { ...body(strictOpenAi.model), ...options }
  const text = await (await post(path, sent, { headers: { 'user-agent': program } })).text()
  expect(text).not.toContain('usage')
  expect(eventsOf(text).at(-1)?.choices).toMatchObject([{ finish_reason: 'tool_calls' }])
})

test('what a vendor sends without usage or end mark is delivered, each choice with its own calls', async () => {
  const of = (index: number, delta: object, finish_reason: string | null = null) => ({
    ...{ id: 'two', object: 'chat.completion.chunk' },
    choices: [{ index, delta, finish_reason }],
  })
  const piece = (args: string, name?: string) => ({
    tool_calls: [{ index: 0, ...(name && { id: name, type: 'function' }), function: { name, arguments: args } }],
  })
  const answer = sseOf([
    of(0, { role: 'assistant', ...piece('{"a"', 'f') }),
    of(1, { role: 'assistant', ...piece('{"b"', 'g') }),
    of(1, { content: 'Both.', ...piece(':2}') }),
    of(0, piece(':1}')),
    of(0, {}, 'tool_calls'),
    of(1, {}, 'tool_calls'),
  ])
  const vendor = fakeVendor(() => new Response(answer.bytes, { headers: { 'content-type': answer.type } }))
  const { channel, post } = await relayFixture()
  await channel('two', { base_url: vendor.url })
  const headers = { 'user-agent': 'mistral-client-typescript/2.7.0' }
  const events = eventsOf(await (await post(CHATS, { ...body('two'), n: 2 }, { headers })).text())
  const shown = events.flatMap(({ choices }) => choices).filter(({ delta }) => delta.content ?? delta.tool_calls)
  expect(shown.map(({ index, delta }) => [index, delta.content ?? delta.tool_calls?.[0]?.function.arguments])).toEqual([
    [1, 'Both.'],
    [0, '{"a":1}'],
    [1, '{"b":2}'],
  ])
})
