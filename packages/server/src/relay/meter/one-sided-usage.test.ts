import { expect, setDefaultTimeout, test } from 'bun:test'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/* Vendors that report only one side of a chat. Every token costs 1; our own count of the prompt is between 2 and 12. */

const INPUT = 700
const OUTPUT = 90
/** Four bytes each, which count as one token. */
const WORDS = 400
const TEXT = ' sea'.repeat(WORDS)

type Side = 'input' | 'output'
/** How a vendor leaves a count out. */
const OMISSIONS = { missing: {}, zero: 0, null: null } as const
type Omission = keyof typeof OMISSIONS

const counts = (names: Record<Side, string>, side: Side, omission: Omission) => {
  const other = side === 'input' ? 'output' : 'input'
  return {
    [names[side]]: side === 'input' ? INPUT : OUTPUT,
    ...(omission === 'missing' ? {} : { [names[other]]: OMISSIONS[omission] }),
  }
}
const CHAT = { input: 'prompt_tokens', output: 'completion_tokens' }
const OTHERS = { input: 'input_tokens', output: 'output_tokens' }
const GOOGLE = { input: 'promptTokenCount', output: 'candidatesTokenCount' }

const whole = (path: string, side: Side, omission: Omission): object => {
  if (path.endsWith('/completions')) {
    const answer = path.endsWith('chat/completions')
      ? { message: { role: 'assistant', content: TEXT } }
      : { text: TEXT }
    return {
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm' },
      choices: [{ index: 0, ...answer, finish_reason: 'stop' }],
      usage: counts(CHAT, side, omission),
    }
  }
  if (path.endsWith('/responses')) {
    const content = [{ type: 'output_text', text: TEXT, annotations: [] }]
    return {
      ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status: 'completed' },
      output: [{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content }],
      usage: counts(OTHERS, side, omission),
    }
  }
  if (path.endsWith('/messages'))
    return {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'end_turn', stop_sequence: null },
      content: [{ type: 'text', text: TEXT }],
      usage: counts(OTHERS, side, omission),
    }
  return {
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: TEXT }] }, finishReason: 'STOP' }],
    usageMetadata: counts(GOOGLE, side, omission),
  }
}

const streamed = (path: string, side: Side, omission: Omission): object[] => {
  const body = Object(whole(path, side, omission))
  if (path.endsWith('/completions')) {
    const { usage, choices, ...rest } = body
    const [{ message, ...choice }] = choices
    const delta = message === undefined ? {} : { delta: message }
    return [
      { ...rest, choices: [{ ...choice, ...delta, finish_reason: null }] },
      { ...rest, choices: [{ index: 0, delta: {}, text: '', finish_reason: 'stop' }] },
      { ...rest, choices: [], usage },
    ]
  }
  if (path.endsWith('/responses')) {
    const place = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const [item] = body.output
    return [
      { type: 'response.created', response: { ...body, output: [], status: 'in_progress', usage: null } },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.output_text.delta', ...place, delta: TEXT },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: body },
    ]
  }
  if (path.endsWith('/messages')) {
    const { usage, ...message } = body
    return [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: TEXT } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
      { type: 'message_stop' },
    ]
  }
  return [body]
}

const frames = (path: string, events: readonly object[]) =>
  events
    .map((event) => `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    .join('') + (path.endsWith('/completions') ? 'data: [DONE]\n\n' : '')

const answerOf = (url: string, stream: boolean, side: Side, omission: Omission) => {
  const path = url.replace(/\?.*/, '')
  if (!stream) return Response.json(whole(path, side, omission))
  return new Response(frames(path, streamed(path, side, omission)), {
    headers: { 'content-type': 'text/event-stream' },
  })
}

const contents = [{ role: 'user', parts: [{ text: 'Hello there' }] }]
const SURFACES: [string, (stream: boolean) => string, object][] = [
  ['chat', () => '/v1/chat/completions', { model: 'm', messages: MESSAGES }],
  ['responses', () => '/v1/responses', { model: 'm', store: false, input: 'Hello there' }],
  ['messages', () => '/v1/messages', { model: 'm', max_tokens: 900, messages: MESSAGES }],
  [
    'gemini',
    (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents },
  ],
]
const VENDORS: [string, number][] = [
  ['OpenAI', 1],
  ['Anthropic', 14],
  ['Gemini', 24],
]
const COMPLETIONS = { surface: 'completions', vendor: 'OpenAI', type: 1, path: () => '/v1/completions' }
const CALLS = [
  ...SURFACES.flatMap(([surface, path, body]) =>
    VENDORS.map(([vendor, type]) => ({ surface, vendor, path, body, type })),
  ),
  { ...COMPLETIONS, body: { model: 'm', prompt: 'Hello there' } },
]
const MATRIX = CALLS.flatMap((call) => [false, true].map((stream) => ({ ...call, stream })))

test.each(MATRIX)(
  'a side of the usage that the vendor does not report is counted ($surface from $vendor, stream $stream)',
  async ({ surface, path, body, type, stream }) => {
    let reply: () => Response = () => Response.json({})
    let asked = ''
    const vendor = fakeVendor((request) => {
      asked = request.path
      return reply()
    })
    const options = { ModelRatio: '{"m":1}', CompletionRatio: '{"m":1}' }
    const { app, channel, post, logs } = await relayFixture({ options })
    await channel('m', { type, base_url: vendor.url, key: 'k' })
    for (const omission of ['missing', 'zero', 'null'] as const) {
      for (const side of ['input', 'output'] as const) {
        reply = () => answerOf(asked, stream, side, omission)
        const answer = await post(path(stream), surface === 'gemini' ? body : { ...body, stream })
        expect({ status: answer.status, has: (await answer.text()).includes(TEXT) }).toEqual({ status: 200, has: true })
        const last = (await logs()).at(-1)
        const [prompt, completion] = [Number(last?.prompt_tokens), Number(last?.completion_tokens)]
        const isPrompt = side === 'input' ? prompt === INPUT : prompt >= 2 && prompt <= 12
        const quota = prompt + completion
        expect({ omission, side, isPrompt, prompt, completion, ...last }).toMatchObject({
          ...{ omission, side, isPrompt: true, completion: side === 'input' ? WORDS : OUTPUT },
          ...{ quota, detail: { source: 'estimated' } },
        })
      }
    }
    expect(await app.audit()).toEqual([])
  },
)

const ARGUMENTS = { path: 'notes/sea.txt', text: TEXT }
/** By our count of the JSON of the arguments, escaped or not. */
const isArguments = (tokens: number) => tokens > WORDS && tokens < WORDS + 20

const calling: [string, string, number, object][] = [
  [
    'chat',
    '/v1/chat/completions',
    1,
    {
      ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage: { prompt_tokens: INPUT } },
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          message: {
            ...{ role: 'assistant', content: null },
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'write', arguments: JSON.stringify(ARGUMENTS) } },
            ],
          },
        },
      ],
    },
  ],
  [
    'messages',
    '/v1/messages',
    14,
    {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use', stop_sequence: null },
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'write', input: ARGUMENTS }],
      usage: { input_tokens: INPUT },
    },
  ],
  [
    'gemini',
    '/v1beta/models/m:generateContent',
    24,
    {
      candidates: [
        {
          ...{ index: 0, finishReason: 'STOP' },
          content: { role: 'model', parts: [{ functionCall: { name: 'write', args: ARGUMENTS } }] },
        },
      ],
      usageMetadata: { promptTokenCount: INPUT },
    },
  ],
]

test.each(calling)('the arguments of a tool count as output: %s', async (surface, path, type, reply) => {
  const vendor = fakeVendor(({ path: asked }) =>
    asked.includes('streamGenerate')
      ? new Response(frames(asked, [reply]), { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(reply),
  )
  const { app, channel, post, logs } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type, base_url: vendor.url, key: 'k' })
  const body = surface === 'gemini' ? { contents } : { model: 'm', max_tokens: 900, messages: MESSAGES }
  await (await post(path, body)).text()
  if (surface === 'gemini') await (await post('/v1beta/models/m:streamGenerateContent?alt=sse', body)).text()
  for (const { prompt_tokens, completion_tokens } of await logs()) {
    expect({ prompt_tokens, isArguments: isArguments(completion_tokens), completion_tokens }).toMatchObject({
      ...{ prompt_tokens: INPUT, isArguments: true },
    })
  }
  expect(await app.audit()).toEqual([])
})

test('reasoning that is reported without the text after it never counts less than was delivered', async () => {
  const usageMetadata = { promptTokenCount: INPUT, thoughtsTokenCount: 150 }
  const vendor = fakeVendor(() => Response.json({ ...whole('', 'input', 'missing'), usageMetadata }))
  const { channel, post, onlyLog } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type: 24, base_url: vendor.url, key: 'k' })
  await (await post('/v1beta/models/m:generateContent', { contents })).text()
  expect((await onlyLog()).detail.usage).toMatchObject({ input: INPUT, reasoning: 150, output: WORDS - 150 })
})

test('an answer without any text, and embeddings, cost what is reported', async () => {
  const vendor = fakeVendor(({ path }) =>
    path.endsWith('/embeddings')
      ? Response.json({ data: [{ index: 0, embedding: [0.1] }], model: 'm', usage: { prompt_tokens: INPUT } })
      : Response.json({
          ...{ id: 'c', object: 'chat.completion', created: 1, model: 'm', usage: { prompt_tokens: INPUT } },
          choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }],
        }),
  )
  const { channel, post, chat, logs } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type: 1, base_url: vendor.url, key: 'k' })
  await post('/v1/embeddings', { model: 'm', input: 'Hello there' })
  await chat('m')
  expect((await logs()).map(({ quota, detail }) => [quota, detail.source])).toEqual([
    [INPUT, 'reported'],
    [INPUT, 'reported'],
  ])
})

test('the words of a vendor’s filter are not output', async () => {
  const blocked = {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: TEXT },
    usageMetadata: { promptTokenCount: INPUT, totalTokenCount: INPUT },
  }
  const vendor = fakeVendor(({ path }) =>
    path.includes('streamGenerate')
      ? new Response(frames(path, [blocked]), { headers: { 'content-type': 'text/event-stream' } })
      : Response.json(blocked),
  )
  const { channel, chat, logs, app } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('m', { type: 24, base_url: vendor.url, key: 'k' })
  for (const stream of [false, true]) expect(await (await chat('m', { stream })).text()).toContain(TEXT)
  expect((await logs()).map(({ quota, detail }) => [quota, detail.source])).toEqual([
    [INPUT, 'reported'],
    [INPUT, 'reported'],
  ])
  expect(await app.audit()).toEqual([])
})
