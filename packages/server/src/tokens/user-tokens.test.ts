import { expect, test } from 'bun:test'
import { DAY } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'
import { MESSAGES, relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf, storedToken, tokenOwner } from '../testing/token-makers.ts'

const ENGLISH = { 'accept-language': 'en' }

test('an administrator lists the keys of everybody, with their owners and without the keys', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const owner = await tokenOwner(app)
  const { key, ...made } = await makeToken(owner.client, {
    name: 'mine',
    rate_limits: { rpm: 5 },
    subnet: '10.0.0.0/8',
  })
  const { data, text } = await listed(client, `owner=${owner.username}`)
  expect(data).toEqual([
    {
      ...made,
      ...{ username: owner.username, role: 1, group: 'default' },
      activity: {
        ...{ id: made.id, spend: [0, 0, 0, 0, 0, 0, 0], addresses: [], address_count: 0, unusual: null },
      },
    },
  ])
  expect(text).not.toContain(key)
  expect(text).not.toContain(key.slice(-8))
})

test('the list is filtered by owner, name, model, state and last use, and is paged', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const one = await tokenOwner(app)
  const two = await tokenOwner(app)
  const now = nowOf(app)
  await makeToken(one.client, { name: 'any model', unlimited_quota: true })
  await makeToken(one.client, { name: 'empty', models: 'gpt-4o' })
  await makeToken(one.client, { name: 'soon', models: 'gpt-4o-mini', unlimited_quota: true, expired_time: now + 60 })
  const off = await makeToken(two.client, { name: 'off', models: 'gpt-4o,o3', unlimited_quota: true })
  const blocked = await makeToken(two.client, { name: 'taken', models: 'o3', unlimited_quota: true })
  await two.client.put('/api/token/?status_only=true', { id: off.id, status: 2 })
  await client.post('/api/token/manage', { id: blocked.id, action: 'disable', reason: 'leaked' })
  await app.db
    .updateTable('tokens')
    .set({ accessed_time: now - DAY })
    .where('id', '=', off.id)
    .execute()
  app.clock.pass(120)

  const names = async (query: string) => {
    const { data } = await client.get(`/api/token/all?${query}`)
    return data.map(({ name }: { name: string }) => name).filter((name: string) => name !== 'default')
  }
  expect(await names('')).toEqual(['taken', 'off', 'soon', 'empty', 'any model'])
  expect(await names(`owner=${one.username}`)).toEqual(['soon', 'empty', 'any model'])
  expect(await names(`owner=${two.id}`)).toEqual(['taken', 'off'])
  expect(await names('owner=nobody')).toEqual([])
  expect(await names('keyword=EMP')).toEqual(['empty'])
  expect(await names('keyword=%25')).toEqual([])
  expect(await names('model=gpt-4o')).toEqual(['off', 'empty', 'any model'])
  expect(await names('model=gpt-4')).toEqual(['any model'])
  expect(await names('status=1')).toEqual(['any model'])
  expect(await names('status=2')).toEqual(['taken', 'off'])
  expect(await names('status=3')).toEqual(['soon'])
  expect(await names('status=4')).toEqual(['empty'])
  expect(await names('status=5')).toEqual(['taken'])
  expect(await names('status=6')).toEqual([])
  expect(await names(`used_before=${now}`)).toEqual(['off'])
  expect(await names(`used_after=${now}&owner=${two.id}`)).toEqual(['taken'])
  expect((await names('order=accessed_time')).at(-1)).toBe('off')
  expect(await client.get('/api/token/all?status=9')).toMatchObject({ success: false })

  for (let n = 0; n < 10; n++) await makeToken(one.client, { name: `more ${n}` })
  const second = await client.get(`/api/token/all?owner=${one.username}&p=1`)
  expect(second.data).toHaveLength(3)
  expect(second.headers.get('x-total-count')).toBe('13')
})

test('a key that an administrator disables stops at once; its owner and callers see why, and only an administrator enables it', async () => {
  const fixture = await relayFixture()
  const { payer, post, root } = fixture
  await fixture.channel('gpt-4o')
  const { id, name } = (await payer.client.get('/api/token/')).data[0]
  expect((await fixture.chat('gpt-4o')).status).toBe(200)

  const done = await root.post('/api/token/manage', { id, action: 'disable', reason: ' It was posted in public ' })
  expect(done).toMatchObject({
    success: true,
    data: { id, status: 2, blocked: true, blocked_reason: 'It was posted in public' },
  })
  expect(done.data.key).toBeUndefined()
  const said =
    'An administrator disabled this API key. Reason: It was posted in public. Contact the administrator, or use another key'
  const call = await post('/v1/chat/completions', { model: 'gpt-4o', messages: MESSAGES }, { headers: ENGLISH })
  expect([call.status, (await call.json()).error]).toMatchObject([
    401,
    { code: 'relay_key_blocked', message: expect.stringContaining(said) },
  ])
  const messages = await post(
    '/v1/messages',
    { model: 'gpt-4o', max_tokens: 5, messages: MESSAGES },
    { headers: ENGLISH },
  )
  expect([messages.status, (await messages.json()).error]).toMatchObject([
    401,
    { type: 'authentication_error', message: expect.stringContaining(said) },
  ])

  const seen = (await payer.client.get(`/api/token/${id}`)).data
  expect(seen).toMatchObject({ status: 2, blocked: true, blocked_reason: 'It was posted in public' })
  for (const status of [1, 2]) {
    expect(await payer.client.put('/api/token/?status_only=true', { id, status }, ENGLISH)).toMatchObject({
      success: false,
      message: 'An administrator disabled this token, so you cannot enable it. Reason: It was posted in public',
    })
  }
  const edited = await payer.client.put('/api/token/', {
    ...seen,
    name: 'renamed',
    unlimited_quota: true,
    blocked: false,
  })
  expect(edited.data).toMatchObject({ name: 'renamed', status: 2, blocked: true })
  expect((await fixture.chat('gpt-4o')).status).toBe(401)
  const [note] = (await payer.client.get('/api/log/self/?p=0&type=3', ENGLISH)).data
  expect(note.content).toBe(`An administrator disabled the token “${name}”. Reason: It was posted in public`)

  expect((await root.post('/api/token/manage', { id, action: 'enable' })).data).toMatchObject({
    status: 1,
    blocked: false,
  })
  expect((await fixture.chat('gpt-4o')).status).toBe(200)
  expect((await payer.client.get(`/api/token/${id}`)).data).toMatchObject({ blocked: false, blocked_reason: '' })
  const { data } = await root.get(`/api/audit?target=token:${id}`)
  expect(data).toMatchObject([
    {
      action: 'token.enable',
      before: { status: 2, reason: 'It was posted in public' },
      after: { status: 1, reason: '' },
    },
    {
      action: 'token.disable',
      before: { status: 1, reason: '' },
      after: { status: 2, reason: 'It was posted in public' },
    },
  ])
})

test('a key that is disabled on one node is refused on every other, even if it was used there a moment ago', async () => {
  const one = await relayFixture()
  await one.channel('gpt-4o')
  const two = await relayFixture({ location: one.app.location })
  const { id } = (await one.payer.client.get('/api/token/')).data[0]
  const callThere = async () => (await one.chat('gpt-4o', {}, { url: two.app.url })).status
  expect(await callThere()).toBe(200)
  await one.root.post('/api/token/manage', { id, action: 'disable', reason: 'leaked' })
  expect(await callThere()).toBe(401)
})

test('a key is not disabled without a reason, nor if its owner has the same role or a higher one', async () => {
  const app = await testApp()
  const { client, id: adminId } = await makeAdmin(app)
  const peer = await makeAdmin(app)
  const root = await asRoot(app)
  const owner = await tokenOwner(app)
  const mine = await makeToken(owner.client)
  const ofPeer = await makeToken(peer.client)
  const ofRoot = await makeToken(root)
  const block = (id: number, reason: string) =>
    client.post('/api/token/manage', { id, action: 'disable', reason }, ENGLISH)

  for (const reason of ['', '  ']) {
    expect(await block(mine.id, reason)).toMatchObject({ success: false, body: { field: 'reason' } })
  }
  expect(await block(mine.id, 'x'.repeat(201))).toMatchObject({ success: false })
  expect(await block(mine.id, 'two\nlines')).toMatchObject({ success: false })
  for (const { id } of [ofPeer, ofRoot, await makeToken(client)]) {
    expect(await block(id, 'why')).toMatchObject({
      success: false,
      message: 'You can only manage users with a lower role',
    })
    expect((await storedToken(app, id)).status).toBe(1)
  }
  expect(await block(987_654, 'why')).toMatchObject({ success: false, message: 'There is no such token' })
  expect(await client.post('/api/token/manage', { id: mine.id, action: 'enable' }, ENGLISH)).toMatchObject({
    success: false,
    message: 'This token was not disabled by an administrator: only its owner can enable it',
  })
  expect((await client.get('/api/audit')).data).toEqual([])

  expect(await root.post('/api/token/manage', { id: ofPeer.id, action: 'disable', reason: 'why' })).toMatchObject({
    success: true,
  })
  expect((await block(mine.id, 'why')).success).toBe(true)
  expect(await storedToken(app, mine.id)).toMatchObject({ blocked_by: adminId, blocked_reason: 'why' })
})

test('a key whose quota ran out while it was disabled is exhausted when an administrator enables it', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const owner = await tokenOwner(app)
  const { id } = await makeToken(owner.client, { remain_quota: 0 })
  await client.post('/api/token/manage', { id, action: 'disable', reason: 'why' })
  expect((await client.post('/api/token/manage', { id, action: 'enable' })).data.status).toBe(4)
})

test('the keys of a deleted account are no longer listed, nor acted on', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const owner = await tokenOwner(app)
  const { id } = await makeToken(owner.client, { name: 'left behind' })
  await client.delete(`/api/user/${owner.id}`)
  expect((await client.get('/api/token/all?keyword=left')).data).toEqual([])
  expect(await client.post('/api/token/manage', { id, action: 'disable', reason: 'why' })).toMatchObject({
    success: false,
  })
})

async function listed(client: Awaited<ReturnType<typeof makeAdmin>>['client'], query: string) {
  const { data } = await client.get(`/api/token/all?${query}`)
  return { data, text: JSON.stringify(data) }
}
