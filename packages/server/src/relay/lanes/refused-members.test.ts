import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* What OpenAI's clients send today and a vendor of its dialect refuses, or ignores: the vendor gets what it knows. */

const ANSWER = {
  ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
}

const CHAT = {
  ...{ model: 'm', max_completion_tokens: 90, seed: 7, store: false, service_tier: 'auto', prompt_cache_key: 'k' },
  messages: [
    { role: 'developer', content: 'Be brief, "developer" or not.' },
    { role: 'user', content: 'Tides?' },
  ],
}
const RESPONSE = {
  ...{ model: 'm', max_output_tokens: 90, store: false, instructions: 'Be brief.' },
  input: [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Tides?' },
  ],
}

async function vendorOf(type: number, key = 'k', models = 'm') {
  const vendor = fakeVendor(() => Response.json(ANSWER))
  const fixture = await relayFixture()
  await fixture.channel(models, { type, base_url: vendor.url, key })
  const sent = async (path: string, body: object) => {
    expect((await fixture.post(path, body)).status).toBe(200)
    return Object(vendor.asked.at(-1)?.body)
  }
  return { ...fixture, sent }
}

const rolesOf = ({ messages }: { messages: { role: string }[] }) => messages.map(({ role }) => role)

const SYSTEM_ONLY: [string, number, string][] = [
  ['Zhipu', 16, 'id.secret'],
  ['Mistral', 28, 'k'],
  ['DeepSeek', 36, 'k'],
  ['Doubao', 40, 'k'],
  ['Bailian', 49, 'k'],
]

test.each(SYSTEM_ONLY)('%s knows no developers: their messages are the system’s', async (_, type, key) => {
  const { sent } = await vendorOf(type, key)
  const chat = await sent('/v1/chat/completions', CHAT)
  expect(rolesOf(chat)).toEqual(['system', 'user'])
  expect(chat.messages[0].content).toBe(CHAT.messages[0]?.content)
  if (type === 40) return
  expect(new Set(rolesOf(await sent('/v1/responses', RESPONSE)))).toEqual(new Set(['system', 'user']))
})

test('a vendor that knows all of it gets the caller’s own members', async () => {
  const { sent } = await vendorOf(1)
  expect(await sent('/v1/chat/completions', CHAT)).toEqual(CHAT)
})

test.each([
  ['DeepSeek', 36, { max_tokens: 90, seed: 7 }],
  ['Mistral', 28, { max_tokens: 90, random_seed: 7 }],
])('%s gets the limit of an answer under the name that it knows', async (_, type, expected) => {
  const { sent } = await vendorOf(type)
  const chat = await sent('/v1/chat/completions', CHAT)
  expect(chat).toMatchObject(expected)
  expect(chat).not.toContainKey('max_completion_tokens')
  // OpenAI's newer name counts where a caller uses both.
  expect(await sent('/v1/chat/completions', { ...CHAT, max_tokens: 10 })).toMatchObject({ max_tokens: 90 })
  expect(await sent('/v1/chat/completions', { ...CHAT, max_completion_tokens: null, max_tokens: 10 })).toMatchObject({
    max_tokens: 10,
  })
  expect(await sent('/v1/responses', RESPONSE)).toMatchObject({ max_tokens: 90 })
})

test('Mistral gets no member that it does not know, and the log names what was dropped', async () => {
  const { sent, onlyLog } = await vendorOf(28)
  const chat = await sent('/v1/chat/completions', { ...CHAT, user: 'ada', verbosity: 'low', safety_identifier: 's' })
  expect(Object.keys(chat).sort()).toEqual(['max_tokens', 'messages', 'model', 'random_seed'])
  const dropped = ['prompt_cache_key', 'safety_identifier', 'service_tier', 'store', 'user', 'verbosity']
  expect((await onlyLog()).detail.dropped_parameters?.toSorted()).toEqual(dropped)
})

test.each([
  ['chat', '/v1/chat/completions'],
  ['messages', '/v1/messages'],
])('Mistral gets documents under its own names: %s', async (surface, path) => {
  const { sent } = await vendorOf(28)
  const data = 'JVBERi0xLjQK'
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` } }
  const document = { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data } }
  const content = [{ type: 'text', text: 'Read' }, surface === 'chat' ? file : document]
  const { messages } = await sent(path, { model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] })
  expect(messages[0].content[1]).toEqual({
    ...{ type: 'document_url', document_url: `data:application/pdf;base64,${data}`, document_name: 'a.pdf' },
  })
})

const GROK: [string, boolean][] = [
  ['grok-3-mini', true],
  ['grok-4.3', true],
  ['grok-4.20-multi-agent-0309', true],
  ['grok-5', true],
  ['grok-3', false],
  ['grok-4', false],
  ['grok-4-fast-reasoning', false],
  ['grok-4-1-fast-reasoning', false],
  ['grok-4.20-0309-reasoning', false],
  ['grok-code-fast-1', false],
]

test('xAI gets no penalties of 0 or null, no empty stop, and an effort where the model has one', async () => {
  const vendor = fakeVendor(() => Response.json(ANSWER))
  const { channel, post } = await relayFixture()
  const names = Object.fromEntries(GROK.map(([model], index) => [`m${index}`, model]))
  const models = Object.keys(names).join()
  await channel(models, { type: 45, base_url: vendor.url, key: 'k', model_mapping: JSON.stringify(names) })
  const messages = [{ role: 'user', content: 'Tides?' }]
  for (const [index, [name, hasEffort]] of GROK.entries()) {
    const model = `m${index}`
    const chat = { model, messages, reasoning_effort: 'high', presence_penalty: 0, frequency_penalty: 0 }
    await post('/v1/chat/completions', { ...chat, presence_penalty: null, frequency_penalty: null, stop: null })
    await post('/v1/chat/completions', { ...chat, stop: [] })
    await post('/v1/messages', { model, max_tokens: 9, messages, output_config: { effort: 'high' } })
    for (const { body } of vendor.asked.slice(-3)) {
      const sent: object = Object(body)
      expect({ name, effort: 'reasoning_effort' in sent }).toEqual({ name, effort: hasEffort })
      expect(sent).not.toContainAnyKeys(['presence_penalty', 'frequency_penalty', 'stop'])
    }
  }
  await post('/v1/chat/completions', { model: 'm4', messages, presence_penalty: 0.5 })
  expect(vendor.asked.at(-1)?.body).toMatchObject({ model: 'grok-3', presence_penalty: 0.5 })
})

/** Kimi's models, whether their sampling is fixed, and how they think least. */
const KIMI: [string, boolean, object][] = [
  ['moonshot-v1-8k', false, { reasoning_effort: 'none' }],
  ['kimi-k2-turbo-preview', false, { reasoning_effort: 'none' }],
  ['kimi-k2.6', true, { thinking: { type: 'disabled' } }],
  ['kimi-k2.7-code', true, { reasoning_effort: 'none' }],
  ['kimi-k3', true, { reasoning_effort: 'low' }],
  ['kimi-k3.1-pro', true, { reasoning_effort: 'low' }],
]

test("Kimi's newer models get no sampling, which is fixed there, and always an effort that they know", async () => {
  const { sent } = await vendorOf(25, 'k', KIMI.map(([model]) => model).join())
  const messages = [{ role: 'user', content: 'Tides?' }]
  const sampling = { temperature: 0.2, top_p: 0.9 }
  for (const [model, isFixed, least] of KIMI) {
    const asked = { model, max_tokens: 9, messages, ...sampling }
    const chat = await sent('/v1/chat/completions', { ...asked, presence_penalty: 0.5, reasoning_effort: 'none' })
    expect(chat).toMatchObject({ model, ...least })
    for (const body of [chat, await sent('/v1/messages', asked)]) {
      if (isFixed) expect(body).not.toContainAnyKeys(['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'])
      else expect(body).toMatchObject(sampling)
    }
  }
})

test.each([
  ['Groq', 29, undefined],
  ['Cerebras', 54, 'The moon.'],
])('%s gets the reasoning of earlier turns as it takes it', async (_, type, reasoning) => {
  const { sent } = await vendorOf(type)
  const earlier = { role: 'assistant', content: 'Noon.', reasoning_content: 'The moon.' }
  const messages = [{ role: 'user', content: 'Tides?' }, earlier, { role: 'user', content: 'And then?' }]
  const chat = await sent('/v1/chat/completions', { model: 'm', messages })
  expect(chat.messages[1]).toEqual({ role: 'assistant', content: 'Noon.', ...(reasoning && { reasoning }) })
})

test.each([
  ['chat', '/v1/chat/completions'],
  ['messages', '/v1/messages'],
])('every answer in a conversation with DeepSeek has reasoning, or a blank for it: %s', async (surface, path) => {
  const { sent } = await vendorOf(36)
  const thought =
    surface === 'chat'
      ? { role: 'assistant', content: 'Noon.', reasoning_content: 'The moon.' }
      : {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'The moon.', signature: '' },
            { type: 'text', text: 'Noon.' },
          ],
        }
  const asked = (content: string) => ({ role: 'user', content })
  const messages = [asked('Tides?'), thought, asked('And?'), { role: 'assistant', content: 'Six.' }, asked('Then?')]
  const { messages: received } = await sent(path, { model: 'm', max_tokens: 9, messages })
  expect(received).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: 'Noon.', reasoning_content: 'The moon.' },
    { role: 'user' },
    { role: 'assistant', content: 'Six.', reasoning_content: ' ' },
    { role: 'user' },
  ])
})

test.each([
  ['chat', '/v1/chat/completions'],
  ['messages', '/v1/messages'],
])(
  'every call in a conversation with Moonshot has reasoning before it, or a blank for it: %s',
  async (surface, path) => {
    const { sent } = await vendorOf(25)
    const call = { id: 'c1', type: 'function', function: { name: 'tide', arguments: '{}' } }
    const turns =
      surface === 'chat'
        ? [
            { role: 'assistant', content: null, tool_calls: [call] },
            { role: 'tool', tool_call_id: 'c1', content: 'High' },
          ]
        : [
            { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'tide', input: {} }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'High' }] },
          ]
    const asked = (content: string) => ({ role: 'user', content })
    const messages = [asked('Tides?'), ...turns, { role: 'assistant', content: 'High.' }, asked('Then?')]
    const { messages: received } = await sent(path, { model: 'm', max_tokens: 9, messages })
    expect(received[1]).toMatchObject({ tool_calls: [{ id: 'c1' }], reasoning_content: ' ' })
    expect(received[3]).toEqual({ role: 'assistant', content: 'High.' })
  },
)

test('Groq takes no format beside tools: it becomes an instruction', async () => {
  const { sent } = await vendorOf(29)
  const tools = [{ type: 'function', function: { name: 'tide', parameters: { type: 'object', properties: {} } } }]
  const schema = { type: 'object', properties: { tide: { type: 'string' } } }
  const response_format = { type: 'json_schema', json_schema: { name: 'tide', schema } }
  const messages = [{ role: 'user', content: 'Tides?' }]
  const both = await sent('/v1/chat/completions', { model: 'm', messages, tools, response_format })
  expect(both).not.toHaveProperty('response_format')
  expect(both.messages).toEqual([
    { role: 'system', content: expect.stringContaining(JSON.stringify(schema)) },
    ...messages,
  ])
  const forced = await sent('/v1/chat/completions', {
    model: 'm',
    messages,
    tools,
    response_format,
    tool_choice: 'required',
  })
  expect(forced).toMatchObject({ messages, tool_choice: 'required' })
  expect(forced).not.toHaveProperty('response_format')
  const alone = await sent('/v1/chat/completions', { model: 'm', messages, response_format })
  expect(alone).toMatchObject({ messages, response_format })
})

test('Mistral gets the efforts that its models know, and no others', async () => {
  const { channel, post } = await relayFixture()
  const vendor = fakeVendor(() => Response.json(ANSWER))
  await channel('mistral-large-latest,mistral-small-latest', { type: 28, base_url: vendor.url })
  const messages = [{ role: 'user', content: 'Tides?' }]
  const sent = async (model: string, effort: string) => {
    await post('/v1/chat/completions', { model, messages, reasoning_effort: effort })
    return Object(vendor.asked.at(-1)?.body).reasoning_effort
  }
  expect(await sent('mistral-large-latest', 'high')).toBeUndefined()
  expect(await sent('mistral-small-latest', 'max')).toBe('high')
  expect(await sent('mistral-small-latest', 'low')).toBe('none')
})
