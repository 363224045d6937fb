import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import { makeCode } from '../testing/redemption-makers.ts'

test('a code credits its quota once, to the balance, the ledger and the log, and names who used it [R7.23]', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app, { quota: 7 })
  const { id, key } = await makeCode(admin, { quota: 500_000 })
  const { status, success, message, data } = await user.client.post('/api/user/topup', { key: ` ${key} ` })
  expect({ status, success, message, data }).toEqual({ status: 200, success: true, message: '', data: 500_000 })

  expect((await user.client.get('/api/user/self')).data.quota).toBe(500_007)
  const entries = await app.db.selectFrom('ledger').selectAll().where('kind', '=', 'redeem').execute()
  expect(entries).toMatchObject([{ ref: String(id), user_id: user.id, delta: 500_000, balance: 500_007 }])
  const code = (await admin.get(`/api/redemption/${id}`)).data
  expect(code).toMatchObject({ status: 3, used_user_id: user.id })
  expect(code.redeemed_time).toBeGreaterThanOrEqual(code.created_time)
  const { data: log } = await user.client.get('/api/log/self?type=1')
  expect(log).toMatchObject([{ quota: 500_000, content: '通过兑换码充值 $1.00 额度', username: user.username }])
  expect(await app.audit()).toEqual([])
})

test('used, disabled and unknown codes have different errors, and none of them credits anything [R4.11]', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  const used = await makeCode(admin)
  const disabled = await makeCode(admin)
  await user.client.post('/api/user/topup', { key: used.key })
  await admin.put('/api/redemption/?status_only=true', { id: disabled.id, status: 2 })
  const refusals: [string, string, string][] = [
    [used.key, '兑换失败，该兑换码已被使用', 'This code has already been used'],
    [disabled.key, '兑换失败，该兑换码已被禁用', 'This code is disabled'],
    ['0'.repeat(32), '兑换失败，无效的兑换码', 'This code is not valid'],
    ["' OR 1=1 --", '兑换失败，无效的兑换码', 'This code is not valid'],
    [used.key.toUpperCase(), '兑换失败，无效的兑换码', 'This code is not valid'],
  ]
  for (const [key, zh, en] of refusals) {
    expect(await user.client.post('/api/user/topup', { key })).toMatchObject({
      status: 200,
      success: false,
      message: zh,
    })
    expect((await user.client.post('/api/user/topup', { key }, { 'accept-language': 'en' })).message).toBe(en)
  }
  for (const key of ['', '   ', undefined, 7, null, 'x'.repeat(129)]) {
    expect((await user.client.post('/api/user/topup', { key })).success).toBe(false)
  }
  expect((await user.client.get('/api/user/self')).data.quota).toBe(100)
  await admin.put('/api/redemption/?status_only=true', { id: disabled.id, status: 1 })
  expect((await user.client.post('/api/user/topup', { key: disabled.key })).data).toBe(100)
})

test('a used code can neither be edited nor enabled again [R4.11 R7.63 R7.64]', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  const { id, key } = await makeCode(admin)
  await user.client.post('/api/user/topup', { key })
  const before = (await admin.get(`/api/redemption/${id}`)).data
  const refused = { status: 200, success: false, message: '已使用的兑换码不能修改' }
  expect(await admin.put('/api/redemption/', { id, name: 'again', quota: 9 })).toMatchObject(refused)
  expect(await admin.put('/api/redemption/', { id })).toMatchObject(refused)
  for (const status of [1, 2]) {
    expect(await admin.put('/api/redemption/?status_only=true', { id, status })).toMatchObject(refused)
  }
  expect((await admin.get(`/api/redemption/${id}`)).data).toEqual(before)
})

test('of 500 concurrent redemptions of one code by 50 users exactly one succeeds', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const { id, key } = await makeCode(admin, { quota: 1234 })
  const users = []
  for (let n = 0; n < 50; n++) users.push(await makeUser(app, { quota: 1 }))

  const tries = users.flatMap((user) => Array.from({ length: 10 }, () => user))
  const answers = await Promise.all(
    tries.map(async ({ id, client }) => ({ id, ...(await client.post('/api/user/topup', { key })) })),
  )
  const winners = answers.filter(({ success }) => success)
  expect(winners).toMatchObject([{ status: 200, data: 1234 }])
  const losers = answers.filter(({ success }) => !success)
  expect(new Set(losers.map(({ status, message }) => `${status} ${message}`))).toEqual(
    new Set(['200 兑换失败，该兑换码已被使用']),
  )

  const [winner] = winners
  const balances = await app.db.selectFrom('users').select(['id', 'quota']).where('quota', '<', 1e9).execute()
  for (const user of users) {
    const expected = user.id === winner?.id ? 1235 : 1
    expect(balances.find((row) => row.id === user.id)?.quota).toBe(expected)
  }
  const entries = await app.db.selectFrom('ledger').selectAll().where('kind', '=', 'redeem').execute()
  expect(entries).toMatchObject([{ ref: String(id), user_id: winner?.id, delta: 1234, balance: 1235 }])
  const notes = await app.db.selectFrom('logs').select('user_id').where('type', '=', 1).execute()
  expect(notes).toEqual([{ user_id: winner?.id ?? 0 }])
  expect(await app.audit()).toEqual([])
})

test('different codes redeemed by one user at once all count', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  const { data: keys } = await admin.post('/api/redemption/', { name: 'many', quota: 3, count: 40 })
  const answers = await Promise.all(keys.map((key: string) => user.client.post('/api/user/topup', { key })))
  expect(answers.filter(({ success }) => success)).toHaveLength(40)
  expect((await user.client.get('/api/user/self')).data.quota).toBe(120)
  expect(await app.audit()).toEqual([])
})

test('an edit during a redemption never restores the code, and the ledger agrees with what was credited', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  let expected = 0
  for (let round = 0; round < 15; round++) {
    const { id, key } = await makeCode(admin, { quota: 10 })
    const [redeemed] = await Promise.all([
      user.client.post('/api/user/topup', { key }),
      admin.put('/api/redemption/', { id, name: 'renamed', quota: 25 }),
      admin.put('/api/redemption/?status_only=true', { id, status: 1 }),
      admin.put('/api/redemption/', { id, name: 'again' }),
    ])
    expect([10, 25]).toContain(redeemed.data)
    expected += redeemed.data
    const code = (await admin.get(`/api/redemption/${id}`)).data
    expect(code).toMatchObject({ status: 3, quota: redeemed.data, used_user_id: user.id })
    expect((await user.client.post('/api/user/topup', { key })).success).toBe(false)
  }
  expect((await user.client.get('/api/user/self')).data.quota).toBe(expected)
  expect(await app.audit()).toEqual([])
})

test('two edits of one code at the same moment do not undo each other', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const { id } = await makeCode(admin)
  for (let round = 1; round <= 5; round++) {
    await Promise.all([
      admin.put('/api/redemption/', { id, name: `round ${round}` }),
      admin.put('/api/redemption/', { id, quota: round }),
      admin.put('/api/redemption/?status_only=true', { id, status: 1 + (round % 2) }),
    ])
    const { data } = await admin.get(`/api/redemption/${id}`)
    expect(data).toMatchObject({ name: `round ${round}`, quota: round, status: 1 + (round % 2) })
  }
})

test('a credit that would leave the allowed range is refused, and the code stays unused', async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app, { quota: 999_999_999_999_999 })
  const { id, key } = await makeCode(admin, { quota: 2 })
  const refused = await user.client.post('/api/user/topup', { key })
  expect(refused).toMatchObject({ success: false, message: '额度超出允许范围' })
  expect((await admin.get(`/api/redemption/${id}`)).data).toMatchObject({ status: 1, used_user_id: 0 })
  expect(await app.audit()).toEqual([])
})

test('a log entry shows the amount in points if the site shows no money, in the reader’s language', async () => {
  const app = await testApp()
  await setOptions(app, { DisplayInCurrencyEnabled: false })
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  await user.client.post('/api/user/topup', { key: (await makeCode(admin, { quota: 42 })).key })
  const content = async (language: string) =>
    (await user.client.get('/api/log/self', { 'accept-language': language })).data[0].content
  expect(await content('zh')).toBe('通过兑换码充值 42 点额度')
  expect(await content('en')).toBe('Topped up 42 quota points with a redemption code')
})
