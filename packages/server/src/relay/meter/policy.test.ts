import { expect, setDefaultTimeout, test } from 'bun:test'
import { EACH_TOKEN_COSTS_1, ESTIMATED, PROMPT, REPORTED, readUntil } from '../../testing/call-costs.ts'
import { makeChannel } from '../../testing/channel-makers.ts'
import { refusedAddress } from '../../testing/fake-upstream.ts'
import { ASKS_COST, PLAIN_AND_STREAM, readStream, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test.each(PLAIN_AND_STREAM)('a provider that cannot be reached costs nothing ($way) [R1.11]', async ({ stream }) => {
  const { app, root, chat, account, charges, onlyLog, openHolds } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await makeChannel(root, { type: 8, base_url: await refusedAddress(), models: 'say/10' })
  const response = await chat('say/10', { stream })
  expect(response.status).toBe(502)
  expect(await charges()).toEqual([])
  expect(await account()).toEqual({ quota: 1_000_000, held: 0, used_quota: 0, request_count: 0 })
  expect(await openHolds()).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0, request_id: response.headers.get('x-request-id') })
  expect(await app.audit()).toEqual([])
})

test.each(PLAIN_AND_STREAM)('a provider that does not answer in time costs nothing ($way)', async ({ stream }) => {
  const { app, upstream, channel, chat, charges, onlyLog, openHolds } = await relayFixture({
    options: EACH_TOKEN_COSTS_1,
  })
  await channel('fault/hang')
  const calling = chat('fault/hang', { stream })
  await upstream.received(1)
  app.clock.pass(400)
  app.parts.watchdog.check()
  expect((await calling).status).toBe(504)
  await upstream.until(([exchange]) => exchange?.aborted === true)
  expect(await charges()).toEqual([])
  expect(await openHolds()).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0 })
  expect(app.parts.watchdog.running()).toBe(0)
})

const REFUSALS = ['fault/server', 'fault/rate', 'fault/auth', 'fault/quota', 'fault/bad-request', 'fault/redirect']

test.each(PLAIN_AND_STREAM.flatMap(({ way, stream }) => REFUSALS.map((model) => ({ way, stream, model }))))(
  'an answer that is not a success costs nothing: $model ($way)',
  async ({ model, stream }) => {
    const { app, channel, chat, charges, openHolds, account } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
    await channel(model)
    expect((await chat(model, { stream })).ok).toBe(false)
    expect(await charges()).toEqual([])
    expect(await openHolds()).toEqual([])
    expect(await account()).toMatchObject({ quota: 1_000_000, held: 0 })
    expect(await app.audit()).toEqual([])
  },
)

test('a plain answer costs what the provider reports, and its headers say so [R1.12] [R2.67]', async () => {
  const { app, channel, chat, charges, account, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  const { id } = await channel('say/10')
  const response = await chat('say/10')
  expect(response.headers.get('x-tollgate-cost')).toBe(String(REPORTED))
  expect(response.headers.get('x-tollgate-cost-source')).toBe('reported')
  expect(JSON.parse(response.headers.get('x-tollgate-usage') ?? '')).toMatchObject({ input: 11, output: 10 })
  const ref = response.headers.get('x-request-id') ?? ''
  expect(await charges()).toMatchObject([{ kind: 'consume', ref, delta: -REPORTED, channel_id: id }])
  expect(await account()).toEqual({
    quota: 1_000_000 - REPORTED,
    held: 0,
    used_quota: REPORTED,
    request_count: 1,
  })
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, quota: REPORTED, prompt_tokens: 11, completion_tokens: 10, model_name: 'say/10', is_stream: 0 },
    detail: { source: 'reported', usage: { input: 11, output: 10 } },
  })
  expect(await app.audit()).toEqual([])
})

test('a streamed answer costs what the provider reports, in a comment before the last event if requested [R1.12]', async () => {
  const { channel, chat, charges, onlyLog, upstream } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('say/10')
  const { cost, done, content, events } = await readStream(await chat('say/10', { stream: true }, ASKS_COST))
  expect({ done, content }).toEqual({ done: true, content: 'The bar goes up when the toll is paid.' })
  expect(cost).toMatchObject({ cost: REPORTED, source: 'reported' })
  expect(await charges()).toMatchObject([{ delta: -REPORTED }])
  expect(await onlyLog()).toMatchObject({ type: 2, quota: REPORTED, is_stream: 1 })
  // The gateway requested the usage, and removed it again: this client had not asked for it.
  expect(upstream.journal[0]?.body.stream_options).toEqual({ include_usage: true })
  expect(events.filter((event) => 'usage' in event)).toEqual([])
})

test('a client that asks for the usage of a stream gets it', async () => {
  const { channel, chat } = await relayFixture()
  await channel('say/10')
  const response = await chat('say/10', { stream: true, stream_options: { include_usage: true } })
  const { events } = await readStream(response)
  expect(events.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 10 } })
})

test.each(PLAIN_AND_STREAM)(
  'without reported usage the text is counted and the cost is marked estimated ($way) [R1.12]',
  async ({ stream }) => {
    const { channel, chat, charges, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
    await channel('usage/none')
    await (await chat('usage/none', { stream })).text()
    expect(await charges()).toMatchObject([{ kind: 'consume', delta: -ESTIMATED }])
    expect(await onlyLog()).toMatchObject({ type: 2, quota: ESTIMATED, detail: { source: 'estimated' } })
  },
)

test('text is counted in the formatting of other vendors too: spaces after colons, CRLF, completions', async () => {
  const { channel, chat, post, logs } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/spaced,fault/crlf,usage/none')
  await (await chat('fault/spaced', { stream: true }, {})).text()
  await (await chat('fault/crlf', { stream: true })).text()
  await (await post('/v1/completions', { model: 'usage/none', prompt: 'Hello there', stream: true })).text()
  expect((await logs()).map(({ quota, detail }) => [quota, detail.source])).toEqual([
    [REPORTED, 'reported'],
    [REPORTED, 'reported'],
    [3 + 10, 'estimated'],
  ])
})

test('images without reported usage are counted as images, not by the size of their bytes', async () => {
  const { channel, post, onlyLog } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('usage/none')
  await post('/v1/images/generations', { model: 'usage/none', prompt: 'A toll gate', n: 2 })
  expect(await onlyLog()).toMatchObject({ detail: { source: 'estimated', usage: { imageOutput: 2000 } } })
})

test('an error instead of the first event costs nothing and is an ordinary error', async () => {
  const { channel, chat, charges, openHolds } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/error-first,fault/role-then-error')
  for (const model of ['fault/error-first', 'fault/role-then-error']) {
    expect((await chat(model, { stream: true })).status).toBe(502)
  }
  expect(await charges()).toEqual([])
  expect(await openHolds()).toEqual([])
})

test('an error inside a stream before any content costs nothing and is marked upstream_error', async () => {
  const { channel, chat, charges, onlyLog, openHolds, upstream } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/error-after-role')
  const response = await chat('fault/error-after-role', { stream: true }, ASKS_COST)
  upstream.release()
  const { error, cost } = await readStream(response)
  expect(error?.message).toContain('Broken after the role')
  expect(cost).toMatchObject({ cost: 0 })
  expect(await charges()).toEqual([])
  expect(await openHolds()).toEqual([])
  expect(await onlyLog()).toMatchObject({ type: 6, quota: 0, detail: { flag: 'upstream_error' } })
})

test('an error after content costs the prompt and what was delivered; its own text is never counted', async () => {
  const { app, channel, chat, logs } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('fault/error-mid,fault/error-beside')
  const middle = await readStream(await chat('fault/error-mid', { stream: true }))
  expect([middle.content, middle.error?.message]).toEqual(['The bar goes', 'Broken in the middle'])
  const beside = await readStream(await chat('fault/error-beside', { stream: true }))
  expect([beside.content, beside.error?.message]).toEqual(['The bar goes up', 'Broken beside a word'])
  expect((await logs()).map(({ type, quota, detail }) => [type, quota, detail.flag, detail.source])).toEqual([
    [2, PROMPT + 3, 'partial', 'estimated'],
    [2, PROMPT + 4, 'partial', 'estimated'],
  ])
  expect(await app.audit()).toEqual([])
})

test('a charge is written before the client sees the end of its answer [R1.11]', async () => {
  const { channel, chat, charges, openHolds } = await relayFixture({ options: EACH_TOKEN_COSTS_1 })
  await channel('say/10')
  const response = await chat('say/10', { stream: true })
  await readUntil(response, '[DONE]')
  expect(await charges()).toMatchObject([{ delta: -REPORTED }])
  expect(await openHolds()).toEqual([])
})
