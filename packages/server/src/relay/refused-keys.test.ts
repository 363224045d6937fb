import { expect, setDefaultTimeout, test } from 'bun:test'
import { setOptions } from '../testing/makers.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf } from '../testing/token-makers.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const WHOLE = 'say/10'

const COST = 21

/** The answer with which one key is refused. */
async function refusalFor({ chat }: RelayFixture, key: string, model = WHOLE) {
  const response = await chat(model, {}, { key })
  const body = await response.json()
  return [response.status, body.error?.code]
}

test('a key that is unknown, disabled, expired, empty or deleted is refused', async () => {
  const fixture = await relayFixture()
  const { app, payer, channel, account, upstream } = fixture
  await channel(WHOLE)
  const make = (fields: object) => makeToken(payer.client, { unlimited_quota: true, ...fields })
  const disabled = await make({})
  await payer.client.put('/api/token/?status_only=true', { id: disabled.id, status: 2 })
  const expired = await make({ expired_time: nowOf(app) + 10 })
  app.clock.pass(10)
  const empty = await make({ unlimited_quota: false, remain_quota: 0 })
  const deleted = await make({})
  await payer.client.delete(`/api/token/${deleted.id}`)
  const refusals = []
  for (const key of ['', 'sk-unknown', `sk-${disabled.key}`, `sk-${expired.key}`, `sk-${empty.key}`]) {
    refusals.push(await refusalFor(fixture, key))
  }
  refusals.push(await refusalFor(fixture, `sk-${deleted.key}`))
  expect(refusals).toEqual([
    [401, 'relay_no_key'],
    [401, 'relay_bad_key'],
    [401, 'relay_key_disabled'],
    [401, 'relay_key_expired'],
    [429, 'insufficient_quota'],
    [401, 'relay_bad_key'],
  ])
  expect(upstream.journal).toEqual([])
  expect(await account()).toMatchObject({ held: 0, used_quota: 0 })
})

test.each([
  ['opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14', 402],
  ['QwenCode/0.24.4 (linux; x64)', 402],
  ['ai/6.0.326 ai-sdk/provider-utils/4.0.65 runtime/node.js/26', 402],
  ['ai-sdk/openai-compatible/3.0.37 ai-sdk/provider-utils/5.0.30 runtime/bun/1.3.13', 402],
  ['ai-sdk-openai/4.0.118 ai-sdk-provider-utils/5.0.81 node.js/v26', 402],
  ['some-agent/1.0 ai-sdk/provider-utils/5.0.30', 402],
  ['google-genai-sdk/2.34.0 gl-python/3.11 langchain-google-genai/4.4.2-ChatGoogleGenerativeAI', 402],
  ['OpenAI/JS 6.49.0', 429],
  ['not opencode/1', 429],
])('an empty balance has a status after which the program does not retry: %s', async (program, status) => {
  const { chat, channel } = await relayFixture({ quota: 0, options: { DefaultModelRatio: 1 } })
  await channel(WHOLE)
  const answer = await chat(WHOLE, {}, { headers: { 'user-agent': program } })
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([status, 'false'])
  expect((await answer.json()).error).toMatchObject({ code: 'insufficient_quota', type: 'insufficient_quota' })
})

test('a key allows only its own models and networks', async () => {
  const fixture = await relayFixture()
  const { payer, channel } = fixture
  await channel(`${WHOLE},say/5`)
  const models = await makeToken(payer.client, { unlimited_quota: true, models: 'say/5' })
  const elsewhere = await makeToken(payer.client, { unlimited_quota: true, subnet: '10.0.0.0/8,192.168.1.0/24' })
  const here = await makeToken(payer.client, { unlimited_quota: true, subnet: '10.0.0.0/8,127.0.0.0/8' })
  expect(await refusalFor(fixture, `sk-${models.key}`)).toEqual([403, 'relay_model_refused'])
  expect(await refusalFor(fixture, `sk-${models.key}`, 'say/5')).toEqual([200, undefined])
  expect(await refusalFor(fixture, `sk-${elsewhere.key}`)).toEqual([403, 'relay_wrong_address'])
  expect(await refusalFor(fixture, `sk-${here.key}`)).toEqual([200, undefined])
})

test('a key is exhausted when it has spent its quota, and works again when it is given more', async () => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { app, payer, channel, chat } = fixture
  await channel(WHOLE)
  const token = await makeToken(payer.client, { unlimited_quota: false, remain_quota: COST })
  const key = `sk-${token.key}`
  // The hold for a call may be more than its cost; with a limit it fits exactly.
  expect((await chat(WHOLE, { max_tokens: 9 }, { key })).status).toBe(200)
  app.clock.pass(1)
  expect(await refusalFor(fixture, key)).toEqual([429, 'insufficient_quota'])
  const { data } = await payer.client.get(`/api/token/${token.id}`)
  expect([data.status, data.remain_quota, data.used_quota]).toEqual([4, 0, COST])
  await payer.client.put('/api/token/', { id: token.id, remain_quota: 100 })
  app.clock.pass(1)
  expect((await chat(WHOLE, { max_tokens: 9 }, { key })).status).toBe(200)
})

test('a change of a key, its owner, a channel or an option takes effect with its answer', async () => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { app, root, payer, channel, chat, key, charges } = fixture
  const { id } = await channel(WHOLE)
  const asked = async (model = WHOLE) => (await chat(model)).status
  expect(await asked()).toBe(200)

  await root.put('/api/channel/', { id, models: 'say/5' })
  expect([await asked(), await asked('say/5')]).toEqual([404, 200])
  await root.put('/api/channel/', { id, models: WHOLE, status: 2 })
  expect(await asked()).toBe(404)
  await root.put('/api/channel/', { id, status: 1 })
  expect(await asked()).toBe(200)

  await setOptions(app, { DefaultModelRatio: 4 })
  expect(await asked()).toBe(200)
  expect((await charges()).at(-1)?.delta).toBe(-4 * COST)

  const [token] = (await payer.client.get('/api/token/')).data
  const setStatus = (status: number) => payer.client.put('/api/token/?status_only=true', { id: token.id, status })
  await setStatus(2)
  expect(await refusalFor(fixture, key)).toEqual([401, 'relay_key_disabled'])
  await setStatus(1)
  expect(await asked()).toBe(200)

  await root.post('/api/user/manage', { username: payer.username, action: 'disable' })
  expect(await refusalFor(fixture, key)).toEqual([403, 'relay_user_disabled'])
  await root.post('/api/user/manage', { username: payer.username, action: 'enable' })
  await root.delete(`/api/channel/${id}/`)
  expect(await asked()).toBe(404)
})
