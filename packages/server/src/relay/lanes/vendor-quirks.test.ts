import { expect, test } from 'bun:test'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

/* Deviations of OpenAI-compatible vendors from OpenAI, as the official client libraries see them. */

/** A gateway with a vendor that always answers this: a list is a stream. */
async function gatewayBefore(type: number, said: object) {
  const fixture = await relayFixture()
  const vendor = fakeVendor(() => {
    if (!Array.isArray(said)) return Response.json(said)
    const frames = said.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
    return new Response(`${frames}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  })
  await fixture.channel('a-model', { type, base_url: vendor.url })
  const { app, key } = fixture
  return {
    ...fixture,
    openai: new OpenAI({ baseURL: `${app.url}/v1`, apiKey: key, maxRetries: 0 }),
    anthropic: new Anthropic({ baseURL: app.url, apiKey: key, maxRetries: 0 }),
  }
}

const USER = [{ role: 'user' as const, content: 'hello' }]
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  id: 'c-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'a-model',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})

test('interleaved calls without indexes arrive complete, in the vendor’s dialect and in another', async () => {
  const { openai, anthropic, app } = await gatewayBefore(25, [
    chunk({
      role: 'assistant',
      tool_calls: [
        { id: 'tide_0', type: 'function', function: { name: 'tide', arguments: '' } },
        { id: 'clock_1', type: 'function', function: { name: 'clock', arguments: '' } },
      ],
    }),
    chunk({
      tool_calls: [{ function: { arguments: '{"port":"Brest"}' } }, { function: { arguments: '{"zone":"UTC"}' } }],
    }),
    chunk({}, 'tool_calls', { usage: { prompt_tokens: 61, completion_tokens: 25, total_tokens: 86 } }),
  ])
  const chat = await openai.chat.completions.stream({ model: 'a-model', messages: USER }).finalChatCompletion()
  expect(chat.choices[0]?.message.tool_calls).toMatchObject([
    { id: 'tide_0', function: { name: 'tide', arguments: '{"port":"Brest"}' } },
    { id: 'clock_1', function: { name: 'clock', arguments: '{"zone":"UTC"}' } },
  ])
  const message = await anthropic.messages.stream({ model: 'a-model', max_tokens: 100, messages: USER }).finalMessage()
  expect(message.content).toMatchObject([
    { type: 'tool_use', id: 'tide_0', name: 'tide', input: { port: 'Brest' } },
    { type: 'tool_use', id: 'clock_1', name: 'clock', input: { zone: 'UTC' } },
  ])
  expect(await app.audit()).toEqual([])
})

test.each([
  ['beside an empty list of choices', { choices: null, base_resp: { status_code: 1026, status_msg: 'Not this word' } }],
  [
    'inside a choice',
    {
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: '' },
          finish_reason: 'error',
          error: { code: 400, message: 'Not this word' },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 },
    },
  ],
])('an error with status 200 %s is a failed call, which costs nothing', async (_, said) => {
  const { openai, anthropic, charges } = await gatewayBefore(27, said)
  const plain = await openai.chat.completions.create({ model: 'a-model', messages: USER }).catch((error) => error)
  expect(plain).toMatchObject({ status: 400, message: expect.stringContaining('Not this word') })
  const crossed = await anthropic.messages
    .create({ model: 'a-model', max_tokens: 100, messages: USER })
    .catch((error) => error)
  expect(crossed).toMatchObject({ status: 400 })
  expect(await charges()).toEqual([])
})

test('a separate error object ends a stream as an error, also before any content', async () => {
  const { chat } = await gatewayBefore(59, [
    { object: 'error', message: 'Too long', type: 'BadRequestError', code: 400 },
  ])
  const answer = await chat('a-model', { stream: true })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('Too long') } })
})

test('a stream whose reports split the same tokens differently is charged once', async () => {
  const { post, onlyLog } = await gatewayBefore(44, [
    chunk({ role: 'assistant', content: 'Noon.' }, null, {
      usage: { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 },
    }),
    chunk({}, 'stop', {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 50,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 90 },
        completion_tokens_details: { reasoning_tokens: 40 },
      },
    }),
  ])
  const answer = await post('/v1/chat/completions', { model: 'a-model', messages: MESSAGES, stream: true })
  await answer.text()
  const { prompt_tokens, completion_tokens, detail } = await onlyLog()
  expect({ prompt_tokens, completion_tokens }).toEqual({ prompt_tokens: 100, completion_tokens: 50 })
  expect(detail.usage).toEqual({ input: 10, cachedInput: 90, output: 10, reasoning: 40 })
})

test('OpenAI’s client sees whether Mistral flagged anything', async () => {
  const { openai, onlyLog } = await gatewayBefore(28, {
    id: 'mod-1',
    model: 'a-model',
    usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 },
    results: [
      {
        categories: { violence_and_threats: true, pii: false },
        category_scores: { violence_and_threats: 0.9, pii: 0 },
      },
    ],
  })
  const { results } = await openai.moderations.create({ model: 'a-model', input: 'hello' })
  expect(results.map(({ flagged }) => flagged)).toEqual([true])
  expect((await onlyLog()).prompt_tokens).toBe(7)
})

test('OpenAI’s client finds the images that SiliconFlow returns in another field', async () => {
  const { openai } = await gatewayBefore(44, {
    images: [{ url: 'https://pictures.example/1.png' }],
    timings: { inference: 2.5 },
    seed: 7,
  })
  const { data } = await openai.images.generate({ model: 'a-model', prompt: 'a tide' })
  expect(data).toEqual([{ url: 'https://pictures.example/1.png' }])
})

test.each([
  ['never says who speaks', 50, [chunk({ content: 'Noon' }), chunk({ content: '.' }, 'stop')]],
  ['says it with an empty word', 27, [chunk({ role: '', content: 'Noon' }), chunk({ role: '', content: '.' }, 'stop')]],
])('a stream that %s is read by strict clients of its dialect', async (_, type, said) => {
  const { app, key, openai } = await gatewayBefore(type, said)
  const received = await openai.chat.completions.stream({ model: 'a-model', messages: USER }).finalChatCompletion()
  expect(received.choices[0]?.message).toMatchObject({ role: 'assistant', content: 'Noon.' })
  const model = createOpenAI({ baseURL: `${app.url}/v1`, apiKey: key }).chat('a-model')
  expect(await streamText({ model, prompt: 'hello' }).text).toBe('Noon.')
})

test('an error inside a chunk reaches every client, with the vendor’s own message', async () => {
  const error = { code: 502, message: 'The provider hung up', metadata: { provider_name: 'Harbour' } }
  const { app, key, openai, post } = await gatewayBefore(20, [
    chunk({ role: 'assistant', content: 'Noon' }),
    chunk({ content: '' }, 'error', { error }),
  ])
  const received = await openai.chat.completions
    .stream({ model: 'a-model', messages: USER })
    .finalChatCompletion()
    .catch((problem) => problem)
  expect(received.message).toContain('The provider hung up')
  const problems: unknown[] = []
  const model = createOpenAI({ baseURL: `${app.url}/v1`, apiKey: key }).chat('a-model')
  await streamText({ model, prompt: 'hello', onError: (problem) => void problems.push(problem) }).consumeStream()
  expect(JSON.stringify(problems)).toContain('The provider hung up')
  const raw = await post('/v1/chat/completions', { model: 'a-model', messages: MESSAGES, stream: true })
  expect(await raw.text()).toContain('"metadata":{"provider_name":"Harbour"}')
})

test('calls whose indexes do not start at 0 are read by OpenAI’s client', async () => {
  const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] })
  const { openai } = await gatewayBefore(8, [
    chunk({ role: 'assistant', content: null, tool_calls: [] }),
    call(1, { id: 'a', type: 'function', function: { name: 'tide', arguments: '' } }),
    call(1, { function: { arguments: '{"port":"Brest"}' } }),
    call(2, { id: 'b', type: 'function', function: { name: 'clock', arguments: '{}' } }),
    chunk({}, 'tool_calls'),
  ])
  const { choices } = await openai.chat.completions.stream({ model: 'a-model', messages: USER }).finalChatCompletion()
  expect(choices[0]?.message.tool_calls).toMatchObject([
    { id: 'a', function: { name: 'tide', arguments: '{"port":"Brest"}' } },
    { id: 'b', function: { name: 'clock', arguments: '{}' } },
  ])
})

const call = (index: number, more: object) => chunk({ tool_calls: [{ index, ...more }] })
const named = (id: string | undefined, name: string, args: string) => ({
  ...(id === undefined ? {} : { id }),
  ...{ type: 'function', function: { name, arguments: args } },
})

const CALLS: Record<string, { deltas: object[]; ids: string[] }> = {
  'all at index 0': {
    deltas: [
      call(0, named('a', 'tide', '')),
      call(0, { function: { arguments: '{"port":"Brest"}' } }),
      call(0, named('b', 'clock', '{"zone"')),
      call(0, { function: { arguments: ':"UTC"}' } }),
    ],
    ids: ['a', 'b'],
  },
  'all at index 0, with the id in every delta': {
    deltas: [
      call(0, named('a', 'tide', '{"port":')),
      call(0, named('a', 'tide', '"Brest"}')),
      call(0, named('b', 'clock', '{"zone":"UTC"}')),
    ],
    ids: ['a', 'b'],
  },
  'as OpenAI sends them, interleaved': {
    deltas: [
      call(0, named('a', 'tide', '{"port"')),
      call(1, named('b', 'clock', '{"zone"')),
      call(0, { function: { arguments: ':"Brest"}' } }),
      call(1, { function: { arguments: ':"UTC"}' } }),
    ],
    ids: ['a', 'b'],
  },
}

test.each(Object.entries(CALLS))('parallel calls stay apart for every client: %s', async (_, { deltas, ids }) => {
  for (const type of [8, 51]) {
    const { openai, anthropic } = await gatewayBefore(type, [
      chunk({ role: 'assistant', content: null }),
      ...deltas,
      chunk({}, 'tool_calls', { usage: { prompt_tokens: 61, completion_tokens: 25, total_tokens: 86 } }),
    ])
    const { choices } = await openai.chat.completions.stream({ model: 'a-model', messages: USER }).finalChatCompletion()
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { id: ids[0], function: { name: 'tide', arguments: '{"port":"Brest"}' } },
      { id: ids[1], function: { name: 'clock', arguments: '{"zone":"UTC"}' } },
    ])
    const message = await anthropic.messages
      .stream({ model: 'a-model', max_tokens: 100, messages: USER })
      .finalMessage()
    expect(message.content).toMatchObject([
      { type: 'tool_use', id: ids[0], name: 'tide', input: { port: 'Brest' } },
      { type: 'tool_use', id: ids[1], name: 'clock', input: { zone: 'UTC' } },
    ])
  }
})

test('a call whose id follows its name is one call', async () => {
  const { anthropic } = await gatewayBefore(8, [
    chunk({ role: 'assistant', content: null }),
    call(0, named(undefined, 'tide', '')),
    call(0, { id: 'a', function: { arguments: '{"port":"Brest"}' } }),
    chunk({}, 'tool_calls'),
  ])
  const message = await anthropic.messages.stream({ model: 'a-model', max_tokens: 100, messages: USER }).finalMessage()
  expect(message.content).toMatchObject([{ type: 'tool_use', name: 'tide', input: { port: 'Brest' } }])
})

test('Mistral’s thinking is sent back to it unchanged', async () => {
  const fixture = await relayFixture()
  const vendor = fakeVendor(() =>
    Response.json({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' } }] }),
  )
  await fixture.channel('a-model', { type: 28, base_url: vendor.url })
  const said = { role: 'assistant', content: 'Noon?', reasoning_content: 'Hm.' }
  const answer = await fixture.chat('a-model', { messages: [...USER, said, ...USER] })
  expect(answer.status).toBe(200)
  const thinking = [{ type: 'text', text: 'Hm.' }]
  expect(vendor.asked[0]?.body).toMatchObject({
    messages: [
      {},
      {
        content: [
          { type: 'thinking', thinking },
          { type: 'text', text: 'Noon?' },
        ],
      },
      {},
    ],
  })
})

/** Channel types whose vendor refuses fields of the dialect, with those fields. */
const REFUSING: [type: number, refused: string[]][] = [
  [1, ['top_k']],
  [3, ['top_k']],
  [28, ['top_k', 'user']],
  [29, ['top_k']],
  [45, ['top_k']],
]

test.each(REFUSING)(
  'fields that the vendor of type %p would refuse are left out in both lanes, and the log says so',
  async (type, refused) => {
    const fixture = await relayFixture()
    const vendor = fakeVendor(() =>
      Response.json({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' } }] }),
    )
    await fixture.channel('a-model', { type, base_url: vendor.url })
    const unsupported = { top_k: 40, user: 'ada' }
    await fixture.chat('a-model', { temperature: 0.5, ...unsupported })
    await fixture.post('/v1/messages', {
      ...{ model: 'a-model', max_tokens: 100, messages: MESSAGES, top_k: 40 },
      metadata: { user_id: 'ada' },
    })
    const kept = refused.includes('user') ? {} : { user: 'ada' }
    for (const { body } of vendor.asked) {
      expect(body).toMatchObject({ model: 'a-model', ...kept })
      for (const name of refused) expect(body).not.toHaveProperty(name)
    }
    expect(vendor.asked).toHaveLength(2)
    expect(vendor.asked[0]?.body).toMatchObject({ temperature: 0.5 })
    const marked = (await fixture.logs()).map(({ detail }) => detail.dropped_parameters)
    expect(marked).toEqual([refused, refused])
  },
)

test('a conversation started with another vendor continues at Mistral, with ids in its format', async () => {
  const fixture = await relayFixture()
  const vendor = fakeVendor(() =>
    Response.json({ id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' } }] }),
  )
  await fixture.channel('a-model', { type: 28, base_url: vendor.url })
  const call = { id: 'call_of_another_vendor', type: 'function', function: { name: 'clock', arguments: '{}' } }
  const called = { role: 'assistant', content: null, tool_calls: [call] }
  const result = { role: 'tool', tool_call_id: call.id, content: '12:00' }
  await fixture.chat('a-model', { messages: [...USER, called, result] })
  const sent = JSON.stringify(vendor.asked[0]?.body)
  const [id = '', ...others] = [...sent.matchAll(/"(?:id|tool_call_id)":"([a-zA-Z0-9]{9})"/g)].map(([, found]) => found)
  expect(others).toEqual([id])
  expect(JSON.parse(sent.replaceAll(id, call.id))).toEqual({ model: 'a-model', messages: [...USER, called, result] })
})
