import { expect, test } from 'bun:test'
import { fakeRealtime, realtimeCaller, realtimeUsage } from '../../testing/fake-realtime.ts'
import { fakeVendor } from '../../testing/fake-vendor.ts'
import { atOnce, setLimits } from '../../testing/limit-makers.ts'
import { makeUser } from '../../testing/makers.ts'
import { keyOf, MESSAGES, type RelayFixture, relayFixture } from '../../testing/relay-fixture.ts'
import { makeToken } from '../../testing/token-makers.ts'

/** Reports 12 tokens of input and 10 of output. */
const MODEL = 'fixed/12/10'

const fixture = async (limits: Parameters<typeof setLimits>[1], models = MODEL) => {
  const relay = await relayFixture()
  await relay.channel(models)
  await setLimits(relay, limits)
  return relay
}

const statusOf = async (answer: Promise<Response>) => {
  const { status, body } = await answer
  await body?.cancel()
  return status
}

/** The limits as their owner sees them. */
const shown = async ({ payer }: RelayFixture) => (await payer.client.get('/api/user/self/limits')).data

test('of sixty concurrent calls exactly as many pass as the limit allows, whoever has it', async () => {
  for (const limits of [{ key: { rpm: 6 } }, { user: { rpm: 6 } }, { group: { default: { rpm: 6 } } }]) {
    const relay = await fixture(limits)
    expect(await atOnce(60, () => relay.chat(MODEL))).toEqual({ 200: 6, 429: 54 })
    expect(relay.upstream.journal).toHaveLength(6)
    // One share of the minute frees one.
    relay.app.clock.pass(10)
    expect(await atOnce(5, () => relay.chat(MODEL))).toEqual({ 200: 1, 429: 4 })
    expect(await relay.app.audit()).toEqual([])
  }
})

test('a refusal names the limit and when to retry, in the caller’s language', async () => {
  const relay = await fixture({ user: { rpm: 2, models: { [MODEL]: { rpm: 1 } } } })
  await statusOf(relay.chat(MODEL))
  const english = await relay.chat(MODEL)
  expect(english.headers.get('retry-after')).toBe('60')
  expect((await english.json()).error.message).toMatch(
    /^The rate limit of the account for the model fixed\/12\/10 is reached: at most 1 requests per minute\. Try again in 60 s /,
  )
  const chinese = await relay.chat(MODEL, {}, { headers: { 'accept-language': 'zh-CN' } })
  expect((await chinese.json()).error.message).toMatch(
    /^账户对模型 fixed\/12\/10 已达到速率限制：每分钟请求数上限为 1，请在 60 秒后再试/,
  )
})

test('the strictest limit decides, and a refused call uses nothing of the others', async () => {
  const relay = await fixture({ key: { rpm: 5 }, user: { rpm: 3 }, group: { default: { rpm: 10 } } })
  expect(await atOnce(20, () => relay.chat(MODEL))).toEqual({ 200: 3, 429: 17 })
  const { limits } = await shown(relay)
  expect(limits.map(({ scope, rpm }: { scope: string; rpm: object }) => [scope, rpm])).toEqual([
    ['user', { limit: 3, used: 3 }],
    ['group', { limit: 10, used: 3 }],
    ['key', { limit: 5, used: 3 }],
  ])
})

test('a key, a user and a group have limits for single models, beside those for all', async () => {
  const other = 'fixed/1/1'
  const relay = await fixture({ key: { rpm: 5, models: { [MODEL]: { rpm: 2 } } } }, `${MODEL},${other}`)
  expect(await atOnce(10, () => relay.chat(MODEL))).toEqual({ 200: 2, 429: 8 })
  expect(await atOnce(10, () => relay.chat(other))).toEqual({ 200: 3, 429: 7 })
})

test('keys of one user are counted separately by their own limits, and together by the user’s', async () => {
  const relay = await fixture({ key: { rpm: 2 }, user: { rpm: 5 } })
  const { key } = await makeToken(relay.payer.client, { unlimited_quota: true })
  expect(await atOnce(10, () => relay.chat(MODEL))).toEqual({ 200: 2, 429: 8 })
  expect(await atOnce(10, () => relay.chat(MODEL, {}, { key: `sk-${key}` }))).toEqual({ 200: 3, 429: 7 })
})

test('a group’s limits apply to each of its users, by the user’s first group', async () => {
  const relay = await fixture({ group: { default: { rpm: 2 }, vip: { rpm: 4 } } })
  const vip = await makeUser(relay.app, { quota: 1_000_000, group: 'vip,default' })
  const key = await keyOf(vip.client)
  expect(await atOnce(10, () => relay.chat(MODEL))).toEqual({ 200: 2, 429: 8 })
  expect(await atOnce(10, () => relay.chat(MODEL, {}, { key }))).toEqual({ 200: 4, 429: 6 })
})

test('tokens are counted by the estimate, and after the call by the actual usage', async () => {
  const relay = await relayFixture()
  const answering = Promise.withResolvers<void>()
  const vendor = fakeVendor(async () => {
    await answering.promise
    return Response.json({
      choices: [{ index: 0, message: { role: 'assistant', content: 'Noon.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 10, total_tokens: 22 },
    })
  })
  await relay.channel(MODEL, { base_url: vendor.url })
  await setLimits(relay, { key: { tpm: 1000 } })
  // 900 of output and a few of input: a second one does not fit while the first one runs.
  const both = [1, 2].map(() => statusOf(relay.chat(MODEL, { max_tokens: 900 })))
  expect(await Promise.race(both)).toBe(429)
  answering.resolve()
  expect((await Promise.all(both)).sort()).toEqual([200, 429])
  expect((await shown(relay)).limits[0].tpm).toEqual({ limit: 1000, used: 22 })
  const refused = await relay.chat(MODEL, { max_tokens: 985 })
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await refused.json()).error).toMatchObject({ code: 'rate_limit_exceeded', type: 'tokens' })
  expect(await statusOf(relay.chat(MODEL, { max_tokens: 900 }))).toBe(200)
})

test('a call estimated above the whole limit takes all of it, and passes when all of it is available', async () => {
  const relay = await fixture({ key: { tpm: 100 } })
  expect(await statusOf(relay.chat(MODEL, { max_tokens: 5000 }))).toBe(200)
  // 22 of 100 were used, which are back after 13.2 seconds.
  expect((await relay.chat(MODEL, { max_tokens: 5000 })).headers.get('retry-after')).toBe('14')
  relay.app.clock.pass(14)
  expect(await statusOf(relay.chat(MODEL, { max_tokens: 5000 }))).toBe(200)
})

test('a call that used more than estimated delays the next ones for all of it', async () => {
  const relay = await fixture({ key: { tpm: 100 } }, 'fixed/50/150')
  expect(await statusOf(relay.chat('fixed/50/150', { max_tokens: 10 }))).toBe(200)
  expect((await shown(relay)).limits[0].tpm).toEqual({ limit: 100, used: 200 })
  relay.app.clock.pass(60)
  expect(await statusOf(relay.chat('fixed/50/150', { max_tokens: 50 }))).toBe(429)
  relay.app.clock.pass(60)
  expect(await statusOf(relay.chat('fixed/50/150', { max_tokens: 50 }))).toBe(200)
})

test('a call that fails is a request without tokens', async () => {
  const relay = await fixture({ key: { rpm: 5, tpm: 1000, concurrency: 1 } }, 'fault/server')
  for (let turn = 0; turn < 3; turn++) expect(await statusOf(relay.chat('fault/server'))).toBe(503)
  expect((await shown(relay)).limits).toMatchObject([
    { rpm: { used: 3 }, tpm: { used: 0 }, concurrency: { limit: 1, used: 0 } },
  ])
})

test('a call that the balance refuses is a request, and releases its tokens and its slot', async () => {
  const relay = await relayFixture({ quota: 0 })
  await relay.channel(MODEL)
  await setLimits(relay, { user: { rpm: 2, tpm: 10_000, concurrency: 1 } })
  const codes = []
  for (let turn = 0; turn < 3; turn++) codes.push((await (await relay.chat(MODEL)).json()).error.code)
  expect(codes).toEqual(['insufficient_quota', 'insufficient_quota', 'rate_limit_exceeded'])
  expect((await shown(relay)).limits).toMatchObject([{ rpm: { used: 2 }, tpm: { used: 0 }, concurrency: { used: 0 } }])
})

test('a call whose first channel has no budget left is one request, and one that no budget covers releases the rest', async () => {
  const relay = await relayFixture()
  const first = await relay.channel(MODEL, { priority: 10 })
  const second = await relay.channel(MODEL)
  const spent = (scope: string, target: number) =>
    relay.root.post('/api/budget/', { scope, target: String(target), quota: 1, period: 'day', zone: 'UTC' })
  expect((await spent('channel', first.id)).success).toBe(true)
  await setLimits(relay, { user: { rpm: 5, tpm: 10_000, concurrency: 1 } })
  expect(await statusOf(relay.chat(MODEL))).toBe(200)
  expect((await relay.onlyLog()).channel).toBe(second.id)
  expect((await shown(relay)).limits).toMatchObject([{ rpm: { used: 1 }, tpm: { used: 22 } }])
  expect((await spent('user', relay.payer.id)).success).toBe(true)
  expect(await statusOf(relay.chat(MODEL))).toBe(429)
  const after = { rpm: { used: 2 }, tpm: { used: 22 }, concurrency: { used: 0 } }
  expect((await shown(relay)).limits).toMatchObject([after])
})

test('this many concurrent calls pass, and the next one when one of them has ended, however it ends', async () => {
  const relay = await fixture({ user: { concurrency: 3 } }, `${MODEL},fault/hang,fault/wait,fault/end-mid`)
  const clients = [new AbortController(), new AbortController()]
  const hanging = clients.map(({ signal }) => relay.chat('fault/hang', {}, { signal }).catch(() => 'left'))
  const stream = await relay.chat('fault/wait', { stream: true })
  await relay.upstream.received(3)
  const refused = await relay.chat(MODEL)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await refused.json()).error.message).toContain('at most 3 concurrent calls')
  expect((await shown(relay)).limits[0].concurrency).toEqual({ limit: 3, used: 3 })

  for (const client of clients) client.abort()
  await Promise.all(hanging)
  await until(async () => (await shown(relay)).limits[0].concurrency.used === 1)
  expect(await atOnce(2, () => relay.chat(MODEL))).toEqual({ 200: 2 })

  relay.upstream.release()
  await stream.text()
  expect((await shown(relay)).limits[0].concurrency.used).toBe(0)
  await (await relay.chat('fault/end-mid', { stream: true })).text()
  await relay.atRest()
  expect((await shown(relay)).limits[0].concurrency.used).toBe(0)
})

test('a realtime conversation is one request, open until its end, and its tokens count as it goes', async () => {
  const used = realtimeUsage(
    { text_tokens: 10, audio_tokens: 20, cached_tokens: 0 },
    { text_tokens: 5, audio_tokens: 15 },
  )
  const vendor = fakeRealtime({
    answer: (event, voice) => void (event.type === 'response.create' && voice.respond(used)),
  })
  const relay = await relayFixture()
  await relay.channel('rt', { type: 1, base_url: vendor.url })
  await setLimits(relay, { key: { rpm: 2, tpm: 10_000, concurrency: 1 } })
  const address = `${relay.app.url}/v1/realtime?model=rt`
  const caller = await realtimeCaller(address, { key: relay.key })
  await caller.next('session.created')
  for (let turn = 0; turn < 2; turn++) {
    caller.send({ type: 'response.create' })
    await caller.next('response.done')
  }
  expect((await shown(relay)).limits).toMatchObject([
    { rpm: { used: 1 }, tpm: { used: 100 }, concurrency: { used: 1 } },
  ])
  const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }
  const headers = { ...upgrade, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', authorization: `Bearer ${relay.key}` }
  expect((await fetch(address, { headers })).status).toBe(429)
  caller.socket.close(1000)
  await relay.atRest()
  expect((await shown(relay)).limits[0].concurrency.used).toBe(0)
})

test('calls of every kind are counted in the same place', async () => {
  const relay = await fixture({ key: { rpm: 4 } }, 'gpt-4o-mini')
  const body = { model: 'gpt-4o-mini', messages: MESSAGES, max_tokens: 9 }
  expect(await statusOf(relay.post('/v1/messages', body))).toBe(200)
  expect(await statusOf(relay.post('/v1/responses', { model: 'gpt-4o-mini', input: 'Hi' }))).toBe(200)
  expect(await statusOf(relay.post('/v1/embeddings', { model: 'gpt-4o-mini', input: 'Hi' }))).toBe(200)
  const contents = [{ parts: [{ text: 'Hi' }] }]
  expect(await statusOf(relay.post('/v1beta/models/gpt-4o-mini:generateContent', { contents }))).toBe(200)
  expect(await statusOf(relay.chat('gpt-4o-mini'))).toBe(429)
  const models = await fetch(`${relay.app.url}/v1/models`, { headers: { authorization: `Bearer ${relay.key}` } })
  expect(models.status).toBe(200)
})

test('a call through a proxy channel is a request too', async () => {
  const relay = await relayFixture()
  const vendor = fakeVendor(() => Response.json({ ok: true }, { headers: { 'x-ratelimit-remaining-requests': '59' } }))
  const { id } = await relay.channel('', { type: 43, base_url: vendor.url })
  await setLimits(relay, { key: { rpm: 1, concurrency: 1 } })
  const first = await relay.post(`/v1/oneapi/proxy/${id}/any`, {})
  expect([first.status, first.headers.get('x-ratelimit-remaining-requests')]).toEqual([200, '0'])
  expect(await statusOf(relay.post(`/v1/oneapi/proxy/${id}/any`, {}))).toBe(429)
  expect((await shown(relay)).limits).toMatchObject([{ rpm: { used: 1 }, concurrency: { used: 0 } }])
})

test('a removed limit no longer applies', async () => {
  const relay = await fixture({ key: { rpm: 1 } })
  expect(await atOnce(3, () => relay.chat(MODEL))).toEqual({ 200: 1, 429: 2 })
  await setLimits(relay, { key: {} })
  expect(await atOnce(3, () => relay.chat(MODEL))).toEqual({ 200: 3 })
  expect((await shown(relay)).limits).toEqual([])
})

async function until(condition: () => Promise<boolean>) {
  const deadline = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It did not become so')
    await Bun.sleep(5)
  }
}
