import { expect, setDefaultTimeout, test } from 'bun:test'
import { amazonStream, packed } from '../../testing/amazon-stream.ts'
import { keyOfType } from '../../testing/channel-makers.ts'
import { eventStream, fakeVendor, type ReceivedRequest } from '../../testing/fake-vendor.ts'
import { MESSAGES, PLAIN_AND_STREAM, type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

/*
 * A vendor may refuse for content inside an answer with status 200. With a fallback for that, another model answers.
 */

const PRICE = 22
const ONE = { DefaultModelRatio: 1 }
const table = (to = ['fixed/12/10'], on = ['content_refused']) => ({
  ...ONE,
  ModelFallbacks: JSON.stringify({ m: { to, on } }),
})

const SURFACES: Record<string, (stream: boolean) => [path: string, body: object]> = {
  chat: (stream) => ['/v1/chat/completions', { model: 'm', messages: MESSAGES, max_tokens: 10, stream }],
  responses: (stream) => ['/v1/responses', { model: 'm', input: 'Hello there', max_output_tokens: 10, stream }],
  messages: (stream) => ['/v1/messages', { model: 'm', max_tokens: 10, messages: MESSAGES, stream }],
  contents: (stream) => [
    `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: [{ parts: [{ text: 'Hello there' }] }], generationConfig: { maxOutputTokens: 10 } },
  ],
}

/** Answers in the vendor's own dialect, given what it would be as a whole. */
type Refuse = (asked: ReceivedRequest) => Response

const isStreamed = ({ path, body }: ReceivedRequest) =>
  path.includes('stream') || (typeof body === 'object' && body !== null && 'stream' in body && body.stream === true)

const chat =
  (message: object, finish_reason: string): Refuse =>
  (asked) => {
    const common = { id: 'c1', created: 1, model: 'm' }
    const usage = { prompt_tokens: 9, completion_tokens: 0, total_tokens: 9 }
    if (!isStreamed(asked)) {
      const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }]
      return Response.json({ ...common, object: 'chat.completion', choices, usage })
    }
    const chunk = (choices: object[]) => ({ ...common, object: 'chat.completion.chunk', choices })
    return eventStream(
      { ...chunk([]), prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]),
      chunk([{ index: 0, delta: message, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason }]),
      { ...chunk([]), usage },
    )
  }

const response =
  (content: object[], incomplete?: string): Refuse =>
  (asked) => {
    const status = incomplete === undefined ? 'completed' : 'incomplete'
    const output = [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'secret' },
      { type: 'message', id: 'msg_1', role: 'assistant', status, content },
    ]
    const whole = {
      ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output },
      incomplete_details: incomplete === undefined ? null : { reason: incomplete },
      usage: { input_tokens: 9, output_tokens: 3, total_tokens: 12 },
    }
    if (!isStreamed(asked)) return Response.json(whole)
    return eventStream(
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
      { type: 'response.output_item.done', output_index: 0, item: output[0] },
      { type: 'response.output_item.added', output_index: 1, item: { ...output[1], content: [] } },
      ...content.map(() => ({ type: 'response.refusal.delta', output_index: 1, content_index: 0, delta: 'I cannot' })),
      { type: 'response.output_item.done', output_index: 1, item: output[1] },
      { type: `response.${status}`, response: whole },
    )
  }

/** Either, by its path. */
const openai =
  (asChat: Refuse, asResponse: Refuse): Refuse =>
  (asked) =>
    asked.path.includes('responses') ? asResponse(asked) : asChat(asked)

const claude: Refuse = (asked) => {
  const message = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
    ...{ stop_reason: 'refusal', stop_sequence: null, usage: { input_tokens: 9, output_tokens: 4 } },
    stop_details: { type: 'refusal', category: 'cyber', explanation: 'This request may enable attacks' },
  }
  if (!isStreamed(asked)) return Response.json(message)
  return eventStream(
    { type: 'message_start', message: { ...message, stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: 'ping' },
    {
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_sequence: null, stop_details: message.stop_details },
      usage: { output_tokens: 4 },
    },
    { type: 'message_stop' },
  )
}

const gemini =
  (piece: object): Refuse =>
  (asked) => {
    const body = { responseId: 'r1', modelVersion: 'm', ...piece, usageMetadata: { promptTokenCount: 9 } }
    return isStreamed(asked) ? eventStream(body) : Response.json(body)
  }
const ended = (finishReason: string) => gemini({ candidates: [{ index: 0, content: {}, finishReason }] })

const cohere: Refuse = (asked) => {
  const message = { role: 'assistant', content: [] }
  if (!isStreamed(asked)) return Response.json({ id: 'c', message, finish_reason: 'ERROR_TOXIC' })
  return eventStream(
    { type: 'message-start', id: 'c', delta: { message } },
    { type: 'message-end', delta: { finish_reason: 'ERROR_TOXIC' } },
  )
}

const USED_AT_AMAZON = { inputTokens: 9, outputTokens: 0, totalTokens: 9 }

const filtered = openai(chat({}, 'content_filter'), response([], 'content_filter'))
const refusing = openai(
  chat({ refusal: 'I cannot help with that' }, 'stop'),
  response([{ type: 'refusal', refusal: 'I cannot' }]),
)

const REFUSALS: [vendor: string, type: number, refuse: Refuse][] = [
  ['OpenAI, by its filter', 1, filtered],
  ['OpenAI, by the model', 1, refusing],
  ['a compatible vendor', 8, chat({}, 'content_filter')],
  ['Zhipu', 16, chat({}, 'sensitive')],
  ['Claude', 14, claude],
  ['Gemini, a blocked prompt', 24, gemini({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })],
  ...['SAFETY', 'BLOCKLIST', 'SPII', 'RECITATION'].map((reason): [string, number, Refuse] => [
    `Gemini, ${reason}`,
    24,
    ended(reason),
  ]),
  ['Cohere', 35, cohere],
]

const ask = ({ post }: Pick<RelayFixture, 'post'>, surface: string, stream: boolean, more: object = {}) => {
  const [path, body] = SURFACES[surface]?.(stream) ?? ['', {}]
  return post(path, { ...body, ...more })
}

const vendorOf = async (relay: RelayFixture, type: number, refuse: Refuse, model = 'm') => {
  const vendor = fakeVendor(refuse)
  const channel = await relay.channel(model, { type, base_url: vendor.url, key: keyOfType(type) })
  return { ...vendor, channel }
}

test.each(
  REFUSALS.flatMap(([vendor, type, refuse]) =>
    PLAIN_AND_STREAM.map(({ way, stream }) => ({ vendor, way, type, refuse, stream })),
  ),
)('what $vendor refuses is answered by the other model on every surface: $way', async ({ type, refuse, stream }) => {
  const relay = await relayFixture({ options: table() })
  const { asked } = await vendorOf(relay, type, refuse)
  await relay.channel('fixed/12/10')
  const surfaces = Object.keys(SURFACES)
  for (const surface of surfaces) {
    const answer = await ask(relay, surface, stream)
    const text = await answer.text()
    expect([surface, answer.status, answer.headers.get('x-tollgate-model')]).toEqual([surface, 200, 'fixed/12/10'])
    expect(text).not.toMatch(/content_filter|"refusal"\s*:\s*"|stop_reason":"refusal|SAFETY|sensitive/)
  }
  expect(asked).toHaveLength(surfaces.length)
  const calls = surfaces.length
  expect(await relay.account()).toMatchObject({ held: 0, used_quota: calls * PRICE, request_count: calls })
  expect(await relay.charges()).toHaveLength(calls)
  const [refused, answered] = await relay.logs()
  expect(refused).toMatchObject({ model_name: 'm', quota: 0, detail: { attempts: [{ status: 400 }] } })
  expect(JSON.stringify(refused?.detail.attempts)).toContain('The upstream refused this content')
  expect(answered).toMatchObject({ model_name: 'fixed/12/10', quota: PRICE, detail: { requested_model: 'm' } })
  expect([await relay.openHolds(), await relay.app.audit()]).toEqual([[], []])
})

test.each(PLAIN_AND_STREAM)(
  'without such a fallback a refusal is an answer like any other: $way',
  async ({ stream }) => {
    const relay = await relayFixture({ options: table(['fixed/12/10'], ['upstream_error', 'too_long']) })
    const { asked } = await vendorOf(relay, 14, claude)
    await relay.channel('fixed/12/10')
    for (const surface of Object.keys(SURFACES)) {
      const answer = await ask(relay, surface, stream)
      await answer.text()
      expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, null])
    }
    expect(asked).toHaveLength(4)
    // Nine tokens in and four out.
    expect(await relay.account()).toMatchObject({ held: 0, used_quota: 4 * 13, request_count: 4 })
  },
)

const AMAZON: [answer: string, model: string, refuse: Refuse][] = [
  ...['content_filtered', 'guardrail_intervened'].map((stopReason): [string, string, Refuse] => [
    stopReason,
    'amazon.nova-pro-v1:0',
    ({ path }) =>
      path.endsWith('stream')
        ? amazonStream([
            packed('messageStart', { role: 'assistant' }),
            packed('messageStop', { stopReason }),
            packed('metadata', { usage: USED_AT_AMAZON }),
          ])
        : Response.json({ output: { message: { role: 'assistant', content: [] } }, stopReason, usage: USED_AT_AMAZON }),
  ]),
  ...[true, false].map((isOne): [string, string, Refuse] => [
    `the words of a guardrail, ${isOne ? 'in one packet with' : 'before'} the end of the stream`,
    'amazon.nova-pro-v1:0',
    ({ path }) => {
      const text = 'Sorry, the model cannot answer this question.'
      const stopReason = 'guardrail_intervened'
      if (!path.endsWith('stream'))
        return Response.json({
          output: { message: { role: 'assistant', content: [{ text }] } },
          ...{ stopReason, usage: USED_AT_AMAZON },
        })
      const written = [
        packed('messageStart', { role: 'assistant' }),
        packed('contentBlockDelta', { contentBlockIndex: 0, delta: { text } }),
      ]
      const end = [
        packed('contentBlockStop', { contentBlockIndex: 0 }),
        packed('messageStop', { stopReason }),
        packed('metadata', { usage: USED_AT_AMAZON }),
      ]
      return isOne ? amazonStream([...written, ...end]) : amazonStream(written, end)
    },
  ]),
  [
    'the refusal of Claude',
    'us.anthropic.claude-opus-4-5-20251101-v1:0',
    ({ path }) => {
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null }
      const usage = { input_tokens: 9, output_tokens: 1 }
      if (path.endsWith('/invoke')) return Response.json({ ...message, stop_reason: 'refusal', usage })
      if (path.endsWith('/converse'))
        return Response.json({
          ...{ output: { message: { role: 'assistant', content: [] } }, stopReason: 'content_filtered' },
          usage: USED_AT_AMAZON,
        })
      if (path.endsWith('/converse-stream'))
        return amazonStream([
          packed('messageStart', { role: 'assistant' }),
          packed('messageStop', { stopReason: 'content_filtered' }),
        ])
      const chunk = (each: object) => packed('chunk', { bytes: Buffer.from(JSON.stringify(each)).toString('base64') })
      return amazonStream(
        [
          { type: 'message_start', message: { ...message, usage } },
          { type: 'message_delta', delta: { stop_reason: 'refusal' }, usage: { output_tokens: 1 } },
          { type: 'message_stop' },
        ].map(chunk),
      )
    },
  ],
]

test.each(
  AMAZON.flatMap(([answer, model, refuse]) =>
    PLAIN_AND_STREAM.map(({ way, stream }) => ({ answer, way, model, refuse, stream })),
  ),
)('on Bedrock $answer is answered by the other model: $way', async ({ model, refuse, stream }) => {
  const relay = await relayFixture({ options: table() })
  const { url, asked } = fakeVendor(refuse)
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  const model_mapping = JSON.stringify({ m: model })
  await relay.channel('m', { type: 33, base_url: url, key: '', config, model_mapping })
  await relay.channel('fixed/12/10')
  for (const surface of ['chat', 'messages', 'contents']) {
    const answer = await ask(relay, surface, stream)
    await answer.text()
    expect([surface, answer.status, answer.headers.get('x-tollgate-model')]).toEqual([surface, 200, 'fixed/12/10'])
  }
  expect(asked).toHaveLength(3)
  expect(await relay.account()).toMatchObject({ held: 0, used_quota: 3 * PRICE, request_count: 3 })
})

test('on Bedrock the first words of a model that pauses are sent before it goes on', async () => {
  const relay = await relayFixture({ options: table() })
  const received = Promise.withResolvers<void>()
  const word = (text: string) => packed('contentBlockDelta', { contentBlockIndex: 0, delta: { text } })
  const { url } = fakeVendor(() => {
    async function* packets() {
      yield Buffer.concat([packed('messageStart', { role: 'assistant' }), word('Well')])
      await received.promise
      yield Buffer.concat([word(', yes'), packed('messageStop', { stopReason: 'end_turn' })])
      yield packed('metadata', { usage: USED_AT_AMAZON })
    }
    return new Response(packets() as unknown as BodyInit, {
      headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    })
  })
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"shh"}'
  const model_mapping = '{"m":"amazon.nova-pro-v1:0"}'
  await relay.channel('m', { type: 33, base_url: url, key: '', config, model_mapping })
  await relay.channel('fixed/12/10')
  let text = ''
  for await (const bytes of (await ask(relay, 'chat', true)).body ?? []) {
    text += new TextDecoder().decode(bytes)
    if (text.includes('Well')) received.resolve()
  }
  expect(text).toContain(', yes')
})

const encoder = new TextEncoder()
const event = (body: object) => encoder.encode(`data: ${JSON.stringify(body)}\n\n`)
const delta = (fields: object, finish_reason: string | null = null) =>
  event({
    id: 'c1',
    object: 'chat.completion.chunk',
    model: 'm',
    choices: [{ index: 0, delta: fields, finish_reason }],
  })

/** Sends the first events, and the others when the test says so. */
const stalling = (first: readonly Uint8Array[], then: readonly Uint8Array[]) => {
  const { promise: continued, resolve: proceed } = Promise.withResolvers<void>()
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const refuse: Refuse = () => {
    const body = new ReadableStream({
      start: (controller) => first.forEach((each) => void controller.enqueue(each)),
      async pull(controller) {
        await continued
        for (const each of then) controller.enqueue(each)
        controller.close()
      },
      cancel: () => leave(),
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  return { refuse, proceed, left }
}

const FILTERED = [delta({}, 'content_filter'), encoder.encode('data: [DONE]\n\n')]

test.each(['chat', 'messages'])('once something was sent, the refusal belongs to the answer: %s', async (surface) => {
  for (const output of [{ content: 'Well, ' }, { reasoning_content: 'Hmm' }]) {
    const relay = await relayFixture({ options: table() })
    const { refuse, proceed } = stalling([delta({ role: 'assistant', content: '' }), delta(output)], FILTERED)
    await vendorOf(relay, 8, refuse)
    await relay.channel('fixed/12/10')
    // The vendor goes on only when the answer has begun.
    const answer = await ask(relay, surface, true)
    proceed()
    expect(await answer.text()).toMatch(/content_filter|"stop_reason":"refusal"/)
    expect(answer.headers.get('x-tollgate-model')).toBeNull()
    expect(relay.upstream.journal).toEqual([])
    expect(await relay.openHolds()).toEqual([])
  }
})

test('without such a fallback the first event of a stream is not held back', async () => {
  const relay = await relayFixture({ options: ONE })
  const { refuse, proceed } = stalling([delta({ role: 'assistant', content: '' })], FILTERED)
  await vendorOf(relay, 8, refuse)
  const answer = await ask(relay, 'chat', true)
  const reader = answer.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('assistant')
  proceed()
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read());
})

test.each(['chat', 'responses'])('a stream that stays without output begins after a while: %s', async (surface) => {
  const relay = await relayFixture({ options: table() })
  const first = [delta({ role: 'assistant', content: '' })]
  const said = [delta({ content: 'Done' }), delta({}, 'stop'), encoder.encode('data: [DONE]\n\n')]
  const { refuse, proceed } = stalling(first, said)
  await vendorOf(relay, 8, refuse)
  await relay.channel('fixed/12/10')
  const answer = await ask(relay, surface, true)
  proceed()
  expect(await answer.text()).toContain('Done')
  expect(answer.headers.get('x-tollgate-model')).toBeNull()
  expect(await relay.openHolds()).toEqual([])
})

test.each(['chat', 'messages'])('a client that leaves before any output pays nothing: %s', async (surface) => {
  const relay = await relayFixture({ options: table() })
  const { refuse, left } = stalling([delta({ role: 'assistant', content: '' })], FILTERED)
  const { received } = await vendorOf(relay, 8, refuse)
  await relay.channel('fixed/12/10')
  const [path, body] = SURFACES[surface]?.(true) ?? ['', {}]
  const caller = new AbortController()
  const answer = relay.post(path, body, { signal: caller.signal }).catch(() => undefined)
  await received('POST', '/v1/chat/completions')
  caller.abort()
  await Promise.all([answer, left])
  await relay.atRest()
  expect(relay.upstream.journal).toEqual([])
  expect(await relay.account()).toMatchObject({ held: 0, used_quota: 0 })
  expect(await relay.app.audit()).toEqual([])
})

test('an answer of which a part was written before it was refused is replaced as long as none of it was sent', async () => {
  const relay = await relayFixture({ options: table() })
  await vendorOf(relay, 8, chat({ content: 'Well, first you' }, 'content_filter'))
  await relay.channel('fixed/12/10')
  const answer = await ask(relay, 'chat', false)
  expect(await answer.text()).not.toContain('Well')
  expect(answer.headers.get('x-tollgate-model')).toBe('fixed/12/10')
})

test.each(PLAIN_AND_STREAM)('of several choices all have to be refused: $way', async ({ stream }) => {
  const relay = await relayFixture({ options: table() })
  const choice = (index: number, finish_reason: string, content: string) =>
    stream ? { index, delta: { content }, finish_reason } : { index, message: { content }, finish_reason }
  const answerWith = (...choices: object[]) => {
    const body = { id: 'c1', model: 'm', choices }
    return stream ? eventStream(...choices.map((one) => ({ ...body, choices: [one] }))) : Response.json(body)
  }
  const refused = choice(0, 'content_filter', '')
  const answers = [
    answerWith(refused, choice(1, 'stop', 'Gladly')),
    answerWith(refused, choice(1, 'content_filter', '')),
  ]
  await vendorOf(relay, 8, () => answers.shift() ?? new Response())
  await relay.channel('fixed/12/10')
  const models = []
  for (const _ of [1, 2]) {
    const answer = await ask(relay, 'chat', stream, { n: 2 })
    await answer.text()
    models.push(answer.headers.get('x-tollgate-model'))
  }
  expect(models).toEqual([null, 'fixed/12/10'])
})

test.each(PLAIN_AND_STREAM)(
  'if every model refuses, the refusal of the last one is the answer: $way',
  async ({ stream }) => {
    const relay = await relayFixture({ options: table(['m2', 'm3']) })
    for (const model of ['m', 'm2', 'm3']) await vendorOf(relay, 14, claude, model)
    const answer = await ask(relay, 'messages', stream)
    expect(await answer.text()).toContain('"stop_reason":"refusal"')
    expect([answer.status, answer.headers.get('x-tollgate-model')]).toEqual([200, 'm3'])
    expect(await relay.account()).toMatchObject({ held: 0, used_quota: 13, request_count: 1 })
    expect((await relay.logs()).map(({ model_name, quota }) => [model_name, quota])).toEqual([
      ['m', 0],
      ['m2', 0],
      ['m3', 13],
    ])
    expect(await relay.app.audit()).toEqual([])
  },
)

test.each(PLAIN_AND_STREAM)(
  'if the other model fails, the caller learns that the content was refused: $way',
  async ({ stream }) => {
    const relay = await relayFixture({ options: { ...table(['fault/server']), RetryTimes: 0 } })
    await vendorOf(relay, 14, claude)
    await relay.channel('fault/server')
    const answer = await ask(relay, 'chat', stream)
    expect(answer.status).toBe(400)
    expect((await answer.json()).error).toMatchObject({
      code: 'content_filter',
      message: expect.stringContaining('This request may enable attacks'),
    })
    expect(await relay.account()).toMatchObject({ held: 0, used_quota: 0 })
    expect([await relay.openHolds(), await relay.app.audit()]).toEqual([[], []])
  },
)

test('old completions are refused by their finish reason too', async () => {
  const relay = await relayFixture({ options: table(['m2']) })
  const answerWith =
    (text: string, finish_reason: string): Refuse =>
    (asked) => {
      const body = { id: 'c1', object: 'text_completion', model: 'm', choices: [{ index: 0, text, finish_reason }] }
      return isStreamed(asked) ? eventStream(body) : Response.json(body)
    }
  await vendorOf(relay, 1, answerWith('', 'content_filter'))
  await vendorOf(relay, 1, answerWith('Fine', 'stop'), 'm2')
  for (const stream of [false, true]) {
    const answer = await relay.post('/v1/completions', { model: 'm', prompt: 'Hello', stream })
    expect(await answer.text()).toContain('Fine')
    expect(answer.headers.get('x-tollgate-model')).toBe('m2')
  }
})

test('refusals say nothing about the channel', async () => {
  const relay = await relayFixture({ options: { ...table(), AutomaticDisableChannelEnabled: true } })
  const { channel } = await vendorOf(relay, 14, claude)
  await relay.channel('fixed/12/10')
  for (let call = 0; call < 12; call++) await (await ask(relay, 'chat', call % 2 === 0)).text()
  const { data } = await relay.root.get('/api/channel/attention')
  expect(JSON.stringify(data.channels)).not.toContain('failing')
  const stored = await relay.app.db.selectFrom('channels').select('status').where('id', '=', channel.id).execute()
  expect(stored).toEqual([{ status: 1 }])
})
