import { expect, test } from 'bun:test'
import { QUOTA_MAX } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const balance = async (app: TestApp, id: number) => (await app.parts.accounts.find(id))?.quota
const ledger = (app: TestApp, id: number) =>
  app.db
    .selectFrom('ledger')
    .select(['kind', 'delta', 'balance', 'actor_id'])
    .where('user_id', '=', id)
    .orderBy('id')
    .execute()

test('an edit sets the quota, posts the difference and notifies the user, but not who did it [R6.04]', async () => {
  const app = await testApp()
  await setOptions(app, { DisplayInCurrencyEnabled: false })
  const admin = await makeAdmin(app, { username: 'boss' })
  const { id, client } = await makeUser(app, { quota: 100 })
  expect((await admin.client.put('/api/user/', { id, quota: 250 })).data.quota).toBe(250)
  expect(await ledger(app, id)).toEqual([
    { kind: 'opening', delta: 100, balance: 100, actor_id: null },
    { kind: 'admin', delta: 150, balance: 250, actor_id: admin.id },
  ])
  const { data } = await client.get('/api/log/self/?type=3')
  expect(data).toMatchObject([{ quota: 150, content: '管理员将用户额度从 100 点额度修改为 250 点额度' }])
  expect(JSON.stringify(data)).not.toContain('boss')
  expect(await app.audit()).toEqual([])
})

test('a quota of 0 is a quota', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: 100 })
  expect((await root.put('/api/user/', { id, quota: 0 })).data.quota).toBe(0)
  expect(await app.audit()).toEqual([])
})

test('an edit without a change of quota posts nothing', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: 100 })
  for (const quota of [100, '', null]) expect((await root.put('/api/user/', { id, quota })).success).toBe(true)
  expect((await root.put('/api/user/', { id, quota: 70, quota_base: 70 })).data.quota).toBe(100)
  expect(await ledger(app, id)).toHaveLength(1)
})

test('with the balance that the form showed, the difference counts and not the number', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: 100 })
  // The form showed 500; since then 400 were spent.
  expect((await root.put('/api/user/', { id, quota: 600, quota_base: 500 })).data.quota).toBe(200)
  expect(await app.audit()).toEqual([])
})

test('concurrent edits add up', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: 1000 })
  const edits = Array.from({ length: 10 }, () => root.put('/api/user/', { id, quota: 1010, quota_base: 1000 }))
  for (const { success } of await Promise.all(edits)) expect(success).toBe(true)
  expect(await balance(app, id)).toBe(1100)
  expect(await ledger(app, id)).toHaveLength(11)
  expect(await app.audit()).toEqual([])
})

test('an edit cannot take a balance below zero', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: 100 })
  const difference = await root.put('/api/user/', { id, quota: 300, quota_base: 500 })
  expect(difference).toMatchObject(refused('user.below_zero'))
  expect(await root.put('/api/user/', { id, quota: -1 })).toMatchObject({ status: 200, success: false })
  expect(await balance(app, id)).toBe(100)
})

test('the form of an account slightly below zero can be saved, and the account raised', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: -5 })
  const echo = await root.put('/api/user/', { id, display_name: 'Anna', quota: -5, quota_base: -5 })
  expect(echo).toMatchObject({ success: true, data: { display_name: 'Anna', quota: -5 } })
  expect((await root.put('/api/user/', { id, quota: 10, quota_base: -5 })).data.quota).toBe(10)
  expect(await app.audit()).toEqual([])
})

test('no quota exceeds what the product can count exactly', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { quota: 100 })
  for (const quota of [QUOTA_MAX + 1, 1e300, 1.5]) {
    expect((await root.put('/api/user/', { id, quota })).success).toBe(false)
  }
  expect((await root.put('/api/user/', { id, quota: QUOTA_MAX })).data.quota).toBe(QUOTA_MAX)
  const beyond = await root.post('/api/topup', { user_id: id, quota: 1 })
  expect(beyond).toMatchObject(refused('user.quota_bounds'))
  expect(await balance(app, id)).toBe(QUOTA_MAX)
  expect(await app.audit()).toEqual([])
})

test('a payment system credits a user, with its remark in the log', async () => {
  const app = await testApp()
  await setOptions(app, { DisplayInCurrencyEnabled: false })
  const admin = await makeAdmin(app)
  const { id, client } = await makeUser(app, { quota: 1 })
  const { data: accessToken } = await admin.client.get('/api/user/token')
  const shop = app.client({ authorization: `Bearer ${accessToken}` })
  expect((await shop.post('/api/topup', { user_id: id, quota: 500 })).body).toEqual({ success: true, message: '' })
  await shop.post('/api/topup', { user_id: id, quota: 40, remark: 'order 7' })
  expect(await balance(app, id)).toBe(541)
  expect((await client.get('/api/log/self/?type=1')).data).toMatchObject([
    { quota: 40, content: 'order 7' },
    { quota: 500, content: '通过 API 充值 500 点额度' },
  ])
  expect((await admin.client.get(`/api/audit?target=user:${id}`)).data[0]).toMatchObject({
    action: 'user.topup',
    after: { quota: 40, remark: 'order 7' },
  })
  expect(await app.audit()).toEqual([])
})

test('a payment that is reported many times concurrently is credited once', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id, client } = await makeUser(app)
  const payment = { user_id: id, quota: 500, reference: 'pay-1' }
  const answers = await Promise.all(Array.from({ length: 10 }, () => root.post('/api/topup', payment)))
  for (const { success } of answers) expect(success).toBe(true)
  expect((await root.post('/api/topup', payment)).success).toBe(true)
  expect(await balance(app, id)).toBe(500)
  expect((await client.get('/api/log/self/?type=1')).data).toHaveLength(1)
  expect(await app.audit()).toEqual([])
})

test('two payments without a reference are two payments', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app)
  for (let round = 0; round < 2; round++) await root.post('/api/topup', { user_id: id, quota: 5 })
  expect(await balance(app, id)).toBe(10)
})

test('a payment of zero, of less, or for an unknown user is refused', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app)
  for (const quota of [0, -5, 0.5, QUOTA_MAX + 1]) {
    expect((await root.post('/api/topup', { user_id: id, quota })).success).toBe(false)
  }
  expect(await root.post('/api/topup', { user_id: 999, quota: 5 })).toMatchObject(refused('user.not_found'))
  expect(await balance(app, id)).toBe(0)
})
