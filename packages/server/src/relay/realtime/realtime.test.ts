import { expect, test } from 'bun:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import { fakeRealtime, realtimeCaller, realtimeUsage } from '../../testing/fake-realtime.ts'
import { type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'

type Overrides = NonNullable<Parameters<typeof fakeRealtime>[0]>
type FixtureOptions = NonNullable<Parameters<typeof relayFixture>[0]>

const ONE_EACH = { ModelRatio: '{"rt":1,"scribe":1}', CompletionRatio: '{"rt":1,"scribe":1}', RetryTimes: 1 }
const USED = realtimeUsage(
  { text_tokens: 10, audio_tokens: 20, cached_tokens: 0 },
  { text_tokens: 5, audio_tokens: 15 },
)

/** Answers every `response.create` with 50 tokens. */
const chatty: Overrides = {
  answer(event, voice) {
    if (event.type === 'response.create') voice.respond(USED)
  },
}

const fixture = async (overrides: Overrides = chatty, more: FixtureOptions = {}) => {
  const vendor = fakeRealtime(overrides)
  const relay = await relayFixture({ ...more, options: { ...ONE_EACH, ...more.options } })
  await relay.channel('rt', { type: 1, base_url: vendor.url })
  return { vendor, relay }
}

const call = (relay: RelayFixture, model = 'rt', key = relay.key) =>
  realtimeCaller(`${relay.app.url}/v1/realtime?model=${model}`, { key })

test('a conversation is relayed, and its end charges what the responses reported', async () => {
  const { vendor, relay } = await fixture()
  const caller = await call(relay)
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
  const { relay } = await fixture({
    answer: (_, voice) => voice.event({ type: 'error', error: { message: `No: Bearer ${secret}` } }),
  })
  const caller = await call(relay)
  await caller.next('session.created')
  caller.send({ type: 'response.create' })
  expect(JSON.stringify(await caller.next('error'))).toContain('No: Bearer ***')
  caller.socket.close(1000)
  await relay.atRest()
})

test('a caller sees that a response is done only after its cost is written', async () => {
  const { relay } = await fixture()
  const caller = await call(relay)
  for (let turn = 1; turn <= 3; turn++) {
    caller.send({ type: 'response.create' })
    await caller.next('response.done')
    expect(await relay.app.db.selectFrom('holds').select('progress').execute()).toEqual([{ progress: turn * 50 }])
  }
  caller.socket.close(1000)
  await relay.atRest()
})

test('events after a response stay after it, also the close', async () => {
  const { relay } = await fixture({
    answer(_, voice) {
      for (let turn = 0; turn < 3; turn++) {
        voice.respond(USED, 1)
        voice.event({ type: `after.${turn}` })
      }
      voice.close(1000)
    },
  })
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  expect(await caller.closed).toBe(1000)
  const [, ...events] = caller.events.map(({ type }) => type)
  const response = ['response.created', 'response.output_audio_transcript.delta', 'response.done']
  expect(events).toEqual([...response, 'after.0', ...response, 'after.1', ...response, 'after.2'])
  await relay.atRest()
  expect((await relay.onlyLog()).quota).toBe(150)
})

test('the vendor gets its own key, the mapped model, and nothing of the caller’s key', async () => {
  const { vendor, relay } = await fixture(chatty)
  await relay.channel('my-voice', { type: 1, base_url: vendor.url, model_mapping: '{"my-voice":"rt"}' })
  const caller = await call(relay, 'my-voice')
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
  const vendor = fakeRealtime(chatty)
  const relay = await relayFixture({ options: ONE_EACH })
  await relay.channel('rt', { type: 3, base_url: vendor.url, other: '2025-04-01-preview' })
  const caller = await call(relay)
  await caller.next('session.created')
  caller.socket.close(1000)
  await relay.atRest()
  const [exchange] = vendor.exchanges
  expect(exchange?.url.pathname).toBe('/openai/realtime')
  expect(exchange?.url.searchParams.get('deployment')).toBe('rt')
  expect(exchange?.headers.get('api-key')).toBe('sk-upstream-key-1234')
})

test('a browser sends its key among the protocols; it is never returned', async () => {
  const { vendor, relay } = await fixture()
  const protocols = [`openai-insecure-api-key.${relay.key}`, 'realtime', 'openai-beta.realtime-v1']
  const caller = await realtimeCaller(`${relay.app.url}/v1/realtime?model=rt`, { protocols })
  expect(caller.protocol).toBe('realtime')
  await caller.next('session.created')
  expect(vendor.exchanges[0]?.headers.get('openai-beta')).toBe('realtime=v1')
  caller.socket.close(1000)
  await relay.atRest()
})

test('OpenAI’s own client works through the gateway', async () => {
  const { relay } = await fixture()
  const openai = new OpenAI({ apiKey: relay.key, baseURL: `${relay.app.url}/v1`, dangerouslyAllowBrowser: true })
  const client = new OpenAIRealtimeWebSocket(
    {
      model: 'rt',
      dangerouslyAllowBrowser: true,
      // It always uses TLS, which the test's gateway does not have.
      onURL: (url) => {
        url.protocol = 'ws:'
      },
    },
    openai,
  )
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
    const { vendor, relay } = await fixture()
    const refused = await call(relay, model, key ?? relay.key).catch((error: Error) => error.message)
    expect(refused).toContain(`Expected 101 status code: ${status}`)
    expect(vendor.exchanges).toHaveLength(0)
  },
)

test('a request that is not an upgrade gets an error that says so', async () => {
  const { relay } = await fixture()
  const headers = { authorization: `Bearer ${relay.key}` }
  const answer = await fetch(`${relay.app.url}/v1/realtime?model=rt`, { headers })
  expect(answer.status).toBe(426)
  expect(await answer.json()).toMatchObject({ error: { code: 'relay_needs_socket' } })
})

test('a channel without realtime is not called', async () => {
  const relay = await relayFixture({ options: ONE_EACH })
  await relay.channel('rt', { type: 14 })
  const refused = await call(relay).catch((error: Error) => error.message)
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
] satisfies [string, Overrides][])(
  'if a vendor %s, the next channel is tried before the caller is upgraded',
  async (_, bad) => {
    const { relay } = await fixture()
    const broken = fakeRealtime(bad)
    await relay.channel('rt', { type: 1, base_url: broken.url, priority: 9 })
    const caller = await call(relay)
    await caller.next('session.created')
    caller.socket.close(1000)
    await relay.atRest()
    expect(broken.exchanges).toHaveLength(1)
    expect((await relay.onlyLog()).detail.attempts).toMatchObject([{ status: expect.any(Number) }, { status: 200 }])
    expect(await relay.app.audit()).toEqual([])
  },
)

test('a conversation keeps its key of a pool busy until it ends, and is charged to it', async () => {
  const vendor = fakeRealtime(chatty)
  const relay = await relayFixture({ options: ONE_EACH })
  const key = 'sk-first-of-pool-aaa1\nsk-second-of-pool-bbb2'
  const pool = { type: 1, base_url: vendor.url, key, key_pool: true, key_order: 'in_order' }
  const { id } = await relay.channel('rt', pool)
  const keys = async () => (await relay.root.get(`/api/channel/${id}/keys`)).data
  const ids = (await keys()).map((one: { id: number }) => one.id)
  await relay.root.put(`/api/channel/${id}/keys`, { ids, rate_limits: { concurrency: 1 } })
  const [one, two] = [await call(relay), await call(relay)]
  for (const caller of [one, two]) await caller.next('session.created')
  const used = vendor.exchanges.map(({ headers }) => headers.get('authorization')?.slice(-4))
  expect(used).toEqual(['aaa1', 'bbb2'])
  expect(await call(relay).catch((error: Error) => error.message)).toContain('429')
  two.send({ type: 'response.create' })
  await two.next('response.done')
  for (const caller of [one, two]) caller.socket.close(1000)
  await relay.atRest()
  expect(await keys()).toMatchObject([{ used_quota: 0 }, { used_quota: 50, calls: 1 }])
  const again = await call(relay)
  await again.next('session.created')
  again.socket.close(1000)
  await relay.atRest()
})

test('when every channel refuses, the caller gets the refusal and pays nothing', async () => {
  const { relay } = await fixture({ refuse: 503 })
  const refused = await call(relay).catch((error: Error) => error.message)
  expect(refused).toContain('Expected 101 status code: 503')
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0 })
  expect((await relay.onlyLog()).type).toBe(6)
})

test('the hold grows with the conversation', async () => {
  const { relay } = await fixture(chatty, { options: { PreConsumedQuota: 60 } })
  const caller = await call(relay)
  const held = async () => (await relay.account()).held
  expect(await held()).toBe(60)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  while ((await held()) < 110) await Bun.sleep(1)
  // What would be charged after a crash.
  const { progress } = await relay.app.db.selectFrom('holds').select('progress').executeTakeFirstOrThrow()
  expect(progress).toBe(50)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  while ((await held()) < 160) await Bun.sleep(1)
  caller.socket.close(1000)
  await relay.atRest()
  expect(await relay.account()).toMatchObject({ held: 0, used_quota: 100 })
})

test('a balance that is used up ends the conversation with an error event, settled to what was used', async () => {
  const { vendor, relay } = await fixture(chatty, { quota: 130, options: { PreConsumedQuota: 60 } })
  const caller = await call(relay)
  for (let turn = 0; turn < 3; turn++) caller.send({ type: 'response.create' })
  const { error } = await caller.next('error')
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' })
  expect(await caller.closed).toBe(1008)
  // The last event arrived after the settlement.
  const { used_quota, quota, held } = await relay.account()
  expect(used_quota % 50).toBe(0)
  expect(quota).toBe(130 - used_quota)
  expect(held).toBe(0)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'quota_end' })
  expect(await vendor.exchanges[0]?.closed).toBeNumber()
  expect(await relay.app.audit()).toEqual([])
})

test('a response that does not end is metered while it is streamed, and ends with the balance', async () => {
  const { relay } = await fixture(
    {
      answer(_, voice) {
        const delta = 'word '.repeat(240)
        for (let at = 0; at < 20; at++) voice.event({ type: 'response.output_text.delta', delta })
      },
    },
    { quota: 1000, options: { PreConsumedQuota: 100 } },
  )
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  expect((await caller.next('error')).error).toMatchObject({ code: 'insufficient_quota' })
  expect(await caller.closed).toBe(1008)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'quota_end', source: 'estimated' })
  expect((await relay.account()).held).toBe(0)
  expect(await relay.app.audit()).toEqual([])
})

test('a caller that is killed in the middle pays for what was reported and what was in progress', async () => {
  const { vendor, relay } = await fixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
      else voice.event({ type: 'response.output_text.delta', delta: 'eight by' })
    },
  })
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.send({ type: 'x' })
  await caller.next('response.output_text.delta')
  caller.socket.terminate()
  await relay.atRest()
  await vendor.exchanges[0]?.closed
  const { quota, detail } = await relay.onlyLog()
  expect(detail).toMatchObject({ flag: 'client_abort', source: 'estimated' })
  expect(quota).toBeGreaterThan(52)
  expect(quota).toBeLessThan(90)
  expect(await relay.app.audit()).toEqual([])
})

test('an interrupted vendor becomes an error event, and only what it delivered is charged', async () => {
  const { relay } = await fixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
      else voice.cut()
    },
  })
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.send({ type: 'x' })
  expect((await caller.next('error')).error).toMatchObject({ message: expect.stringContaining('broke off') })
  expect(await caller.closed).toBe(1011)
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'partial', source: 'reported' })
})

test('a vendor that breaks off before sending anything is a failed call', async () => {
  const { relay } = await fixture({ answer: (_, voice) => voice.cut() })
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  await caller.next('error')
  expect(await relay.account()).toMatchObject({ used_quota: 0, held: 0, request_count: 0 })
  expect((await relay.onlyLog()).type).toBe(6)
})

test('a vendor’s error event is passed to the caller, and the conversation continues', async () => {
  const { relay } = await fixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
      else voice.event({ type: 'error', error: { type: 'invalid_request_error', code: 'x', message: 'Unknown event' } })
    },
  })
  const caller = await call(relay)
  caller.send({ type: 'nonsense' })
  expect((await caller.next('error')).error).toMatchObject({ message: 'Unknown event' })
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.socket.close(1000)
  await relay.atRest()
  expect((await relay.account()).used_quota).toBe(50)
})

test('a vendor that closes the session normally closes it for the caller', async () => {
  const { relay } = await fixture({
    answer(_, voice) {
      voice.respond(USED)
      voice.close(1000)
    },
  })
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  expect(await caller.closed).toBe(1000)
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
})

test.each([
  ['a silence of a quarter of an hour', 16 * 60],
  ['more than an hour', 66 * 60],
])('%s ends the conversation', async (_, seconds) => {
  const { relay } = await fixture()
  const caller = await call(relay)
  await caller.next('session.created')
  relay.app.clock.pass(seconds)
  relay.app.parts.watchdog.check()
  expect((await caller.next('error')).error).toMatchObject({ type: 'upstream_error' })
  expect(await caller.closed).toBe(1001)
  await relay.atRest()
})

test('a server that stops ends the conversation and settles it', async () => {
  const { relay } = await fixture()
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  relay.app.parts.watchdog.endAll()
  expect((await caller.next('error')).error).toMatchObject({
    code: 'relay_restarting',
    message: expect.stringContaining('The gateway is restarting'),
  })
  expect(await caller.closed).toBe(1012)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'restart' })
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
  expect(await relay.app.audit()).toEqual([])
})

test('a conversation of a banned user ends and is settled', async () => {
  const { relay } = await fixture()
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  await relay.root.post('/api/user/manage', { username: relay.payer.username, action: 'disable' })
  await relay.app.parts.jobs.find(({ name }) => name === 'revoked callers')?.run()
  expect((await caller.next('error')).error).toMatchObject({ code: 'relay_user_disabled' })
  expect(await caller.closed).toBe(1008)
  expect((await relay.onlyLog()).detail).toMatchObject({ flag: 'revoked' })
  expect(await relay.account()).toMatchObject({ used_quota: 50, held: 0 })
  expect(await relay.app.audit()).toEqual([])
})

test.each([
  ['negative', { ...USED, input_tokens: -5 }],
  ['gigantic', { ...USED, input_tokens: 90_000_000, input_token_details: {} }],
])('a %s report is not accepted: that response is counted', async (_, usage) => {
  const { relay } = await fixture({ answer: (__, voice) => voice.respond(usage, 40) })
  const caller = await call(relay)
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, detail } = await relay.onlyLog()
  expect(detail.source).toBe('usage_anomaly')
  expect(quota).toBeGreaterThan(40)
  expect(quota).toBeLessThan(100)
})

test('transcribing the caller’s speech is charged at the price of the transcribing model', async () => {
  const session = { audio: { input: { transcription: { model: 'scribe' } } } }
  const usage = { type: 'tokens', total_tokens: 22, input_tokens: 13, output_tokens: 9, input_token_details: {} }
  const transcript = 'conversation.item.input_audio_transcription.completed'
  const { relay } = await fixture(
    {
      answer(_, voice) {
        voice.event({ type: 'session.updated', session })
        voice.event({ type: transcript, item_id: 'i', transcript: 'hello', usage })
      },
    },
    { options: { ModelRatio: '{"rt":1,"scribe":3}' } },
  )
  const caller = await call(relay)
  caller.send({ type: 'session.update', session })
  await caller.next(transcript)
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, detail } = await relay.onlyLog()
  expect(quota).toBe(66)
  expect(detail.beside).toBe(66)
})

test('an incremental transcript of the caller’s speech is not taken for an answer', async () => {
  const said = 'conversation.item.input_audio_transcription'
  const usage = { type: 'duration', seconds: 2.5 }
  const { relay } = await fixture({
    answer(_, voice) {
      voice.event({ type: `${said}.delta`, item_id: 'i', delta: 'a very long story '.repeat(100) })
      voice.event({ type: `${said}.completed`, item_id: 'i', transcript: 'a very long story', usage })
    },
  })
  const caller = await call(relay)
  caller.send({ type: 'input_audio_buffer.commit' })
  await caller.next(`${said}.completed`)
  caller.socket.close(1000)
  await relay.atRest()
  const { quota, detail } = await relay.onlyLog()
  // A tenth of a second is a token, at the price of the conversation, since no other model was named.
  expect(quota).toBe(25)
  expect(detail).toMatchObject({ source: 'reported', beside: 25 })
})

test('a caller that does not read slows the vendor, and loses nothing', async () => {
  const count = 300
  let accepted = 0
  const { relay } = await fixture({
    answer(_, voice) {
      const delta = 'A'.repeat(100_000)
      for (let at = 0; at < count; at++) {
        voice.event({ type: 'response.output_audio.delta', delta, at })
        accepted++
      }
      voice.respond(USED)
    },
  })
  const caller = await call(relay)
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
  const { vendor, relay } = await fixture({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(USED)
    },
  })
  const caller = await call(relay)
  const audio = 'A'.repeat(200_000)
  for (let at = 0; at < 100; at++) caller.send({ type: 'input_audio_buffer.append', audio })
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  expect(vendor.exchanges[0]?.received).toHaveLength(101)
  caller.socket.close(1000)
  await relay.atRest()
})
