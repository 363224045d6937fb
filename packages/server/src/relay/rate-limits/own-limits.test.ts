import { expect, test } from 'bun:test'
import { setLimits } from '../../testing/limit-makers.ts'
import { makeAdmin, makeUser } from '../../testing/makers.ts'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { makeToken, storedToken } from '../../testing/token-makers.ts'

const MODEL = 'fixed/12/10'

test('a key is created and edited with limits; an empty set removes them, and an absent one keeps them', async () => {
  const { app, payer } = await relayFixture()
  const limits = { rpm: 60, tpm: 90_000, concurrency: 4, models: { 'gpt-4o': { rpm: 5 } } }
  const { id, rate_limits } = await makeToken(payer.client, { rate_limits: limits })
  expect(rate_limits).toEqual(limits)
  const edited = async (fields: object) => (await payer.client.put('/api/token/', { id, ...fields })).data.rate_limits
  expect(await edited({ name: 'other' })).toEqual(limits)
  expect(await edited({ rate_limits: null })).toEqual(limits)
  // A model without any limit is not stored.
  expect(await edited({ rate_limits: { rpm: 1, models: { 'gpt-4o': {} } } })).toEqual({ rpm: 1 })
  expect(await edited({ rate_limits: {} })).toEqual({})
  expect((await storedToken(app, id)).rate_limits).toBe('')
  expect((await makeToken(payer.client)).rate_limits).toEqual({})
})

const BAD: [limits: unknown, status: number, reason: string][] = [
  [{ rpm: 0 }, 200, '速率限制（rpm）不能小于 1'],
  [{ tpm: -5 }, 200, '速率限制（tpm）不能小于 1'],
  [{ concurrency: 1.5 }, 200, '速率限制（concurrency）必须是整数'],
  [{ rpm: 1_000_000_001 }, 200, '速率限制（rpm）不能大于 1000000000'],
  [{ models: { m: { rpm: 0 } } }, 200, '速率限制（models.m.rpm）不能小于 1'],
  [
    { models: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`m${n}`, {}])) },
    200,
    '速率限制（models）最多包含 20 个模型',
  ],
  [{ rpm: '60' }, 400, '速率限制（rpm）必须是数字'],
  [{ rps: 1 }, 400, 'rps 是未知的字段'],
  [[], 400, '速率限制必须是 JSON 对象'],
  ['60', 400, '速率限制必须是 JSON 对象'],
]

test.each(BAD)(
  'the limits %j are refused with a message, for keys and for users alike',
  async (limits, status, reason) => {
    const { root, payer } = await relayFixture()
    const [token] = (await payer.client.get('/api/token/')).data
    const refusal = { status, success: false, message: reason }
    expect(await payer.client.post('/api/token/', { name: 'x', rate_limits: limits })).toMatchObject(refusal)
    expect(await payer.client.put('/api/token/', { id: token.id, rate_limits: limits })).toMatchObject(refusal)
    expect(await root.put('/api/user/', { id: payer.id, rate_limits: limits })).toMatchObject(refusal)
    expect((await payer.client.get(`/api/token/${token.id}`)).data.rate_limits).toEqual({})
  },
)

test('administrators set the limits of a user, who sees and cannot change them; the audit log records who did', async () => {
  const { app, payer } = await relayFixture()
  const admin = await makeAdmin(app)
  const limits = { rpm: 10, models: { 'gpt-4o': { tpm: 500 } } }
  expect((await admin.client.put('/api/user/', { id: payer.id, rate_limits: limits })).data.rate_limits).toEqual(limits)
  expect((await payer.client.get('/api/user/self')).data.rate_limits).toEqual(limits)
  expect((await payer.client.put('/api/user/self', { display_name: 'x', rate_limits: {} })).success).toBe(true)
  expect((await payer.client.put('/api/user/', { id: payer.id, rate_limits: {} })).success).toBe(false)
  expect((await payer.client.get('/api/user/self')).data.rate_limits).toEqual(limits)
  const rows = await app.db.selectFrom('audit_events').selectAll().where('action', '=', 'user.update').execute()
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows[0])).toContain('rpm')
})

test('users see their own limits and those of their group, and nobody else’s', async () => {
  const relay = await relayFixture({ group: 'vip,default' })
  await relay.channel(MODEL)
  await setLimits(relay, {
    key: { rpm: 9, models: { [MODEL]: { tpm: 1000 } } },
    user: { concurrency: 3 },
    group: { vip: { rpm: 20 }, default: { rpm: 1 } },
  })
  await (await relay.chat(MODEL)).text()
  const { data } = await relay.payer.client.get('/api/user/self/limits')
  const [token] = (await relay.payer.client.get('/api/token/')).data
  const key = { scope: 'key', together: false, name: 'default', token_id: token.id }
  expect(data).toEqual({
    shared: false,
    limits: [
      { scope: 'user', together: false, name: '', token_id: 0, model: '', concurrency: { limit: 3, used: 0 } },
      { scope: 'group', together: false, name: 'vip', token_id: 0, model: '', rpm: { limit: 20, used: 1 } },
      { ...key, model: '', rpm: { limit: 9, used: 1 } },
      { ...key, model: MODEL, tpm: { limit: 1000, used: 22 } },
    ],
  })
  const other = await makeUser(relay.app, { group: 'svip' })
  expect((await other.client.get('/api/user/self/limits')).data).toEqual({ shared: false, limits: [] })
  expect((await relay.app.client().get('/api/user/self/limits')).status).toBe(401)
})
