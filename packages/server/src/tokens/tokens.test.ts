import { expect, test } from 'bun:test'
import { DAY } from '../common/time-units.ts'
import { lookupHash } from '../security/random.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeUser, setOptions } from '../testing/makers.ts'
import { makeToken, nowOf, storedToken, tokenOwner } from '../testing/token-makers.ts'

test('a new account starts with one unlimited token named default [R9.12]', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data, headers } = await client.get('/api/token/?p=0')
  expect(data).toMatchObject([{ name: 'default', unlimited_quota: true, expired_time: -1, status: 1 }])
  expect(headers.get('x-total-count')).toBe('1')
})

test('a created token comes back with every field of the contract, and is read again the same [R3.14 R7.53 R7.54]', async () => {
  const app = await testApp()
  const owner = await tokenOwner(app)
  const began = nowOf(app)
  const later = began + DAY
  const fields = {
    name: 'for the script',
    expired_time: later,
    remain_quota: 500_000,
    unlimited_quota: false,
    models: 'gpt-4o,claude-sonnet-4',
    subnet: '10.0.0.0/8',
  }
  const { status, success, message, data } = await owner.client.post('/api/token/', fields)
  expect({ status, success, message }).toEqual({ status: 200, success: true, message: '' })
  expect(data).toEqual({
    ...fields,
    id: expect.any(Number),
    user_id: owner.id,
    key: expect.any(String),
    status: 1,
    created_time: expect.any(Number),
    accessed_time: expect.any(Number),
    used_quota: 0,
    rate_limits: {},
    admin_rate_limits: {},
    fallback: true,
    recording: null,
    recording_request: null,
    blocked: false,
    blocked_reason: '',
  })
  expect(data.created_time).toBeWithin(began, nowOf(app) + 1)
  expect((await owner.client.get(`/api/token/${data.id}`)).data).toEqual(data)
})

test('a token with only a name never expires, is limited to 0, and may use every model from everywhere [R3.15 R3.16 R3.17 R5.24]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const bare = { expired_time: -1, remain_quota: 0, unlimited_quota: false, models: '', subnet: '', status: 4 }
  expect(await makeToken(client)).toMatchObject(bare)
  // What older forms send for "nothing": null, an emptied field, and 0 as a time.
  expect(await makeToken(client, { remain_quota: null, models: null, subnet: null, expired_time: 0 })).toMatchObject(
    bare,
  )
  expect(await makeToken(client, { remain_quota: '' })).toMatchObject(bare)
})

test('a name has 1 to 30 characters, counted as characters', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const chinese = '令'.repeat(30)
  expect((await makeToken(client, { name: chinese })).name).toBe(chinese)
  expect((await makeToken(client, { name: '  trimmed  ' })).name).toBe('trimmed')
  for (const name of ['令'.repeat(31), '', '   ', 'two\nlines', undefined, 7]) {
    const { success, body } = await client.post('/api/token/', { name })
    expect({ name, success, field: body.field }).toEqual({ name, success: false, field: 'name' })
  }
  expect((await client.get('/api/token/')).data).toHaveLength(2)
})

test('an expiry is whole seconds, -1 or nothing; anything else is refused and nothing is created [R5.24]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  for (const expired_time of [-2, 1.5, 1e12, '2026-01-01', null, true]) {
    const { success, body } = await client.post('/api/token/', { name: 'x', expired_time })
    const answer = { expired_time, success, field: body.field }
    expect(answer).toEqual({ expired_time, success: false, field: 'expired_time' })
  }
  expect((await client.get('/api/token/')).data).toEqual([])
  // An expiry in the past may be intended: the token is kept for the record and cannot be used.
  const past = nowOf(app) - DAY
  expect((await makeToken(client, { expired_time: past })).expired_time).toBe(past)
})

test('an amount is a whole number from 0 to the bound of the product', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  expect((await makeToken(client, { remain_quota: 1_000_000_000_000_000 })).remain_quota).toBe(1_000_000_000_000_000)
  for (const remain_quota of [-1, 0.5, 1_000_000_000_000_001, 1e300, '5', {}]) {
    expect((await client.post('/api/token/', { name: 'x', remain_quota })).success).toBe(false)
  }
})

test('a list of models is normalised: no blanks, no duplicates [R3.16]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  expect((await makeToken(client, { models: ' gpt-4o, ,gpt-4o,, o3 ' })).models).toBe('gpt-4o,o3')
})

test('a subnet is a comma list of ranges of both families; one bad entry refuses all and is named [R3.17]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const good = '192.168.1.0/24, 10.0.0.1/32 ,fd00::/8'
  const token = await makeToken(client, { subnet: good })
  expect(token.subnet).toBe('192.168.1.0/24,10.0.0.1/32,fd00::/8')
  for (const bad of ['10.0.0.1', '10.0.0.0/33', 'example.com/24', '10.0.0.0/8;fd00::/8', 'fd00::/129']) {
    const english = { 'accept-language': 'en' }
    const made = await client.post('/api/token/', { name: 'x', subnet: `10.0.0.0/8,${bad}` }, english)
    expect(made).toMatchObject({ status: 200, success: false, message: `Not a valid subnet: ${bad}` })
    const edited = await client.put('/api/token/', { id: token.id, name: 'renamed', subnet: bad })
    expect(edited).toMatchObject({ success: false, message: `无效的网段：${bad}` })
  }
  expect((await client.get('/api/token/')).data).toEqual([token])
})

test('the key is 48 letters and digits, and is stored only as a hash and encrypted [R3.14]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id, key } = await makeToken(client)
  const other = await makeToken(client)
  expect(key).toMatch(/^[A-Za-z0-9]{48}$/)
  expect(other.key).not.toBe(key)

  const row = await storedToken(app, id)
  expect(row.key_hash).toBe(lookupHash(key))
  expect(row.key_sealed).toStartWith(`v1.${app.vault.keyId}.`)
  expect(await everyText(app)).not.toContain(key)
  // Moved to another row, the ciphertext cannot be decrypted.
  const moved = () => app.vault.open(row.key_sealed, `token:${lookupHash(other.key)}`)
  expect(moved).toThrow()
})

test('an edit changes what it names and leaves the rest [R7.55]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const fields = { expired_time: nowOf(app) + DAY, remain_quota: 70, models: 'gpt-4o', subnet: '10.0.0.0/8' }
  const token = await makeToken(client, fields)
  const { id } = token
  const steps = [
    { name: 'renamed' },
    { remain_quota: 80 },
    { remain_quota: 0, status: 4 },
    { unlimited_quota: true, status: 1 },
    { unlimited_quota: false, status: 4 },
    { models: '' },
    { subnet: '' },
    { expired_time: -1 },
  ]
  let expected = token
  for (const step of steps) {
    expected = { ...expected, ...step }
    const { success, data } = await client.put('/api/token/', { id, ...step })
    expect({ success, data }).toEqual({ success: true, data: expected })
  }
  expect((await client.get(`/api/token/${id}`)).data).toEqual(expected)
})

test('fields that an edit cannot change are ignored', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const token = await makeToken(client, { remain_quota: 10 })
  const theirs = { user_id: 1, key: 'x'.repeat(48), used_quota: 999, created_time: 1, accessed_time: 1 }
  const { success, data } = await client.put('/api/token/', { ...token, ...theirs, name: 'renamed' })
  expect({ success, data }).toEqual({ success: true, data: { ...token, name: 'renamed' } })
})

test('an edit that includes the displayed amount changes it by the difference', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { remain_quota: 500 })
  // A call spent 120 while the form was open.
  await app.db.updateTable('tokens').set({ remain_quota: 380 }).where('id', '=', id).execute()
  const raised = await client.put('/api/token/', { id, remain_quota: 700, remain_quota_base: 500 })
  expect(raised.data.remain_quota).toBe(580)
  const renamed = await client.put('/api/token/', { id, name: 'b', remain_quota: 500, remain_quota_base: 500 })
  expect(renamed.data.remain_quota).toBe(580)
  const absolute = await client.put('/api/token/', { id, remain_quota: 5 })
  expect(absolute.data.remain_quota).toBe(5)
})

test('a difference that would take the amount below zero is refused, and so is one beyond the bound', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { remain_quota: 100 })
  const below = await client.put('/api/token/', { id, name: 'no', remain_quota: 0, remain_quota_base: 500 })
  expect(below).toMatchObject({ success: false, message: '修改后额度会小于零' })
  const above = { id, name: 'no', remain_quota: 1e15, remain_quota_base: -9e15 }
  expect(await client.put('/api/token/', above)).toMatchObject({ success: false, message: '额度超出允许范围' })
  expect((await client.get(`/api/token/${id}`)).data).toMatchObject({ name: 'a token', remain_quota: 100 })
})

test('an amount below zero, as older forms echo it, keeps what is stored', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { remain_quota: 40 })
  // -1 means "unlimited" there; a token overdrawn by its last call shows its debt.
  expect((await client.put('/api/token/', { id, remain_quota: -1 })).data.remain_quota).toBe(40)
  await app.db.updateTable('tokens').set({ status: 4, remain_quota: -30 }).where('id', '=', id).execute()
  const renamed = await client.put('/api/token/', { id, name: 'in debt', remain_quota: -30 })
  expect(renamed.data).toMatchObject({ name: 'in debt', remain_quota: -30, status: 4 })
})

test('two concurrent edits do not undo each other', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id } = await makeToken(client, { remain_quota: 1 })
  const later = nowOf(app) + DAY
  for (let round = 1; round <= 5; round++) {
    await Promise.all([
      client.put('/api/token/', { id, name: `round ${round}` }),
      client.put('/api/token/', { id, expired_time: later + round }),
      client.put('/api/token/', { id, models: `model-${round}` }),
      client.put('/api/token/', { id, remain_quota: round * 10 }),
    ])
    expect((await client.get(`/api/token/${id}`)).data).toMatchObject({
      name: `round ${round}`,
      expired_time: later + round,
      models: `model-${round}`,
      remain_quota: round * 10,
    })
  }
})

test('a deleted token is gone for every call, its key with it, and its row is kept for the ledger [R7.57]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const { id, key } = await makeToken(client)
  expect(await client.delete(`/api/token/${id}/`)).toMatchObject({ status: 200, success: true, message: '' })

  expect((await client.get('/api/token/')).data).toEqual([])
  expect(await client.delete(`/api/token/${id}`)).toMatchObject({ success: false, message: '令牌不存在' })
  expect((await client.put('/api/token/?status_only=true', { id, status: 1 })).success).toBe(false)
  const row = await storedToken(app, id)
  expect(row).toMatchObject({ status: 2, key_sealed: '' })
  expect(row.key_hash).not.toBe(lookupHash(key))
  expect(await app.audit()).toEqual([])
})

test('the default token of a new account is independent of its balance [R1.06]', async () => {
  const app = await testApp()
  await setOptions(app, { QuotaForNewUser: 1234 })
  const { client } = await makeUser(app)
  const [token] = (await client.get('/api/token/')).data
  expect(token).toMatchObject({ unlimited_quota: true, remain_quota: 0, used_quota: 0 })
  await client.put('/api/token/', { id: token.id, unlimited_quota: false, remain_quota: 99 })
  const { data: self } = await client.get('/api/user/self')
  expect(self).toMatchObject({ quota: 1234, used_quota: 0, request_count: 0 })
})

/** Every text in the tables that could contain a key, and everything that was logged. */
async function everyText(app: TestApp) {
  const tables = ['tokens', 'users', 'logs', 'audit_events', 'ledger', 'sessions'] as const
  const rows = await Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().execute()))
  return JSON.stringify(rows) + app.lines.join('\n')
}
