import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../../testing/channel-makers.ts'
import { eventStream, fakeVendor } from '../../testing/fake-vendor.ts'
import { MESSAGES, readded, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Vendors answer faster for more, and slower for less. For 100 input and 40 output tokens, which cost 260 at gpt-4.1. */

const usage = { prompt_tokens: 100, completion_tokens: 40, total_tokens: 140 }
const head = { id: 'c', object: 'chat.completion', created: 1 }
const choice = { index: 0, finish_reason: 'stop' }

/** A vendor that reports its service tier. */
const openAi = (model: string, service_tier: string | undefined, stream: boolean) =>
  fakeVendor(() => {
    const known = { ...head, model, ...(service_tier !== undefined && { service_tier }) }
    return stream
      ? eventStream(
          { ...known, choices: [{ index: 0, delta: { content: 'High tide.' } }] },
          { ...known, choices: [], usage },
        )
      : Response.json({
          ...known,
          choices: [{ ...choice, message: { role: 'assistant', content: 'High tide.' } }],
          usage,
        })
  })

const REPORTED = [
  { model: 'gpt-4.1', asked: 'priority', answered: 'priority', cost: 260 * 1.75 },
  { model: 'gpt-4.1', asked: 'priority', answered: 'default', cost: 260 },
  { model: 'gpt-4.1', asked: undefined, answered: 'priority', cost: 260 * 1.75 },
  { model: 'gpt-4.1', asked: 'flex', answered: 'flex', cost: 260 * 0.5 },
  { model: 'gpt-4.1', asked: 'priority', answered: undefined, cost: 260 },
  { model: 'gpt-5', asked: 'ultrafast', answered: 'ultrafast', cost: (100 * 0.625 + 40 * 5) * 6 },
].flatMap((call) => [false, true].map((stream) => ({ ...call, stream })))

test.each(REPORTED)(
  '$model, requested as $asked, answered as $answered (stream: $stream): the vendor’s report counts',
  async ({ model, asked, answered, cost, stream }) => {
    const { app, root, chat, onlyLog } = await relayFixture()
    const vendor = openAi(model, answered, stream)
    await makeChannel(root, { type: 1, base_url: vendor.url, models: model })
    await (await chat(model, { stream, ...(asked !== undefined && { service_tier: asked }) })).text()
    const { quota, detail } = await onlyLog()
    expect(quota).toBe(Math.ceil(cost))
    expect(readded(detail)).toBeCloseTo(cost, 6)
    const isUsual = answered === undefined || answered === 'default'
    expect(detail.service_tier).toBe(isUsual ? undefined : answered)
    expect(await app.audit()).toEqual([])
  },
)

test('the log says at which service tier a call was priced', async () => {
  const { root, chat, onlyLog } = await relayFixture()
  await makeChannel(root, { type: 1, base_url: openAi('gpt-4.1', 'priority', false).url, models: 'gpt-4.1' })
  await chat('gpt-4.1', { service_tier: 'priority' })
  const { content, content_en } = await onlyLog()
  expect(content).toBe('倍率：1.75 × 1 × 4（priority）')
  expect(content_en).toBe('Ratio: 1.75 × 1 × 4 (priority)')
})

test('a faster tier is held at its price, and a slower one at the usual price, because it may not be granted', async () => {
  const { app, root, chat } = await relayFixture()
  await makeChannel(root, { type: 1, base_url: openAi('gpt-4.1', 'default', false).url, models: 'gpt-4.1' })
  for (const service_tier of ['default', 'priority', 'flex']) await chat('gpt-4.1', { service_tier, max_tokens: 1000 })
  const [usual = 0, faster, slower] = app.holds().map(({ amount }) => amount)
  expect(faster).toBe(Math.ceil(usual * 1.75))
  expect(slower).toBe(usual)
})

test('an answer that broke off before its report costs the requested tier', async () => {
  const { root, chat, onlyLog } = await relayFixture()
  const vendor = fakeVendor(() =>
    eventStream({ ...head, choices: [{ index: 0, delta: { content: 'x'.repeat(400) } }] }),
  )
  await makeChannel(root, { type: 1, base_url: vendor.url, models: 'gpt-4.1' })
  await (await chat('gpt-4.1', { stream: true, service_tier: 'fast' })).text()
  const { quota, detail } = await onlyLog()
  expect(detail).toMatchObject({ source: 'estimated', service_tier: 'fast' })
  expect(quota).toBe(Math.ceil(readded(detail)))
  expect(Number(detail.price.rates.output)).toBe(4 * 1.75)
})

const anthropic = [
  { worked: { speed: 'fast', inference_geo: 'global' }, times: 2 },
  { worked: { speed: 'standard', inference_geo: 'us' }, times: 1.1 },
  { worked: { speed: 'fast', inference_geo: 'us' }, times: 2.2 },
  { worked: { speed: 'standard' }, times: 1 },
].flatMap((tier) => [false, true].map((stream) => ({ ...tier, stream })))

test.each(anthropic)(
  'Anthropic charges $times of the usual price for $worked, caches included (stream: $stream)',
  async ({ worked, times, stream }) => {
    const { root, post, onlyLog } = await relayFixture()
    const input = { input_tokens: 100, cache_read_input_tokens: 1000, ...worked }
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-5' }
    const text = { type: 'text', text: 'High tide.' }
    const vendor = fakeVendor(() =>
      stream
        ? eventStream(
            { type: 'message_start', message: { ...message, content: [], usage: input } },
            { type: 'content_block_start', index: 0, content_block: text },
            { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 40 } },
            { type: 'message_stop' },
          )
        : Response.json({
            ...message,
            content: [text],
            stop_reason: 'end_turn',
            usage: { ...input, output_tokens: 40 },
          }),
    )
    await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-opus-5' })
    const request = { model: 'claude-opus-5', max_tokens: 64, messages: MESSAGES, ...worked, stream }
    await (await post('/v1/messages', request)).text()
    const { quota } = await onlyLog()
    expect(quota).toBe(Math.ceil(1000 * times))
  },
)

test('a service tier that is lost in translation costs nothing, also if the answer breaks off', async () => {
  const { root, chat, logs } = await relayFixture()
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-opus-5', content: [] }
  const text = { type: 'text', text: 'High tide.' }
  const vendor = fakeVendor(() =>
    eventStream(
      { type: 'message_start', message: { ...message, usage: { input_tokens: 100 } } },
      { type: 'content_block_start', index: 0, content_block: text },
    ),
  )
  await makeChannel(root, { type: 14, base_url: vendor.url, models: 'claude-opus-5' })
  for (const service_tier of ['default', 'fast']) {
    await (await chat('claude-opus-5', { stream: true, service_tier })).text()
  }
  const [usual, asked] = await logs()
  expect(usual?.quota).toBeGreaterThan(0)
  expect(asked?.quota).toBe(usual?.quota ?? 0)
  expect(asked?.detail.service_tier).toBeUndefined()
})

test("Google's tiers are read from its usage", async () => {
  const { root, post, logs } = await relayFixture()
  const tiers = ['PRIORITY', 'flex', 'standard']
  const vendor = fakeVendor(() => {
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 40, totalTokenCount: 140 }
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 }]
    return Response.json({ candidates, usageMetadata: { ...usageMetadata, serviceTier: tiers.shift() } })
  })
  await makeChannel(root, { type: 24, base_url: vendor.url, models: 'gemini-2.5-flash' })
  const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]
  for (let calls = 0; calls < 3; calls++) {
    await post('/v1beta/models/gemini-2.5-flash:generateContent', { contents, service_tier: 'priority' })
  }
  const usual = 100 * 0.15 + 40 * 1.25
  expect((await logs()).map(({ quota }) => quota)).toEqual([1.8, 0.5, 1].map((times) => Math.ceil(usual * times)))
})
