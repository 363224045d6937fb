import { expect, onTestFinished, test } from 'bun:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import { fakeRealtime, realtimeCaller } from '../../testing/fake-realtime.ts'
import {
  callRealtime,
  ONE_EACH,
  type RealtimeVendor,
  realtimeFixture,
  responding,
  USED,
} from '../../testing/realtime-fixture.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'

test('a conversation is relayed, and its end charges what the responses reported', async () => {
  const { vendor, relay } = await realtimeFixture()
  const caller = await callRealtime(relay)
  await caller.next('session.created')
  for (let turn = 0; turn < 3; turn++) {
    caller.send({ type: 'response.create', response: { instructions: 'Say hi.' } })
    expect((await caller.next('response.done')).response).toMatchObject({ usage: USED })
  }
  caller.socket.close(1000)
  await relay.atRest()
  expect(await vendor.exchanges[0]?.closed).toBe(1000)
  expect(vendor.exchanges[0]?.received).toHaveLength(3)
  const { quota, detail, is_stream, type } = await relay.onlyLog()
  expect({ quota, is_stream, type }).toEqual({ quota: 150, is_stream: 1, type: 2 })
  expect(detail).toMatchObject({
    source: 'reported',
    usage: { input: 30, audioInput: 60, output: 15, audioOutput: 45 },
    attempts: [{ status: 200 }],
  })
  expect(detail.flag).toBeUndefined()
  expect(await relay.account()).toMatchObject({ used_quota: 150, held: 0, request_count: 1 })
  expect(await relay.app.audit()).toEqual([])
})

test('a vendor that repeats our key in an event does not reveal it to the caller', async () => {
  const secret = 'sk-upstream-key-1234'
  const { relay } = await realtimeFixture({
    answer: (_, voice) => voice.event({ type: 'error', error: { message: `No: Bearer ${secret}` } }),
  })
  const caller = await callRealtime(relay)
  await caller.next('session.created')
  caller.send({ type: 'response.create' })
  expect(JSON.stringify(await caller.next('error'))).toContain('No: Bearer ***')
  caller.socket.close(1000)
  await relay.atRest()
})

test('events after a response stay after it, also the close', async () => {
  const { relay } = await realtimeFixture({
    answer(_, voice) {
      for (let turn = 0; turn < 3; turn++) {
        voice.respond(USED, 1)
        voice.event({ type: `after.${turn}` })
      }
      voice.close(1000)
    },
  })
  const caller = await callRealtime(relay)
  caller.send({ type: 'response.create' })
  expect(await caller.closed).toBe(1000)
  const [, ...events] = caller.events.map(({ type }) => type)
  const response = ['response.created', 'response.output_audio_transcript.delta', 'response.done']
  expect(events).toEqual([...response, 'after.0', ...response, 'after.1', ...response, 'after.2'])
  await relay.atRest()
  expect((await relay.onlyLog()).quota).toBe(150)
})

test('the vendor gets its own key, the mapped model, and nothing of the caller’s key', async () => {
  const { vendor, relay } = await realtimeFixture(responding)
  await relay.channel('my-voice', { type: 1, base_url: vendor.url, model_mapping: '{"my-voice":"rt"}' })
  const caller = await callRealtime(relay, 'my-voice')
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.socket.close(1000)
  await relay.atRest()
  const [exchange] = vendor.exchanges
  expect(exchange?.url.href).toEndWith('/v1/realtime?model=rt')
  expect(exchange?.headers.get('authorization')).toBe('Bearer sk-upstream-key-1234')
  expect(exchange?.headers.get('sec-websocket-protocol')).toBeNull()
  expect((await relay.onlyLog()).detail.requested_model).toBe('my-voice')
})

test('an Azure channel is called with its deployment', async () => {
  const vendor = fakeRealtime(responding)
  const relay = await relayFixture({ options: ONE_EACH })
  await relay.channel('rt', { type: 3, base_url: vendor.url, other: '2025-04-01-preview' })
  const caller = await callRealtime(relay)
  await caller.next('session.created')
  caller.socket.close(1000)
  await relay.atRest()
  const [exchange] = vendor.exchanges
  expect(exchange?.url.pathname).toBe('/openai/realtime')
  expect(exchange?.url.searchParams.get('deployment')).toBe('rt')
  expect(exchange?.headers.get('api-key')).toBe('sk-upstream-key-1234')
})

test('a browser sends its key among the protocols; it is never returned', async () => {
  const { vendor, relay } = await realtimeFixture()
  const protocols = [`openai-insecure-api-key.${relay.key}`, 'realtime', 'openai-beta.realtime-v1']
  const caller = await realtimeCaller(`${relay.app.url}/v1/realtime?model=rt`, { protocols })
  expect(caller.protocol).toBe('realtime')
  await caller.next('session.created')
  expect(vendor.exchanges[0]?.headers.get('openai-beta')).toBe('realtime=v1')
  caller.socket.close(1000)
  await relay.atRest()
})

test('OpenAI’s own client works through the gateway', async () => {
  const { relay } = await realtimeFixture()
  // It always uses TLS, which the test's gateway does not have.
  const Plain = class extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url.replace('wss:', 'ws:'), protocols)
    }
  }
  const usual = globalThis.WebSocket
  onTestFinished(() => {
    globalThis.WebSocket = usual
  })
  Object.assign(globalThis, { WebSocket: Plain })
  const openai = new OpenAI({ apiKey: relay.key, baseURL: `${relay.app.url}/v1`, dangerouslyAllowBrowser: true })
  const client = new OpenAIRealtimeWebSocket({ model: 'rt', dangerouslyAllowBrowser: true }, openai)
  const done = Promise.withResolvers<number | undefined>()
  client.on('session.created', () => client.send({ type: 'response.create' }))
  client.on('response.done', ({ response }) => done.resolve(response.usage?.total_tokens))
  client.on('error', (error) => done.reject(error))
  expect(await done.promise).toBe(50)
  client.close()
  await relay.atRest()
  expect((await relay.account()).used_quota).toBe(50)
})

test.each([
  ['without a key', { key: '' }, 401],
  ['with a wrong key', { key: 'sk-wrong' }, 401],
  ['for a model nobody offers', { model: 'other' }, 404],
  ['without a model', { model: '' }, 400],
])(
  'an upgrade %s is refused like any call',
  async (_, { key, model = 'rt' }: { key?: string; model?: string }, status) => {
    const { vendor, relay } = await realtimeFixture()
    const refused = await callRealtime(relay, model, key ?? relay.key).catch((error: Error) => error.message)
    expect(refused).toContain(`Expected 101 status code: ${status}`)
    expect(vendor.exchanges).toHaveLength(0)
  },
)

test('a request that is not an upgrade gets an error that says so', async () => {
  const { relay } = await realtimeFixture()
  const headers = { authorization: `Bearer ${relay.key}` }
  const answer = await fetch(`${relay.app.url}/v1/realtime?model=rt`, { headers })
  expect(answer.status).toBe(426)
  expect(await answer.json()).toMatchObject({ error: { code: 'relay_needs_socket' } })
})

test('a channel without realtime is not called', async () => {
  const relay = await relayFixture({ options: ONE_EACH })
  await relay.channel('rt', { type: 14 })
  const refused = await callRealtime(relay).catch((error: Error) => error.message)
  expect(refused).toContain('Expected 101 status code: 400')
})

test.each([
  ['refuses the upgrade', { refuse: 429 }],
  [
    'opens with an error',
    {
      greeting: (voice) => {
        voice.event({ type: 'error', error: { type: 'server_error', code: null, message: 'Overloaded' } })
      },
    },
  ],
  ['closes at once', { greeting: (voice) => voice.close(1011) }],
] satisfies [string, RealtimeVendor][])(
  'if a vendor %s, the next channel is tried before the caller is upgraded',
  async (_, bad) => {
    const { relay } = await realtimeFixture()
    const broken = fakeRealtime(bad)
    await relay.channel('rt', { type: 1, base_url: broken.url, priority: 9 })
    const caller = await callRealtime(relay)
    await caller.next('session.created')
    caller.socket.close(1000)
    await relay.atRest()
    expect(broken.exchanges).toHaveLength(1)
    expect((await relay.onlyLog()).detail.attempts).toMatchObject([{ status: expect.any(Number) }, { status: 200 }])
    expect(await relay.app.audit()).toEqual([])
  },
)

test('a conversation keeps its key of a pool busy until it ends, and is charged to it', async () => {
  const vendor = fakeRealtime(responding)
  const relay = await relayFixture({ options: ONE_EACH })
  const key = 'sk-first-of-pool-aaa1\nsk-second-of-pool-bbb2'
  const pool = { type: 1, base_url: vendor.url, key, key_pool: true, key_order: 'in_order' }
  const { id } = await relay.channel('rt', pool)
  const keys = async () => (await relay.root.get(`/api/channel/${id}/keys`)).data
  const ids = (await keys()).map((one: { id: number }) => one.id)
  await relay.root.put(`/api/channel/${id}/keys`, { ids, rate_limits: { concurrency: 1 } })
  const [one, two] = [await callRealtime(relay), await callRealtime(relay)]
  for (const caller of [one, two]) await caller.next('session.created')
  const used = vendor.exchanges.map(({ headers }) => headers.get('authorization')?.slice(-4))
  expect(used).toEqual(['aaa1', 'bbb2'])
  expect(await callRealtime(relay).catch((error: Error) => error.message)).toContain('429')
  two.send({ type: 'response.create' })
  await two.next('response.done')
  for (const caller of [one, two]) caller.socket.close(1000)
  await relay.atRest()
  expect(await keys()).toMatchObject([{ used_quota: 0 }, { used_quota: 50, calls: 1 }])
  const again = await callRealtime(relay)
  await again.next('session.created')
  again.socket.close(1000)
  await relay.atRest()
})

test('when every channel refuses, the caller gets the refusal and pays nothing', async () => {
  const { relay } = await realtimeFixture({ refuse: 503 })
  const refused = await callRealtime(relay).catch((error: Error) => error.message)
  expect(refused).toContain('Expected 101 status code: 503')
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
  expect((await relay.onlyLog()).type).toBe(6)
})

test('a caller that does not read slows the vendor, and loses nothing', async () => {
  const count = 300
  let accepted = 0
  const { relay } = await realtimeFixture({
    answer(_, voice) {
      const delta = 'A'.repeat(100_000)
      for (let at = 0; at < count; at++) {
        voice.event({ type: 'response.output_audio.delta', delta, at })
        accepted++
      }
      voice.respond(USED)
    },
  })
  const caller = await callRealtime(relay)
  await caller.next('session.created')
  caller.socket.pause()
  caller.send({ type: 'response.create' })
  while (accepted < count) await Bun.sleep(1)
  caller.socket.resume()
  await caller.next('response.done')
  expect(caller.events.filter(({ type }) => type === 'response.output_audio.delta')).toHaveLength(count)
  caller.socket.close(1000)
  await relay.atRest()
})

test('a caller that sends faster than the vendor reads is slowed down, and loses nothing', async () => {
  const { vendor, relay } = await realtimeFixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
    },
  })
  const caller = await callRealtime(relay)
  const audio = 'A'.repeat(200_000)
  for (let at = 0; at < 100; at++) caller.send({ type: 'input_audio_buffer.append', audio })
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  expect(vendor.exchanges[0]?.received).toHaveLength(101)
  caller.socket.close(1000)
  await relay.atRest()
})
