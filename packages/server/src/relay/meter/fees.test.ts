import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { setOptions } from '../../testing/makers.ts'
import { MESSAGES, PLAIN_AND_STREAM, readded, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/*
 * What vendors charge besides tokens. Sonar costs 0.5 a token and 2500 a request with low search context; a web search costs 5000 with
 * Anthropic and OpenAI, and a search in OpenAI's files 1250. Google charges 17500 for a call that searches, and from Gemini 3 on 7000
 * for each query; xAI 2500 a search.
 */
const SONAR_USAGE = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30, search_context_size: 'low' }
const SONAR_COST = 30 * 0.5 + 2500

const sonarVendor = () =>
  fakeVendor(({ body }) => {
    const id = { id: 'c', object: 'chat.completion', created: 1, model: 'sonar' }
    const choice = { index: 0, finish_reason: 'stop' }
    const content = 'High tide.'
    const early = { ...SONAR_USAGE, completion_tokens: 2, total_tokens: 12 }
    const isStream = typeof body === 'object' && body !== null && 'stream' in body && body.stream === true
    return isStream
      ? eventStream(
          { ...id, choices: [{ index: 0, delta: { content } }], usage: early },
          { ...id, choices: [{ ...choice, delta: {} }], usage: SONAR_USAGE },
        )
      : Response.json({ ...id, choices: [{ ...choice, message: { role: 'assistant', content } }], usage: SONAR_USAGE })
  })

const sonarFixture = async (options = {}) => {
  const fixture = await relayFixture({ options })
  const offer = (base_url: string, fields = {}) =>
    makeChannel(fixture.root, { type: 52, base_url, models: 'sonar', ...fields })
  return { ...fixture, offer }
}

test.each(PLAIN_AND_STREAM)(
  'a fee per request is charged once, and the log adds up with it ($way)',
  async ({ stream }) => {
    const { app, chat, offer, charges, onlyLog } = await sonarFixture()
    await offer(sonarVendor().url)
    await (await chat('sonar', { stream })).text()
    expect(await charges()).toMatchObject([{ kind: 'consume', delta: -SONAR_COST }])
    const { detail, quota, content, content_en, prompt_tokens, completion_tokens } = await onlyLog()
    expect({ prompt_tokens, completion_tokens }).toEqual({ prompt_tokens: 10, completion_tokens: 20 })
    expect(detail).toMatchObject({ usage: { requests: 1 }, price: { rates: { requests: '2500' } } })
    expect(quota).toBe(readded(detail))
    expect(content).toBe('倍率：0.5 × 1 × 1，每次请求 2500')
    expect(content_en).toBe('Ratio: 0.5 × 1 × 1, per request 2500')
    expect(await app.audit()).toEqual([])
  },
)

test('the fee is part of the hold and of the frozen price', async () => {
  const { app, chat, offer } = await sonarFixture()
  await offer(sonarVendor().url)
  await chat('sonar', { max_tokens: 100 })
  const [hold] = app.holds()
  expect(hold?.amount).toBe((12 + 100) * 0.5 + 2500)
  expect(JSON.parse(hold?.price ?? '')).toMatchObject({ rates: { input: '0.5', output: '0.5', requests: '2500' } })
})

test.each(PLAIN_AND_STREAM)('a failed call costs no fee ($way)', async ({ stream }) => {
  const { app, chat, offer, charges, account, onlyLog } = await sonarFixture()
  await offer(fakeVendor(() => Response.json({ error: { message: 'Overloaded' } }, { status: 503 })).url)
  expect((await chat('sonar', { stream })).status).toBe(503)
  expect(await charges()).toEqual([])
  expect(await account()).toMatchObject({ quota: 1_000_000, held: 0 })
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0 })
  expect(await app.audit()).toEqual([])
})

test('a call that was tried twice costs one fee', async () => {
  const { chat, offer, charges, onlyLog } = await sonarFixture({ RetryTimes: 3 })
  await offer(fakeVendor(() => Response.json({ error: { message: 'Overloaded' } }, { status: 503 })).url, {
    priority: 9,
  })
  const { id } = await offer(sonarVendor().url)
  await chat('sonar')
  expect(await charges()).toMatchObject([{ delta: -SONAR_COST, channel_id: id }])
  expect((await onlyLog()).detail.attempts).toHaveLength(2)
})

test.each(PLAIN_AND_STREAM)("Anthropic's searches are charged by its count ($way)", async ({ stream }) => {
  const { app, root, post, onlyLog } = await relayFixture()
  const input = { input_tokens: 100, server_tool_use: { web_search_requests: 0 } }
  const usage = { ...input, output_tokens: 40, server_tool_use: { web_search_requests: 3 } }
  const head = { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-4-5' }
  const text = { type: 'text', text: 'High tide.' }
  const vendor = fakeVendor(() =>
    stream
      ? eventStream(
          { type: 'message_start', message: { ...head, content: [], usage: input } },
          { type: 'content_block_start', index: 0, content_block: text },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
          { type: 'message_stop' },
        )
      : Response.json({ ...head, content: [text], stop_reason: 'end_turn', usage }),
  )
  await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-opus-4-5' })
  const tools = [{ type: 'web_search_20250305', name: 'web_search' }]
  const request = { model: 'claude-opus-4-5', max_tokens: 64, messages: MESSAGES, tools, stream }
  await (await post('/v1/messages', request)).text()
  const { quota, detail, prompt_tokens, completion_tokens } = await onlyLog()
  expect(quota).toBe(100 * 2.5 + 40 * 12.5 + 3 * 5000)
  expect(detail).toMatchObject({ usage: { webSearches: 3 }, price: { rates: { webSearches: '5000' } } })
  expect(readded(detail)).toBe(quota)
  expect({ prompt_tokens, completion_tokens }).toEqual({ prompt_tokens: 100, completion_tokens: 40 })
  expect(await app.audit()).toEqual([])
})

test.each(PLAIN_AND_STREAM)("OpenAI's searches are charged by what a response lists ($way)", async ({ stream }) => {
  const { app, root, post, onlyLog } = await relayFixture()
  const search = { type: 'web_search_call', status: 'completed' }
  const response = {
    ...{ id: 'r', object: 'response', status: 'completed', model: 'gpt-4o' },
    output: [
      { ...search, id: 'ws_1', action: { type: 'search', query: 'tides' } },
      { ...search, id: 'ws_2', action: { type: 'open_page', url: 'https://example.com' } },
      { ...search, id: 'ws_3', action: { type: 'search', query: 'moon' } },
      { type: 'file_search_call', id: 'fs_1', status: 'completed' },
      { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'High tide.' }] },
    ],
    usage: { input_tokens: 100, output_tokens: 40, total_tokens: 140 },
  }
  const vendor = fakeVendor(() =>
    stream
      ? eventStream(
          { type: 'response.output_text.delta', item_id: 'm', output_index: 4, content_index: 0, delta: 'High tide.' },
          { type: 'response.completed', response },
        )
      : Response.json(response),
  )
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'gpt-4o' })
  const tools = [{ type: 'web_search' }]
  await (await post('/v1/responses', { model: 'gpt-4o', input: 'When is high tide?', tools, stream })).text()
  const { quota, detail } = await onlyLog()
  expect(quota).toBe(100 * 1.25 + 40 * 5 + 2 * 5000 + 1250)
  expect(readded(detail)).toBe(quota)
  expect(await app.audit()).toEqual([])
})

const grounded = [
  { model: 'gemini-2.5-flash', queries: ['tides', '', 'moon'], searches: 1, fee: 17_500 },
  { model: 'gemini-3-flash-preview', queries: ['tides', '', 'moon', 'tides'], searches: 2, fee: 14_000 },
  { model: 'gemini-3-flash-preview', queries: [''], searches: 0, fee: 0 },
].flatMap((billed) => PLAIN_AND_STREAM.map((way) => ({ ...billed, ...way })))

test.each(grounded)(
  "Google's searches are charged as Google does: $model, $queries ($way)",
  async ({ model, queries, searches, fee, stream }) => {
    const { app, root, post, chat, logs } = await relayFixture()
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 40, totalTokenCount: 140 }
    const piece = (text: string, more: object) => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
      usageMetadata: { ...usageMetadata, candidatesTokenCount: text === '' ? 40 : 20 },
      modelVersion: model,
    })
    const groundingMetadata = { webSearchQueries: queries, groundingChunks: [] }
    const vendor = fakeVendor(() =>
      stream
        ? eventStream(piece('High ', {}), piece('tide.', { groundingMetadata }), piece('', { finishReason: 'STOP' }))
        : Response.json({ ...piece('High tide.', { groundingMetadata, finishReason: 'STOP' }), usageMetadata }),
    )
    await makeChannel(root, { type: 24, base_url: vendor.url, models: model })
    const contents = [{ role: 'user', parts: [{ text: 'When is high tide?' }] }]
    const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
    await (await post(`/v1beta/models/${model}:${action}`, { contents, tools: [{ google_search: {} }] })).text()
    await (await chat(model, { stream })).text()
    const rows = await logs()
    expect(rows).toHaveLength(2)
    for (const { quota, detail } of rows) {
      expect(detail.usage).toEqual({ input: 100, output: 40, ...(searches > 0 && { webSearches: searches }) })
      expect(quota - fee).toBe(Math.ceil(readded(detail) - fee))
      expect(searches * Number(detail.price.rates.webSearches ?? 0)).toBe(fee)
    }
    expect(await app.audit()).toEqual([])
  },
)

test("xAI's web and post searches are charged by its count", async () => {
  const { root, post, onlyLog } = await relayFixture()
  const tools = {
    web_search_calls: 2,
    x_search_calls: 3,
    code_interpreter_calls: 0,
    file_search_calls: 1,
    mcp_calls: 0,
  }
  const usage = { input_tokens: 100, output_tokens: 40, total_tokens: 140, server_side_tool_usage_details: tools }
  const output = [
    { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'High tide.' }] },
  ]
  const vendor = fakeVendor(() =>
    Response.json({ id: 'r', object: 'response', status: 'completed', model: 'grok-4', output, usage }),
  )
  await makeChannel(root, { type: 45, base_url: vendor.url, models: 'grok-4' })
  await post('/v1/responses', { model: 'grok-4', input: 'When is high tide?', tools: [{ type: 'x_search' }] })
  const { quota, detail } = await onlyLog()
  expect(detail.usage).toMatchObject({ webSearches: 5, fileSearches: 1 })
  expect(quota).toBe(100 * 1.5 + 40 * 7.5 + 5 * 2500 + 1250)
})

test('an implausible number of searches is not accepted', async () => {
  const { root, post, onlyLog } = await relayFixture()
  const usage = { input_tokens: 100, output_tokens: 40, server_tool_use: { web_search_requests: 50_000_000 } }
  const content = [{ type: 'text', text: 'High tide.' }]
  const vendor = fakeVendor(() => Response.json({ id: 'm', type: 'message', role: 'assistant', content, usage }))
  await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-opus-4-5' })
  await post('/v1/messages', { model: 'claude-opus-4-5', max_tokens: 64, messages: MESSAGES })
  const { detail, quota } = await onlyLog()
  expect(detail).toMatchObject({ source: 'usage_anomaly' })
  expect(quota).toBe(12 * 2.5 + 40 * 12.5)
})

test('a moderation is free, also without a balance', async () => {
  const { root, post, onlyLog } = await relayFixture({ quota: 0 })
  const vendor = fakeVendor(() => Response.json({ id: 'modr', results: [{ flagged: false }] }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'omni-moderation-latest' })
  expect((await post('/v1/moderations', { input: 'Is this fine?' })).status).toBe(200)
  expect(await onlyLog()).toMatchObject({ type: 2, quota: 0 })
})

test('Cohere reranks at the price of its searches, or at the operator’s ratio for tokens', async () => {
  const { channel, post, logs, app } = await relayFixture()
  const vendor = fakeVendor(() =>
    Response.json({
      results: [{ index: 0, relevance_score: 0.9 }],
      meta: { billed_units: { search_units: 2 } },
    }),
  )
  await channel('rerank-v3.5', { type: 35, base_url: vendor.url })
  const order = { model: 'rerank-v3.5', query: 'which?', documents: ['a', 'b'] }
  expect((await post('/v1/rerank', order)).status).toBe(200)
  await setOptions(app, { ModelRatio: '{"rerank-v3.5":3}' })
  expect((await post('/v1/rerank', order)).status).toBe(200)

  const [bySearch, byToken] = await logs()
  // 2 dollars for a thousand searches, and 500,000 quota for a dollar.
  expect(bySearch?.quota).toBe(2 * 1000)
  expect(bySearch?.detail.usage).toMatchObject({ fileSearches: 2 })
  expect(byToken?.quota).toBe(3 * byToken?.detail.usage.input)
  expect(byToken?.quota).toBeGreaterThan(0)
  expect(await app.audit()).toEqual([])
})

test.each([
  { path: '/v1/images/generations', sold: 'dall-e-3', fields: { size: '1792x1024', quality: 'hd' }, cost: 60_000 },
  { path: '/v1/audio/speech', sold: 'tts-1', fields: { input: 'When is high tide?', voice: 'alloy' }, cost: 135 },
])('under a custom name a model is sold in its own units: $sold', async ({ path, sold, fields, cost }) => {
  const { app, root, post, onlyLog } = await relayFixture()
  const sound = { headers: { 'content-type': 'audio/mpeg' } }
  const vendor = fakeVendor(() =>
    sold === 'tts-1'
      ? new Response(new Uint8Array(9), sound)
      : Response.json({ created: 1, data: [{ url: 'https://pictures.example/1.png' }] }),
  )
  const model_mapping = JSON.stringify({ 'house-model': sold })
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'house-model', model_mapping })
  await (await post(path, { model: 'house-model', prompt: 'A pier', ...fields })).arrayBuffer()
  expect((await onlyLog()).quota).toBe(cost)
  const [hold] = app.holds()
  expect(hold?.amount).toBe(cost)
})
