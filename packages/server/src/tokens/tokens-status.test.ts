import { expect, test } from 'bun:test'
import { DAY } from '../common/time-units.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf, storedToken, tokenOwner } from '../testing/token-makers.ts'

/** What the relay does to an exhausted token, as one row update. */
const stop = (app: TestApp, id: number, columns: { status: number; expired_time?: number; remain_quota?: number }) =>
  app.db.updateTable('tokens').set(columns).where('id', '=', id).execute()

test('the status endpoint switches between enabled and disabled and changes nothing else [R4.09 R7.56]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const token = await makeToken(client, { remain_quota: 3 })
  const { id } = token
  for (const status of [2, 1]) {
    const sent = { id, status, name: 'ignored', remain_quota: 999, unlimited_quota: true }
    const { data } = await client.put('/api/token/?status_only=true', sent)
    expect(data).toEqual({ ...token, status })
    expect((await client.get(`/api/token/${id}`)).data).toEqual({ ...token, status })
  }
  for (const status of [0, 3, 4, 5, -1, undefined]) {
    const refused = await client.put('/api/token/?status_only=true', { id, status })
    expect(refused).toMatchObject({ success: false, message: '不支持的令牌状态' })
  }
  expect((await storedToken(app, id)).status).toBe(1)
})

test('without status_only a status is ignored: a disabled token stays disabled [R7.55]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client)
  await client.put('/api/token/?status_only=true', { id, status: 2 })
  const { data } = await client.put('/api/token/', { id, status: 1, name: 'x', remain_quota: 10, expired_time: -1 })
  expect(data.status).toBe(2)
})

test('an expired token is enabled only after its expiry was moved, and the edit itself revives it [R4.09]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { expired_time: nowOf(app) + 60, unlimited_quota: true })
  app.clock.pass(120)
  await stop(app, id, { status: 3 })

  const refused = await client.put('/api/token/?status_only=true', { id, status: 1 })
  expect(refused).toMatchObject({ success: false, message: '令牌已过期，请先修改过期时间' })
  const renamed = await client.put('/api/token/', { id, name: 'still expired' })
  expect(renamed.data.status).toBe(3)
  const moved = await client.put('/api/token/', { id, expired_time: nowOf(app) + DAY })
  expect(moved.data.status).toBe(1)

  await stop(app, id, { status: 3 })
  expect((await client.put('/api/token/?status_only=true', { id, status: 1 })).data.status).toBe(1)
})

test('an exhausted token is enabled only after its amount was raised, and the edit itself enables it [R4.09]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { remain_quota: 50 })
  await stop(app, id, { status: 4, remain_quota: 0 })

  const english = { 'accept-language': 'en' }
  const refused = await client.put('/api/token/?status_only=true', { id, status: 1 }, english)
  expect(refused.success).toBe(false)
  expect(refused.message).toBe('The token has no quota left. Increase it before you enable the token')
  expect((await client.put('/api/token/', { id, name: 'still empty' })).data.status).toBe(4)
  expect((await client.put('/api/token/', { id, remain_quota: 10 })).data.status).toBe(1)

  await stop(app, id, { status: 4, remain_quota: 0 })
  expect((await client.put('/api/token/', { id, unlimited_quota: true })).data.status).toBe(1)
})

test('a token that is both expired and empty works again when both are fixed [R4.09]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { remain_quota: 5 })
  const enable = async () => (await client.put('/api/token/?status_only=true', { id, status: 1 })).message

  await stop(app, id, { status: 4, remain_quota: 0, expired_time: nowOf(app) - 60 })
  expect((await client.put('/api/token/', { id, remain_quota: 5 })).data.status).toBe(3)
  expect(await enable()).toBe('令牌已过期，请先修改过期时间')
  await stop(app, id, { status: 3, remain_quota: 0 })
  expect((await client.put('/api/token/', { id, expired_time: -1 })).data.status).toBe(4)
  expect(await enable()).toBe('令牌额度已用尽，请先增加剩余额度')
  expect((await client.put('/api/token/', { id, remain_quota: 5 })).data.status).toBe(1)
})

test('a key reads as expired or exhausted from that moment on, wherever it is read [R4.09]', async () => {
  const fixture = await relayFixture()
  const { app } = fixture
  const { client } = await tokenOwner(app)
  const soon = nowOf(app) + 60
  const kinds = [
    { name: 'expiring', unlimited_quota: true, expired_time: soon, before: 1, after: 3, refusal: 'relay_key_expired' },
    { name: 'empty', remain_quota: 0, before: 4, after: 4, refusal: 'insufficient_quota' },
    { name: 'both', remain_quota: 0, expired_time: soon, before: 4, after: 3, refusal: 'relay_key_expired' },
    { name: 'unlimited', unlimited_quota: true, remain_quota: 0, before: 1, after: 1, refusal: undefined },
    {
      name: 'disabled',
      remain_quota: 0,
      expired_time: soon,
      off: true,
      before: 2,
      after: 2,
      refusal: 'relay_key_disabled',
    },
  ]
  const tokens: { id: number; key: string; before: number; after: number; refusal: string | undefined }[] = []
  for (const { before, after, refusal, off, ...fields } of kinds) {
    const token = await makeToken(client, fields)
    if (off) await client.put('/api/token/?status_only=true', { id: token.id, status: 2 })
    tokens.push({ ...token, before, after, refusal })
  }
  const expectStatuses = async (when: 'before' | 'after') => {
    const expected = tokens.map((token) => token[when])
    const list = (await client.get('/api/token/?p=0')).data
    const found = (await client.get('/api/token/search?keyword=')).data
    for (const rows of [list, found]) {
      expect(rows.map(({ status }: { status: number }) => status).reverse()).toEqual(expected)
    }
    for (const { id, [when]: status } of tokens) {
      expect((await client.get(`/api/token/${id}`)).data.status).toBe(status)
    }
  }
  await expectStatuses('before')
  app.clock.pass(60)
  await expectStatuses('after')
  for (const { id, after, key, refusal } of tokens) {
    const models = await fetch(`${app.url}/v1/models`, { headers: { authorization: `Bearer sk-${key}` } })
    expect((await models.json()).error?.code).toBe(refusal)
    if (after === 1 || after === 2) continue
    expect(await client.put('/api/token/?status_only=true', { id, status: 1 })).toMatchObject({ success: false })
    const edited = await client.put('/api/token/', { id, expired_time: -1, remain_quota: 5 })
    expect(edited.data.status).toBe(1)
    expect((await storedToken(app, id)).status).toBe(1)
  }
})
