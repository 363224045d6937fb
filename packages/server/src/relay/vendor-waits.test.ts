import { expect, setDefaultTimeout, test } from 'bun:test'
import { makeChannel } from '../testing/channel-makers.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { readStream, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test('a vendor that asks to wait is not called for that long, and the delay reaches the caller', async () => {
  const { app, channel, chat, upstream } = await relayFixture()
  await channel('then/rate/say/5')
  const limited = await chat('then/rate/say/5')
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7'])
  expect((await chat('then/rate/say/5')).status).toBe(503)
  app.clock.pass(6.9)
  expect((await chat('then/rate/say/5')).status).toBe(503)
  expect(upstream.journal).toHaveLength(1)
  app.clock.pass(0.1)
  expect((await chat('then/rate/say/5')).status).toBe(200)
  expect((await chat('then/rate/say/5')).status).toBe(200)
})

test('a delay given as a date works like one in seconds', async () => {
  const { app, channel, chat, upstream } = await relayFixture()
  const model = 'then/wait-until/say/5'
  await channel(model)
  const limited = await chat(model)
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '120'])
  app.clock.pass(119)
  expect((await chat(model)).status).toBe(503)
  expect(upstream.journal).toHaveLength(1)
  app.clock.pass(1)
  expect((await chat(model)).status).toBe(200)
})

const RETRY_INFO = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' }
const EXHAUSTED = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Slow down', details: [RETRY_INFO] }
const RESET = { 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '30.5s' }

test.each([
  { by: 'milliseconds', type: 1, body: {}, headers: { 'retry-after-ms': '12000' }, seconds: 12 },
  { by: "Google's detail", type: 24, body: { error: EXHAUSTED }, headers: {}, seconds: 12 },
  { by: "Google's detail in OpenAI's dialect", type: 8, body: [{ error: EXHAUSTED }], headers: {}, seconds: 12 },
  { by: 'the reset of its limits', type: 1, body: {}, headers: RESET, seconds: 31 },
  { by: 'nothing', type: 1, body: {}, headers: {}, seconds: 10 },
  { by: 'the header of a 503', type: 1, body: {}, headers: { 'retry-after': '40' }, status: 503, seconds: 40 },
])('a delay given by $by outlives its call, and each caller gets the remaining time', async (row) => {
  const { app, root, chat } = await relayFixture()
  const vendor = fakeVendor(() => Response.json(row.body, { status: row.status ?? 429, headers: row.headers }))
  await makeChannel(root, { type: row.type, base_url: vendor.url, models: 'm', key: 'k' })
  const waits = async () => {
    const { status, headers } = await chat('m')
    return [status, headers.get('retry-after')]
  }
  expect(await waits()).toEqual([row.status ?? 429, String(row.seconds)])
  expect(await waits()).toEqual([503, String(row.seconds)])
  app.clock.pass(row.seconds - 4)
  expect(await waits()).toEqual([503, '4'])
  expect(vendor.asked).toHaveLength(1)
  app.clock.pass(4)
  await waits()
  expect(vendor.asked).toHaveLength(2)
})

test('setting the clock back does not make a delay longer than the maximum', async () => {
  const { app, channel, chat } = await relayFixture()
  await channel('then/rate/say/5')
  expect((await chat('then/rate/say/5')).status).toBe(429)
  app.clock.pass(-3600)
  expect((await chat('then/rate/say/5')).status).toBe(200)
})

test('while a channel cools down another one serves', async () => {
  const { channel, chat, upstream } = await relayFixture({ options: { RetryTimes: 1 } })
  await channel('m', { priority: 5, model_mapping: '{"m":"fault/rate"}' })
  await channel('m', { model_mapping: '{"m":"say/5"}' })
  for (let n = 0; n < 3; n++) expect((await chat('m')).status).toBe(200)
  expect(upstream.journal.map(({ model }) => model)).toEqual(['fault/rate', 'say/5', 'say/5', 'say/5'])
})

test('after cooling down one real call goes first, and the others wait for its result', async () => {
  const { app, channel, chat, upstream } = await relayFixture()
  const model = 'then/rate/fault/wait'
  await channel(model)
  await chat(model)
  app.clock.pass(8)
  const probe = await chat(model, { stream: true })
  expect(probe.status).toBe(200)
  expect((await chat(model, { stream: true })).status).toBe(503)
  upstream.release()
  expect((await readStream(probe)).done).toBe(true)
  expect((await readStream(await chat(model, { stream: true }))).done).toBe(true)
})

test('a probe whose client disconnects, or whose caller cannot pay, leaves the probe to the next call', async () => {
  const { app, channel, chat, atRest } = await relayFixture()
  const model = 'then/rate/fault/stall-first'
  await channel(model)
  await chat(model)
  app.clock.pass(8)
  const client = new AbortController()
  const probe = await chat(model, { stream: true }, { signal: client.signal })
  client.abort()
  await probe.text().catch(() => {})
  await atRest()
  // Cannot pay: a call that would cost more than the balance.
  expect((await chat(model, { max_tokens: 1_000_000 })).status).toBe(429)
  const next = await chat(model, { stream: true }, { signal: AbortSignal.timeout(2000) })
  expect(next.status).toBe(200)
  await next.body?.cancel()
})

test('two channels that cooled down side by side both recover', async () => {
  const { app, channel, chat, upstream } = await relayFixture({ options: { RetryTimes: 1 } })
  await channel('m', { name: 'one', model_mapping: '{"m":"then/rate/say/1"}' })
  await channel('m', { name: 'two', model_mapping: '{"m":"then/rate/say/2"}' })
  expect((await chat('m')).status).toBe(429)
  app.clock.pass(8)
  const models = new Set<string>()
  for (let n = 0; n < 40; n++) expect((await chat('m')).status).toBe(200)
  for (const { model } of upstream.journal) models.add(model)
  expect([...models].sort()).toEqual(['fault/rate', 'say/1', 'say/2'])
})

test('an answer that began before the vendor asked us to wait does not end the wait', async () => {
  const { channel, chat, upstream } = await relayFixture()
  const model = 'then/wait/fault/rate'
  await channel(model)
  const long = await chat(model, { stream: true })
  expect((await chat(model)).status).toBe(429)
  upstream.release()
  expect((await readStream(long)).done).toBe(true)
  expect((await chat(model)).status).toBe(503)
})

test.each([
  { way: 'plain', stream: false, quiet: [0, 60] },
  { way: 'stream', stream: true, quiet: [0, 120] },
])(
  'a caller may wait as long as the vendor thinks, but a vendor does not wait for a slow caller ($way)',
  async ({ stream, quiet }) => {
    const { app, channel, key } = await relayFixture()
    await channel('say/5')
    const allowed: number[] = []
    const request = new Request(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'say/5', stream, messages: [] }),
    })
    const incoming = { requestId: Bun.randomUUIDv7(), ip: '127.0.0.1', language: 'en' as const }
    const setIdleTimeout = (seconds: number) => allowed.push(seconds)
    const unknown = {
      ...{ caller: undefined, call: undefined, candidates: undefined, isCounted: false, isHeld: false },
      ...{ recording: undefined, trace: undefined },
    }
    const call = { ...incoming, ...unknown, setIdleTimeout, upgrade: () => false }
    const response = await app.parts.surface.fetch(request, call, '/v1/chat/completions')
    expect(response?.status).toBe(200)
    await response?.text()
    expect(allowed).toEqual([...quiet])
  },
)
