import { expect, test } from 'bun:test'
import { transact } from '../database/client.ts'
import { testApp } from '../testing/app.ts'
import { signedIn } from '../testing/makers.ts'
import { makeToken, tokenOwner } from '../testing/token-makers.ts'

test('the list is newest first, ten per page, with the total in the header [R4.26 R7.51 R9.04]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const made: { id: number }[] = []
  for (let n = 1; n <= 12; n++) made.push(await makeToken(client, { name: `token ${n}` }))
  const newestFirst = made.map(({ id }) => id).reverse()

  const first = await client.get('/api/token/?p=0')
  expect(first.data.map(idOf)).toEqual(newestFirst.slice(0, 10))
  expect(first.headers.get('x-total-count')).toBe('12')
  expect((await client.get('/api/token/?p=1')).data.map(idOf)).toEqual(newestFirst.slice(10))
  const past = await client.get('/api/token/?p=2')
  expect(past).toMatchObject({ success: true, data: [] })
  expect(past.headers.get('x-total-count')).toBe('12')
  for (const p of ['-1', 'x', '', '1.5', '99999999999']) {
    expect((await client.get(`/api/token/?p=${p}`)).data.map(idOf)).toEqual(newestFirst.slice(0, 10))
  }
})

test('the list is sorted by remaining quota, unlimited first, or by used quota; an unknown order is the default [R7.51]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  const poor = await makeToken(client, { name: 'poor', remain_quota: 1 })
  const free = await makeToken(client, { name: 'free', unlimited_quota: true })
  const rich = await makeToken(client, { name: 'rich', remain_quota: 900 })
  await app.db.updateTable('tokens').set({ used_quota: 7 }).where('id', '=', poor.id).execute()
  await app.db.updateTable('tokens').set({ used_quota: 3 }).where('id', '=', rich.id).execute()
  const names = async (order: string) => (await client.get(`/api/token/?p=0&order=${order}`)).data.map(nameOf)
  expect(await names('remain_quota')).toEqual([free.name, rich.name, poor.name])
  expect(await names('used_quota')).toEqual([poor.name, rich.name, free.name])
  expect(await names('')).toEqual([rich.name, free.name, poor.name])
  expect(await names('key_hash;drop')).toEqual([rich.name, free.name, poor.name])
})

test('a search finds names that contain the keyword, in any case, literally, and in pages [R7.52]', async () => {
  const app = await testApp()
  const { client } = await tokenOwner(app)
  for (const name of ['Alpha One', 'alpha two', '100% sure', 'under_score', 'back\\slash', '令牌甲', 'ÜBUNG']) {
    await makeToken(client, { name })
  }
  const found = async (keyword: string) =>
    (await client.get(`/api/token/search?keyword=${encodeURIComponent(keyword)}`)).data.map(nameOf)
  expect(await found('ALPHA')).toEqual(['alpha two', 'Alpha One'])
  expect(await found('%')).toEqual(['100% sure'])
  expect(await found('_')).toEqual(['under_score'])
  expect(await found('\\')).toEqual(['back\\slash'])
  expect(await found('牌')).toEqual(['令牌甲'])
  expect(await found('ÜBUNG')).toEqual(['ÜBUNG'])
  expect(await found("' OR 1=1 --")).toEqual([])
  expect(await found('')).toHaveLength(7)

  for (let n = 0; n < 10; n++) await makeToken(client, { name: `alpha ${n + 3}` })
  const second = await client.get('/api/token/search?keyword=alpha&p=1')
  expect(second.data.map(nameOf)).toEqual(['alpha two', 'Alpha One'])
  expect(second.headers.get('x-total-count')).toBe('12')
})

test("another user's token is not found: it answers like an id that never existed [R1.01]", async () => {
  const app = await testApp()
  const mine = await tokenOwner(app)
  const other = await tokenOwner(app)
  const root = await signedIn(app, 1)
  const token = await makeToken(mine.client)

  for (const client of [other.client, root]) {
    for (const id of [token.id, 987_654]) {
      const missing = { status: 200, success: false, message: '令牌不存在' }
      expect(await client.get(`/api/token/${id}`)).toMatchObject(missing)
      expect(await client.put('/api/token/', { id, name: 'stolen' })).toMatchObject(missing)
      expect(await client.put('/api/token/?status_only=true', { id, status: 2 })).toMatchObject(missing)
      expect(await client.delete(`/api/token/${id}/`)).toMatchObject(missing)
    }
  }
  expect((await other.client.get('/api/token/')).data).toEqual([])
  expect((await other.client.get('/api/token/search?keyword=token')).data).toEqual([])
  expect((await mine.client.get(`/api/token/${token.id}`)).data).toEqual(token)
})

test('a person has at most 1000 tokens', async () => {
  const app = await testApp()
  const { id, client } = await tokenOwner(app)
  const row = { user_id: id, name: 'x', status: 1, created_time: 1, accessed_time: 1, expired_time: -1 }
  const rows = Array.from({ length: 1000 }, (_, n) => ({
    ...row,
    key_hash: `hash ${n}`,
    key_sealed: '',
    models: '',
    subnet: '',
    deleted_at: null,
  }))
  await transact(app.db, async (tx) => {
    for (let from = 0; from < rows.length; from += 250) {
      await tx
        .insertInto('tokens')
        .values(rows.slice(from, from + 250))
        .execute()
    }
  })
  const refused = await client.post('/api/token/', { name: 'one more' }, { 'accept-language': 'en' })
  expect(refused).toMatchObject({ success: false, message: 'You have reached the limit of 1000 tokens' })
  await app.db.updateTable('tokens').set({ deleted_at: 1 }).where('key_hash', '=', 'hash 0').execute()
  expect((await client.post('/api/token/', { name: 'one more' })).success).toBe(true)
})

function idOf({ id }: { id: number }) {
  return id
}

function nameOf({ name }: { name: string }) {
  return name
}
