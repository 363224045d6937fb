import { expect, test } from 'bun:test'
import { lookupHash } from '../security/random.ts'
import { testApp } from '../testing/app.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { makeCode, makeCodes } from '../testing/redemption-makers.ts'

test('a creation returns the codes, 32 hex digits each, and stores them hashed and encrypted [R7.61]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { status, success, message, data } = await client.post('/api/redemption/', {
    name: '礼品',
    quota: 70,
    count: 3,
  })
  expect({ status, success, message }).toEqual({ status: 200, success: true, message: '' })
  expect(data).toHaveLength(3)
  expect(new Set(data).size).toBe(3)
  for (const code of data) expect(code).toMatch(/^[0-9a-f]{32}$/)

  const rows = await app.db.selectFrom('redemptions').selectAll().orderBy('id').execute()
  expect(rows.map(({ key_hash }) => key_hash)).toEqual(data.map(lookupHash))
  const events = await app.db.selectFrom('audit_events').selectAll().execute()
  const everything = JSON.stringify([rows, events]) + app.lines.join('\n')
  for (const code of data) expect(everything).not.toContain(code)
})

test('a code has every field of the contract, and is read again the same [R3.18 R7.60]', async () => {
  const app = await testApp()
  const { id: creator, client } = await makeAdmin(app)
  const { key, id } = await makeCode(client, { name: 'spring', quota: 5 })
  const { data } = await client.get(`/api/redemption/${id}`)
  expect(data).toEqual({
    id,
    user_id: creator,
    name: 'spring',
    key,
    status: 1,
    quota: 5,
    created_time: expect.any(Number),
    redeemed_time: 0,
    used_user_id: 0,
    used_username: '',
  })
  expect((await client.get('/api/redemption/987654')).message).toBe('兑换码不存在')
})

test('1 to 100 codes at once, of 1 quota or more, with a name of 1 to 20 characters; otherwise none', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  expect(await makeCodes(client, { count: 100 })).toHaveLength(100)
  expect(await makeCodes(client, { name: '码'.repeat(20) })).toHaveLength(1)
  const refused: Record<string, unknown>[] = [
    { count: 101 },
    { count: 0 },
    { count: -1 },
    { count: 1.5 },
    { count: '2' },
    { quota: 0 },
    { quota: -5 },
    { quota: 0.5 },
    { quota: 1_000_000_000_000_001 },
    { name: '' },
    { name: '   ' },
    { name: '码'.repeat(21) },
    { name: 'two\nlines' },
    { name: undefined },
  ]
  for (const fields of refused) {
    const [field = ''] = Object.keys(fields)
    const { success, body } = await client.post('/api/redemption/', { name: 'x', quota: 1, ...fields })
    expect({ fields, success, field: body.field }).toEqual({ fields, success: false, field })
  }
  expect((await client.get('/api/redemption/')).headers.get('x-total-count')).toBe('101')
})

test('an emptied number in the form means its default: one code of 100000 quota', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const blank of [undefined, null, '']) {
    expect(await makeCodes(client, { quota: blank, count: blank })).toHaveLength(1)
  }
  const { data } = await client.get('/api/redemption/')
  expect(data.map(({ quota }: { quota: number }) => quota)).toEqual([100_000, 100_000, 100_000])
})

test('the list is newest first, ten per page; a search finds by id and part of the name, literally [R4.26 R7.58 R7.59]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeCodes(client, { name: 'Spring Gift', count: 11 })
  await makeCodes(client, { name: '5%' })
  await makeCodes(client, { name: 'a_c' })
  const first = await client.get('/api/redemption/?p=0')
  expect(first.headers.get('x-total-count')).toBe('13')
  expect(first.data.map(idOf)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4])
  expect((await client.get('/api/redemption?p=1')).data.map(idOf)).toEqual([3, 2, 1])

  const found = async (keyword: string, p = 0) =>
    (await client.get(`/api/redemption/search?keyword=${encodeURIComponent(keyword)}&p=${p}`)).data.map(idOf)
  expect(await found('spring gift')).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
  expect(await found('SPRING', 1)).toEqual([1])
  expect(await found('%')).toEqual([12])
  expect(await found('_')).toEqual([13])
  expect(await found('7')).toEqual([7])
  expect(await found('nothing like this')).toEqual([])
})

test('who used a code is found by the code, and all codes of a user by the name; codes are filtered by status', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const buyer = await makeUser(app, { username: 'buyer_1' })
  const [used = '', unused = ''] = await makeCodes(client, { name: 'shop', count: 2 })
  const disabled = await makeCode(client, { name: 'shop' })
  await client.put('/api/redemption/?status_only=true', { id: disabled.id, status: 2 })
  await buyer.client.post('/api/user/topup', { key: used })

  const found = async (query: string) => (await client.get(`/api/redemption/search?${query}`)).data
  const byCode = await found(`keyword=%20${used}`)
  expect(byCode).toEqual([
    expect.objectContaining({ key: used, status: 3, used_user_id: buyer.id, used_username: 'buyer_1' }),
  ])
  expect(await found('keyword=BUYER_1')).toEqual(byCode)
  expect((await client.get(`/api/redemption/${byCode[0].id}`)).data).toEqual(byCode[0])
  // A part of a code is no proof of having it.
  expect(await found(`keyword=${used.slice(0, 31)}`)).toEqual([])

  const keysOf = (rows: { key: string }[]) => rows.map(({ key }) => key)
  expect(keysOf(await found('keyword=shop&status=1'))).toEqual([unused])
  for (const [status, key] of [
    [1, unused],
    [2, disabled.key],
    [3, used],
  ] as const) {
    const list = await client.get(`/api/redemption/?p=0&status=${status}`)
    expect({ status, keys: keysOf(list.data) }).toEqual({ status, keys: [key] })
    expect(list.headers.get('x-total-count')).toBe('1')
  }
  expect((await client.get('/api/redemption/?status=4')).body).toMatchObject({ success: false, field: 'status' })
})

test('an edit changes name and quota, keeps what is not sent, and never the status [R7.63]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, key } = await makeCode(client)
  const before = (await client.get(`/api/redemption/${id}`)).data
  const renamed = await client.put('/api/redemption/', { id, name: 'renamed' })
  expect(renamed.data).toEqual({ ...before, name: 'renamed' })
  const raised = await client.put('/api/redemption/', { id, quota: 250 })
  expect(raised.data).toEqual({ ...before, name: 'renamed', quota: 250 })
  // A form sends the whole object back, with a count that it does not have.
  const whole = { ...raised.data, key: 'f'.repeat(32), user_id: 1, status: 2, count: null, quota: '' }
  expect((await client.put('/api/redemption/', whole)).data).toEqual(raised.data)
  expect((await client.put('/api/redemption/', { id })).data).toEqual(raised.data)
  for (const wrong of [{ quota: 0 }, { quota: -1 }, { name: '' }, { name: 'x'.repeat(21) }]) {
    expect((await client.put('/api/redemption/', { id, ...wrong })).success).toBe(false)
  }
  expect((await client.get(`/api/redemption/${id}`)).data).toEqual({ ...raised.data, key })
  expect((await client.put('/api/redemption/', { id: 987_654, name: 'x' })).message).toBe('兑换码不存在')
})

test('the status endpoint switches between unused and disabled and changes nothing else [R4.11 R7.64]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeCode(client)
  const before = (await client.get(`/api/redemption/${id}`)).data
  for (const status of [2, 1]) {
    const sent = { id, status, name: 'ignored', quota: 999 }
    expect((await client.put('/api/redemption/?status_only=true', sent)).data).toEqual({ ...before, status })
  }
  for (const status of [0, 3, 4, undefined]) {
    const refused = await client.put('/api/redemption/?status_only=true', { id, status })
    expect(refused).toMatchObject({ success: false, message: '不支持的兑换码状态' })
  }
})

test('a deleted code is gone and worthless; a used one may be deleted too, and the ledger still adds up [R7.65]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const user = await makeUser(app)
  const unused = await makeCode(client)
  const used = await makeCode(client)
  await user.client.post('/api/user/topup', { key: used.key })
  for (const { id } of [unused, used]) {
    expect((await client.delete(`/api/redemption/${id}/`)).success).toBe(true)
    expect(await client.delete(`/api/redemption/${id}`)).toMatchObject({ success: false, message: '兑换码不存在' })
  }
  expect((await client.get('/api/redemption/')).data).toEqual([])
  for (const { key } of [unused, used]) {
    const refused = await user.client.post('/api/user/topup', { key })
    expect(refused.message).toBe('兑换失败，无效的兑换码')
  }
  expect(await app.audit()).toEqual([])
  // The id of a credited code is never reused, or the new code could not be credited.
  const next = await makeCode(client)
  expect((await user.client.post('/api/user/topup', { key: next.key })).data).toBe(100)
})

test('creating, changing and deleting codes is recorded, without the codes themselves', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, key } = await makeCode(client)
  await client.put('/api/redemption/', { id, quota: 200 })
  await client.delete(`/api/redemption/${id}`)
  const { data } = await client.get('/api/audit?target=redemption')
  expect(data).toMatchObject([
    { action: 'redemption.remove', target: `redemption:${id}`, before: { name: 'gift', quota: 200, status: 1 } },
    { action: 'redemption.update', target: `redemption:${id}`, before: { quota: 100 }, after: { quota: 200 } },
    { action: 'redemption.create', after: { name: 'gift', quota: 100, count: 1 } },
  ])
  expect(JSON.stringify(data)).not.toContain(key)
})

function idOf({ id }: { id: number }) {
  return id
}
