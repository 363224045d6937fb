import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { ASKS_COST, MESSAGES, readded, readStream, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/*
 * Calls beyond the length at which a vendor's prices rise. Gemini 2.5 Pro costs 0.625 for an input token and 5 for an output token, and
 * above 200,000 input tokens 1.25 and 7.5.
 */
const GEMINI = 'gemini-2.5-pro'
const SHORT = 200_000 * 0.625 + 10 * 5
const LONG = Math.ceil(200_001 * 1.25 + 10 * 7.5)

const geminiAnswer = (promptTokenCount: number, more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'High tide.' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount, candidatesTokenCount: 10, totalTokenCount: promptTokenCount + 10, ...more },
})

/** A gateway with a Gemini that reports this much input, whole or streamed. */
const geminiFixture = async (prompt: number, more: object = {}) => {
  const fixture = await relayFixture({ quota: 100_000_000 })
  const vendor = fakeVendor(({ path }) => {
    const answer = geminiAnswer(prompt, more)
    return path.includes('stream') ? eventStream(answer) : Response.json(answer)
  })
  await makeChannel(fixture.root, { type: 24, base_url: vendor.url, models: GEMINI })
  return fixture
}

const native = { contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }] }

test.each([
  { way: 'native', path: `/v1beta/models/${GEMINI}:generateContent`, body: native },
  { way: 'native stream', path: `/v1beta/models/${GEMINI}:streamGenerateContent?alt=sse`, body: native },
  { way: 'chat', path: '/v1/chat/completions', body: { model: GEMINI, messages: MESSAGES } },
  { way: 'chat stream', path: '/v1/chat/completions', body: { model: GEMINI, messages: MESSAGES, stream: true } },
  { way: 'messages', path: '/v1/messages', body: { model: GEMINI, max_tokens: 64, messages: MESSAGES } },
  { way: 'responses', path: '/v1/responses', body: { model: GEMINI, input: 'Hello there' } },
])('one token above the threshold a whole call costs more, in any dialect ($way)', async ({ path, body }) => {
  for (const [prompt, cost] of [
    [200_000, SHORT],
    [200_001, LONG],
  ] as const) {
    const { app, post, charges, onlyLog } = await geminiFixture(prompt)
    const response = await post(path, body)
    expect(response.status).toBe(200)
    await response.text()
    expect(await charges()).toMatchObject([{ kind: 'consume', delta: -cost }])
    expect(await onlyLog()).toMatchObject({ quota: cost, prompt_tokens: prompt, completion_tokens: 10 })
    expect(await app.audit()).toEqual([])
  }
})

test('the log of a long call shows its tier, and adds up to the charge by its own numbers', async () => {
  const { post, onlyLog } = await geminiFixture(200_001, { cachedContentTokenCount: 150_000, thoughtsTokenCount: 7 })
  await post('/v1/chat/completions', { model: GEMINI, messages: MESSAGES })
  const { content, content_en, detail, quota } = await onlyLog()
  expect(content).toBe('倍率：1.25 × 1 × 6（输入超过 200000）')
  expect(content_en).toBe('Ratio: 1.25 × 1 × 6 (input above 200000)')
  expect(detail).toMatchObject({
    usage: { input: 50_001, cachedInput: 150_000, output: 10, reasoning: 7 },
    price: {
      ...{ source: 'library', factor: '1', above: 200_000 },
      rates: { input: '1.25', cachedInput: '0.125', output: '7.5', reasoning: '7.5' },
    },
  })
  expect(quota).toBe(Math.ceil(readded(detail)))
})

test('a call at the threshold has no tier in its log', async () => {
  const { post, onlyLog } = await geminiFixture(200_000)
  await post('/v1/chat/completions', { model: GEMINI, messages: MESSAGES })
  const { content_en, detail } = await onlyLog()
  expect(content_en).toBe('Ratio: 0.625 × 1 × 8')
  expect(detail.price).not.toHaveProperty('above')
})

test('the hold of a long prompt is made at its tier, and freezes the tiers with the price', async () => {
  const { app, post, charges } = await geminiFixture(200_001)
  const prompt = 'tide '.repeat(161_000)
  await post('/v1/chat/completions', {
    model: GEMINI,
    messages: [{ role: 'user', content: prompt }],
    max_completion_tokens: 100,
  })
  const [hold] = app.holds()
  const cached = (rate: string) => ({ cachedInput: rate, cachedAudio: rate, cachedImage: rate })
  const tools = { webSearches: '17500', mapsQueries: '12500' }
  expect(hold?.amount).toBeWithin(161_000 * 1.25 + 100 * 7.5, 3 * 161_000 * 1.25)
  expect(JSON.parse(hold?.price ?? '')).toEqual({
    ...{ model: GEMINI, source: 'library', group: 'default', factor: '1' },
    rates: { input: '0.625', ...cached('0.0625'), output: '5', ...tools },
    tiers: [{ above: 200_000, rates: { input: '1.25', ...cached('0.125'), output: '7.5', ...tools } }],
  })
  expect(await charges()).toMatchObject([{ delta: -LONG }])
})

test('a prompt that may exceed the threshold is held as if it did, and charged as it is', async () => {
  for (const [words, input, output] of [
    [80_000, 0.625, 5],
    [120_000, 1.25, 7.5],
  ] as const) {
    const { app, post, charges } = await geminiFixture(words)
    const prompt = 'tide '.repeat(words)
    const messages = [{ role: 'user', content: prompt }]
    await post('/v1/chat/completions', { model: GEMINI, messages, max_completion_tokens: 100 })
    const [hold] = app.holds()
    expect(hold?.amount).toBeWithin(1.5 * words * input + 100 * output, 2.5 * words * input)
    expect(await charges()).toMatchObject([{ delta: -(words * 0.625 + 10 * 5) }])
    expect(await app.audit()).toEqual([])
  }
})

test('a balance that only covers a long call at the plain price is refused, and the vendor is not called', async () => {
  const { app, root, chat, charges } = await relayFixture({ quota: 200_000 })
  const vendor = fakeVendor(() => Response.json(geminiAnswer(200_001)))
  await makeChannel(root, { type: 24, base_url: vendor.url, models: GEMINI })
  const response = await chat(GEMINI, { messages: [{ role: 'user', content: 'tide '.repeat(161_000) }] })
  expect(response.status).toBe(429)
  expect(vendor.asked).toEqual([])
  expect(await charges()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('a long call without reported usage is counted, and charged at the tier of the count', async () => {
  const { root, chat, onlyLog } = await relayFixture({ quota: 100_000_000 })
  const { candidates } = geminiAnswer(0)
  const vendor = fakeVendor(() => Response.json({ candidates }))
  await makeChannel(root, { type: 24, base_url: vendor.url, models: GEMINI })
  await chat(GEMINI, { messages: [{ role: 'user', content: 'tide '.repeat(200_000) }] })
  const { detail, quota, prompt_tokens } = await onlyLog()
  expect(prompt_tokens).toBeWithin(200_000, 230_000)
  expect(detail).toMatchObject({ source: 'estimated', price: { above: 200_000 } })
  expect(quota).toBe(Math.ceil(readded(detail)))
})

test('an operator’s ratio applies at any length', async () => {
  const { root, chat, onlyLog } = await relayFixture({
    quota: 100_000_000,
    options: { ModelRatio: JSON.stringify({ [GEMINI]: 2 }), CompletionRatio: JSON.stringify({ [GEMINI]: 1 }) },
  })
  const vendor = fakeVendor(() => Response.json(geminiAnswer(200_001)))
  await makeChannel(root, { type: 24, base_url: vendor.url, models: GEMINI })
  await chat(GEMINI)
  expect(await onlyLog()).toMatchObject({ quota: 400_002 + 20, content_en: 'Ratio: 2 × 1 × 1' })
})

test('Anthropic’s cache writes and reads count for its threshold, streamed as well', async () => {
  const { app, root, post, onlyLog } = await relayFixture({ quota: 100_000_000 })
  const usage = { input_tokens: 1, cache_read_input_tokens: 100_000, cache_creation_input_tokens: 100_000 }
  const vendor = fakeVendor(() =>
    eventStream(
      { type: 'message_start', message: { id: 'm', model: 'claude', usage: { ...usage, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'High tide.' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { ...usage, output_tokens: 10 } },
      { type: 'message_stop' },
    ),
  )
  await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-sonnet-4-5' })
  await (
    await post('/v1/messages', { model: 'claude-sonnet-4-5', max_tokens: 64, messages: MESSAGES, stream: true })
  ).text()
  expect(await onlyLog()).toMatchObject({
    quota: Math.ceil(1 * 3 + 100_000 * 0.3 + 100_000 * 3.75 + 10 * 11.25),
    detail: { price: { above: 200_000 } },
  })
  expect(await app.audit()).toEqual([])
})

test('a client that disconnects from a long stream pays its tier for what was received', async () => {
  const { app, root, chat, atRest, onlyLog } = await relayFixture({ quota: 100_000_000 })
  const vendor = fakeVendor(() => {
    const { usageMetadata: _, ...word } = geminiAnswer(0)
    const first = `data: ${JSON.stringify({ candidates: word.candidates.map(({ content }) => ({ content })) })}\n\n`
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(first)) })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  })
  await makeChannel(root, { type: 24, base_url: vendor.url, models: GEMINI })
  const leaving = new AbortController()
  const messages = [{ role: 'user', content: 'tide '.repeat(200_000) }]
  const response = await chat(GEMINI, { stream: true, messages }, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  await atRest()
  const { detail, quota } = await onlyLog()
  expect(detail).toMatchObject({ source: 'estimated', flag: 'client_abort', price: { above: 200_000 } })
  expect(quota).toBe(Math.ceil(readded(detail)))
  expect(await app.audit()).toEqual([])
})

test('a long conversation stored at the vendor is charged by its report, though little of it was sent', async () => {
  const { root, post, onlyLog } = await relayFixture({ quota: 100_000_000 })
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'High tide.' }] }]
  const usage = { input_tokens: 900_000, output_tokens: 10, total_tokens: 900_010 }
  const vendor = fakeVendor(() => Response.json({ id: 'r', object: 'response', status: 'completed', output, usage }))
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'gpt-5.4' })
  await post('/v1/responses', { model: 'gpt-5.4', input: 'And then?', previous_response_id: 'resp_1' })
  expect(await onlyLog()).toMatchObject({
    quota: Math.ceil(900_000 * 2.5 + 10 * 11.25),
    detail: { source: 'reported', price: { above: 271_999 } },
  })
})

test('the stream of a long call contains its cost before its last event, on request', async () => {
  const { chat } = await geminiFixture(200_001)
  const { cost } = await readStream(await chat(GEMINI, { stream: true }, ASKS_COST))
  expect(cost).toMatchObject({ cost: LONG, source: 'reported', usage: { input: 200_001, output: 10 } })
})
