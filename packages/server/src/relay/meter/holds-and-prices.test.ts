import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../../testing/app.ts'
import { EACH_TOKEN_COSTS_1, PROMPT, PROMPT_HELD, REPORTED } from '../../testing/call-costs.ts'
import { makeChannel } from '../../testing/channel-makers.ts'
import { refusedAddress } from '../../testing/fake-upstream.ts'
import { ledgerFixture } from '../../testing/ledger-fixture.ts'
import { setOptions } from '../../testing/makers.ts'
import { rawUpstream } from '../../testing/raw-upstream.ts'
import { ASKS_COST, booksOf, PLAIN_AND_STREAM, readStream, relayFixture } from '../../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test('a model without a price is billed at DefaultModelRatio and marked in the log [R1.14]', async () => {
  const { app, channel, chat, charges, logs } = await relayFixture()
  await channel('say/10,gpt-4o-mini')
  await chat('say/10')
  await setOptions(app, { ModelRatio: '{"say/10":2}', CompletionRatio: '{"say/10":3}' })
  await chat('say/10')
  await chat('gpt-4o-mini')
  expect(await charges()).toMatchObject([{ delta: -30 * REPORTED }, { delta: -(11 * 2 + 10 * 6) }, { delta: -4 }])
  expect((await logs()).map(({ detail }) => detail.price.source)).toEqual(['default', 'ratio', 'library'])
})

test.each(PLAIN_AND_STREAM)(
  'a free model costs nothing, needs no balance, and is logged ($way)',
  async ({ stream }) => {
    const { app, channel, chat, charges, onlyLog } = await relayFixture({
      quota: 0,
      options: { ModelRatio: '{"say/10":0}' },
    })
    await channel('say/10')
    const response = await chat('say/10', { stream })
    expect(response.status).toBe(200)
    await response.text()
    expect((await charges()).map(({ delta }) => delta)).toEqual([0])
    expect(await onlyLog()).toMatchObject({ type: 2, quota: 0, prompt_tokens: 11, completion_tokens: 10 })
    expect(await app.audit()).toEqual([])
  },
)

test('a call that is not free needs a balance, however small the estimate', async () => {
  const { channel, chat, upstream, account } = await relayFixture({ quota: 0, options: { PreConsumedQuota: 0 } })
  await channel('say/10')
  const response = await chat('say/10', { messages: [] })
  expect([response.status, (await response.json()).error.code]).toEqual([429, 'insufficient_quota'])
  expect(upstream.journal).toEqual([])
  expect(await account()).toMatchObject({ quota: 0, held: 0 })
})

test('a charge above the hold is taken in full, and the next call is refused [R1.12]', async () => {
  const { channel, chat, account } = await relayFixture({
    quota: 20,
    options: { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: 0 },
  })
  await channel('say/100')
  expect((await chat('say/100')).status).toBe(200)
  expect(await account()).toMatchObject({ quota: 20 - 111, held: 0 })
  const refused = await chat('say/100')
  expect([refused.status, (await refused.json()).error.code]).toEqual([429, 'insufficient_quota'])
})

test.each([
  ['/v1/chat/completions', { max_completion_tokens: 1, max_tokens: 1000 }],
  ['/v1/completions', { max_tokens: 10, best_of: 100, n: 1 }],
  ['/v1beta/models/say/5:generateContent', { generationConfig: { maxOutputTokens: 1000 } }],
  ['/v1beta/models/say/5:generateContent', { generationConfig: { maxOutputTokens: 10, candidateCount: 100 } }],
  ['/v1beta/models/say/5:generateContent', { generation_config: { max_output_tokens: 1000 } }],
  ['/v1beta/models/say/5:generateContent', { generation_config: { maxOutputTokens: 10, candidate_count: 100 } }],
  ['/v1beta/models/say/5:generateContent', { generationConfig: { max_output_tokens: 10, candidate_count: 100 } }],
])('the hold covers the maximum that a body requests: %s %j', async (path, asked) => {
  const fixture = await relayFixture({ quota: 500, options: { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: 1 } })
  await fixture.channel('say/5')
  const response = await fixture.post(path, { model: 'say/5', prompt: 'x', messages: [], contents: [], ...asked })
  expect(response.status).toBe(429)
  expect(fixture.upstream.journal).toEqual([])
})

test('a stream that outgrows its hold continues as long as the balance lasts, and ends there [R2.67]', async () => {
  const { app, channel, chat, account, onlyLog, upstream } = await relayFixture({
    quota: 500,
    options: { ...EACH_TOKEN_COSTS_1, PreConsumedQuota: 10 },
  })
  await channel('pace/1/2000')
  const { error, content, cost } = await readStream(await chat('pace/1/2000', { stream: true }, ASKS_COST))
  expect(error).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' })
  const spent = PROMPT + Math.ceil(content.length / 4)
  expect(cost).toMatchObject({ cost: spent })
  // 16 were held, then 32, 64, 128, 256; the balance did not allow 512, but smaller steps up to the end of it.
  expect(spent).toBeWithin(500, 502)
  expect(await account()).toMatchObject({ quota: 500 - spent, held: 0 })
  expect(await onlyLog()).toMatchObject({ type: 2, detail: { flag: 'quota_end' } })
  await upstream.until(([exchange]) => exchange?.aborted === true)
  expect(await app.audit()).toEqual([])
})

test('each kind of token is counted once, and the kinds add up to the total [R1.15]', async () => {
  const { channel, chat, onlyLog } = await relayFixture({
    options: { ModelRatio: '{"usage/buckets":1}', CompletionRatio: '{"usage/buckets":3}' },
  })
  await channel('usage/buckets')
  await chat('usage/buckets')
  expect(await onlyLog()).toMatchObject({
    ...{ prompt_tokens: 1000, completion_tokens: 200, quota: 1000 + 3 * 200 },
    detail: {
      usage: { input: 300, cachedInput: 600, audioInput: 100, output: 50, reasoning: 120, audioOutput: 30 },
    },
  })
})

test('a stream whose process died is charged its recorded progress, a plain call nothing [R1.13]', async () => {
  const { app, store, hold, user } = await ledgerFixture()
  await app.db.insertInto('owners').values({ epoch: 'dead', node: 'n', started_at: 1, closed_at: null }).execute()
  const dead = { epoch: 'dead', price: '{"model":"gpt-4o"}' }
  await store.run([
    { ...hold('a stream', 100), ...dead },
    { ...hold('a plain call', 50), ...dead },
  ])
  await store.run([{ type: 'progress', id: 'a stream', used: 40 }])
  // The next process to start finds that nobody holds the epoch's lock.
  await testApp({ location: app.location })
  const { charges, openHolds, onlyLog, account } = booksOf(app, user.id)
  expect(await openHolds()).toEqual([])
  expect(await charges()).toMatchObject([{ kind: 'consume', ref: 'a stream', delta: -40 }])
  expect(await account()).toEqual({ quota: 999_960, held: 0, used_quota: 40, request_count: 1 })
  expect(await onlyLog()).toMatchObject({
    ...{ type: 2, quota: 40, model_name: 'gpt-4o', request_id: 'a stream' },
    detail: { flag: 'recovered' },
  })
  expect(await app.audit()).toEqual([])
})

test('a proxy call costs its flat price if the other side answered, and nothing if it failed', async () => {
  const { app, root, upstream, post, charges, openHolds } = await relayFixture({ options: { ProxyCallPrice: 50 } })
  const { id } = await makeChannel(root, { type: 43, base_url: upstream.url, models: 'proxy' })
  const broken = await makeChannel(root, { type: 43, base_url: await refusedAddress(), models: 'proxy' })
  expect((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'say/3' })).status).toBe(200)
  expect((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'fault/bad-request' })).status).toBe(400)
  expect((await post(`/v1/oneapi/proxy/${id}/v1/chat/completions`, { model: 'fault/server' })).status).toBe(503)
  expect((await post(`/v1/oneapi/proxy/${broken.id}/anything`, { model: 'x' })).status).toBe(502)
  expect((await charges()).map(({ delta }) => delta)).toEqual([-50, -50])
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('a proxy call whose answer is not HTTP costs nothing, and the log says what was wrong', async () => {
  const { app, root, post, charges, openHolds, onlyLog } = await relayFixture({ options: { ProxyCallPrice: 50 } })
  const { url } = await rawUpstream('nul-in-name')
  const { id } = await makeChannel(root, { type: 43, base_url: url, models: 'proxy' })
  expect((await post(`/v1/oneapi/proxy/${id}/anything`, { model: 'x' })).status).toBe(502)
  expect(await charges()).toEqual([])
  expect((await onlyLog()).content_en).toContain('not valid HTTP: a header line that is none')
  expect(await openHolds()).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('one hold stands for a call whatever the retries, and the price is that of the channel that answered [R1.11]', async () => {
  const { app, channel, chat, charges } = await relayFixture({
    options: { RetryTimes: 3, ModelRatio: '{"cheap":1,"fault/server":1,"say/10":5}' },
  })
  await channel('model', { priority: 2, model_mapping: '{"model":"fault/server"}' })
  await channel('model', { priority: 1, model_mapping: '{"model":"say/10"}' })
  const response = await chat('model')
  expect(response.status).toBe(200)
  // The hold had grown to what the dearer channel might cost.
  const id = response.headers.get('x-request-id') ?? ''
  expect(app.holds()).toMatchObject([{ id, amount: 5 * (PROMPT_HELD + 500) }])
  expect(await charges()).toMatchObject([{ ref: id, delta: -5 * REPORTED }])
})
