import { expect, test } from 'bun:test'
import { type RateLimits, strictest } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, storedToken, tokenOwner } from '../testing/token-makers.ts'

const ENGLISH = { 'accept-language': 'en' }

test('an administrator limits a key; its owner sees it, can only be stricter, and it is in the record of changes', async () => {
  const { payer, root, chat, channel } = await relayFixture()
  await channel('gpt-4o')
  const { id, name } = (await payer.client.get('/api/token/')).data[0]
  const allowed = async () => (await chat('gpt-4o')).headers.get('x-ratelimit-limit-requests')
  const limit = (rate_limits: RateLimits) => root.post('/api/token/limits', { id, rate_limits }, ENGLISH)
  expect(await allowed()).toBeNull()

  const done = await limit({ rpm: 30, models: { 'gpt-4o': { rpm: 20 } } })
  expect(done).toMatchObject({ success: true, data: { id, rate_limits: {}, admin_rate_limits: { rpm: 30 } } })
  expect(done.data.key).toBeUndefined()
  expect(await allowed()).toBe('20')
  const seen = (await payer.client.get(`/api/token/${id}`)).data
  expect(seen).toMatchObject({ rate_limits: {}, admin_rate_limits: { rpm: 30, models: { 'gpt-4o': { rpm: 20 } } } })
  expect((await payer.client.get('/api/user/self/limits')).data.limits).toMatchObject([
    { scope: 'key', token_id: id, model: '', rpm: { limit: 30 } },
    { scope: 'key', token_id: id, model: 'gpt-4o', rpm: { limit: 20 } },
  ])

  const edit = (rate_limits: RateLimits) =>
    payer.client.put('/api/token/', { ...seen, rate_limits, admin_rate_limits: { rpm: 1000 } })
  for (const [own, applied] of [
    [{ rpm: 500 }, '20'],
    [{ rpm: 10 }, '10'],
    [{}, '20'],
  ] as const) {
    expect((await edit(own)).data).toMatchObject({ rate_limits: own, admin_rate_limits: seen.admin_rate_limits })
    expect(await allowed()).toBe(applied)
  }

  // The same again is no change.
  await limit({ rpm: 30, models: { 'gpt-4o': { rpm: 20 } } })
  await limit({})
  expect(await allowed()).toBeNull()
  const notes = (await payer.client.get('/api/log/self/?p=0&type=3', ENGLISH)).data
  expect(notes.map(({ content }: { content: string }) => content)).toEqual([
    `An administrator removed the rate limits that applied to the token “${name}”`,
    `An administrator changed the rate limits of the token “${name}”; they are shown where you edit it`,
  ])
  expect((await root.get(`/api/audit?target=token:${id}`)).data).toMatchObject([
    { action: 'token.limit', before: { rate_limits: { rpm: 30 } }, after: { rate_limits: {} } },
    { action: 'token.limit', before: { rate_limits: {} }, after: { rate_limits: { rpm: 30 } } },
  ])
})

test('a limit set on one node holds on every other within a second, even if the key was used there a moment ago', async () => {
  const one = await relayFixture()
  await one.channel('gpt-4o')
  const two = await relayFixture({ location: one.app.location })
  const { id } = (await one.payer.client.get('/api/token/')).data[0]
  const callThere = async () => (await one.chat('gpt-4o', {}, { url: two.app.url })).status
  expect(await callThere()).toBe(200)
  await one.root.post('/api/token/limits', { id, rate_limits: { rpm: 1 } })
  two.app.clock.pass(1)
  expect([await callThere(), await callThere()]).toEqual([200, 429])
})

test('a key is not limited if its owner has the same role or a higher one, nor by an impossible limit', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const peer = await makeAdmin(app)
  const owner = await tokenOwner(app)
  const mine = await makeToken(owner.client)
  const limit = (id: number, rate_limits: unknown) => client.post('/api/token/limits', { id, rate_limits }, ENGLISH)
  for (const { id } of [await makeToken(peer.client), await makeToken(await asRoot(app)), await makeToken(client)]) {
    expect((await limit(id, { rpm: 1 })).message).toBe('You can only manage users with a lower role')
    expect((await storedToken(app, id)).admin_rate_limits).toBe('')
  }
  for (const wrong of [{ rpm: 0 }, { rpm: -1 }, { tpm: 1.5 }, { rpm: 1, more: 2 }, null])
    expect((await limit(mine.id, wrong)).success).toBe(false)
  expect((await limit(987_654, {})).message).toBe('There is no such token')
  expect((await storedToken(app, mine.id)).admin_rate_limits).toBe('')
})

test('of two limits the lower amount applies, for each kind and each model', () => {
  expect(
    strictest(
      { rpm: 5, tpm: 100, models: { a: { rpm: 1, concurrency: 4 }, b: { tpm: 9 } } },
      { rpm: 7, concurrency: 2, models: { a: { rpm: 3, tpm: 8 }, constructor: { rpm: 6 } } },
    ),
  ).toEqual({
    ...{ rpm: 5, tpm: 100, concurrency: 2 },
    models: { a: { rpm: 1, tpm: 8, concurrency: 4 }, b: { tpm: 9 }, constructor: { rpm: 6 } },
  })
  expect(strictest({}, {})).toEqual({})
})
