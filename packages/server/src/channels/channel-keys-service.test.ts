import { expect, setDefaultTimeout, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel, storedChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'
import { openSecrets, placeOfRow } from './channel-secrets.ts'
import { openPoolKey } from './pool-secrets.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const KEYS = ['sk-the-first-key-aaa1', 'sk-the-second-key-bbb2', 'sk-the-third-key-ccc3']

const pooled = (client: Client, fields: object = {}) =>
  makeChannel(client, { key: KEYS.join('\n'), key_pool: true, ...fields })

const storedKeys = (app: TestApp, id: number) =>
  app.db.selectFrom('channel_keys').selectAll().where('channel_id', '=', id).orderBy('id').execute()

/** The keys as the relay would send them; undefined for those that cannot be decrypted. */
const opened = async (app: TestApp, id: number) => {
  const place = placeOfRow(await storedChannel(app, id))
  return (await storedKeys(app, id)).map(({ key_sealed }) => openPoolKey(app.vault, place, key_sealed)?.key)
}

const keysOf = async (client: Client, id: number) => (await client.get(`/api/channel/${id}/keys`)).data

test('several lines create a channel each, or one channel with a pool if requested', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const apart = await client.post('/api/channel/', { name: 'a', type: 1, models: 'm', key: KEYS.join('\n') })
  expect(apart.data).toMatchObject([
    { key_hint: 'aaa1', key_count: 0 },
    { key_hint: 'bbb2', key_count: 0 },
    { key_hint: 'ccc3', key_count: 0 },
  ])
  const together = await client.post('/api/channel/', {
    ...{ name: 'b', type: 1, models: 'm', key: [...KEYS, KEYS[0]].join('\n') },
    ...{ key_pool: true, key_order: 'least_busy' },
  })
  expect(together.data).toMatchObject([{ key: '', key_hint: '', key_count: 3, key_order: 'least_busy' }])
  const { id } = together.data[0]
  expect((await keysOf(client, id)).map(({ key_hint }: { key_hint: string }) => key_hint)).toEqual([
    'aaa1',
    'bbb2',
    'ccc3',
  ])
  expect(await opened(app, id)).toEqual(KEYS)
  expect(openSecrets(app.vault, await storedChannel(app, id)).key).toBe('')
  expect(JSON.stringify(await storedKeys(app, id))).not.toContain('sk-the')
})

test('a single line creates an ordinary channel, whatever was requested', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const { id, key_count, key_hint } = await makeChannel(client, { key: KEYS[0], key_pool: true })
  expect([key_count, key_hint]).toEqual([0, 'aaa1'])
  expect(await storedKeys(app, id)).toEqual([])
})

test('keys are added to a channel with one key: its own becomes the first, and duplicates are skipped', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { key: KEYS[0] })
  const add = (key: string, rate_limits?: object) => client.post(`/api/channel/${id}/keys`, { key, rate_limits })
  expect((await add(KEYS[0] ?? '')).data).toEqual({ added: 0, skipped: 1 })
  expect(await storedKeys(app, id)).toEqual([])
  expect((await add(`${KEYS[1]}\n\n${KEYS[0]}\n${KEYS[1]}\n`)).data).toEqual({ added: 1, skipped: 2 })
  expect((await add(KEYS[2] ?? '', { rpm: 5 })).data).toEqual({ added: 1, skipped: 0 })
  expect(await opened(app, id)).toEqual(KEYS)
  expect(await keysOf(client, id)).toMatchObject([
    { key_hint: 'aaa1', status: 1, rate_limits: {}, calls: 0, cooldown_until: 0 },
    { key_hint: 'bbb2' },
    { key_hint: 'ccc3', rate_limits: { rpm: 5 } },
  ])
  expect((await client.get(`/api/channel/${id}`)).data).toMatchObject({ key_count: 3, key_hint: '' })
  const { data: events } = await client.get(`/api/audit?target=channel:${id}`)
  expect(events.map(({ action }: { action: string }) => action)).toEqual([
    'channel.keys_add',
    'channel.keys_add',
    'channel.create',
  ])
  expect(JSON.stringify(events)).not.toContain('sk-the')
})

test('an invalid key is refused, and nothing is added', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const zhipu = await makeChannel(client, { type: 16, key: 'the-id.the-secret' })
  const refused = await client.post(`/api/channel/${zhipu.id}/keys`, { key: 'other-id.other-secret\nno-key' })
  expect(refused).toMatchObject({ success: false, message: expect.stringContaining('密钥格式不正确') })
  expect(await storedKeys(app, zhipu.id)).toEqual([])
  expect(await client.post(`/api/channel/${zhipu.id}/keys`, { key: ' \n ' })).toMatchObject({ message: '请填写密钥' })
  expect(await client.post('/api/channel/999/keys', { key: 'x' })).toMatchObject({ message: '渠道不存在' })
  const proxy = await makeChannel(client, { type: 43, base_url: 'https://proxy.example.com', models: '' })
  expect(await client.post(`/api/channel/${proxy.id}/keys`, { key: 'sk-other-key-1234' })).toMatchObject({
    message: '该类型的渠道只能有一个密钥',
  })
  const limits = await client.post(`/api/channel/${zhipu.id}/keys`, { key: 'a-id.b-secret', rate_limits: { rpm: 0 } })
  expect(limits.success).toBe(false)
})

test('compound keys are kept whole, and one for another region is refused', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const config = '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"very-secret-key"}'
  const { id } = await makeChannel(client, { type: 33, key: '', config })
  const add = (key: string) => client.post(`/api/channel/${id}/keys`, { key })
  expect(await add('AKIAOTHER1234567|its-secret|eu-west-1')).toMatchObject({ message: '密钥中的区域或项目与渠道不同' })
  expect((await add('AKIAOTHER1234567|its-secret|us-east-1\nAKIATHIRD1234567|third')).data).toEqual({
    added: 2,
    skipped: 0,
  })
  const place = placeOfRow(await storedChannel(app, id))
  const keys = (await storedKeys(app, id)).map(({ key_sealed }) => openPoolKey(app.vault, place, key_sealed))
  expect(keys).toEqual([
    {
      key: 'AKIAEXAMPLE12345|very-secret-key|us-east-1',
      config: { ak: 'AKIAEXAMPLE12345', sk: 'very-secret-key' },
    },
    { key: 'AKIAOTHER1234567|its-secret|us-east-1', config: { ak: 'AKIAOTHER1234567', sk: 'its-secret' } },
    { key: 'AKIATHIRD1234567|third|us-east-1', config: { ak: 'AKIATHIRD1234567', sk: 'third' } },
  ])
  expect(openSecrets(app.vault, await storedChannel(app, id))).toEqual({ key: '', config: {} })
})

test('the keys of a pool are bound to their address: a channel that points elsewhere replaces them with the entered key', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const { id } = await pooled(client, { base_url: 'https://one.example.com/v1' })
  const edit = (fields: object) => client.put('/api/channel/', { id, ...fields })
  expect(await edit({ name: 'other', base_url: 'https://one.example.com/v2', key: '' })).toMatchObject({
    success: true,
  })
  expect(await opened(app, id)).toEqual(KEYS)
  for (const elsewhere of [
    { base_url: 'https://evil.example.com' },
    { type: 8 },
    { config: '{"proxy":"socks5://evil.example.com:1080"}' },
  ]) {
    expect(await edit(elsewhere)).toMatchObject({ success: false, message: expect.stringContaining('请重新填写密钥') })
  }
  expect(await edit({ key: 'sk-replaces-the-pool-9999' })).toMatchObject({
    message: '该渠道有多个密钥，请在“密钥”中添加或删除',
  })
  expect(await opened(app, id)).toEqual(KEYS)
  // Write access to the database is not enough to send a key elsewhere.
  await app.db.updateTable('channels').set({ base_url: 'https://evil.example.com' }).where('id', '=', id).execute()
  expect(await opened(app, id)).toEqual([undefined, undefined, undefined])
  await app.db.updateTable('channels').set({ base_url: 'https://one.example.com' }).where('id', '=', id).execute()

  const moved = await edit({ base_url: 'https://two.example.com', key: 'sk-for-the-other-9999' })
  expect(moved.data).toMatchObject({ key_count: 0, key_hint: '9999' })
  expect(await storedKeys(app, id)).toEqual([])
})

test('keys are paused, limited and removed, and the last one stays', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const { id } = await pooled(client)
  const path = `/api/channel/${id}/keys`
  const [one, two, three] = await keysOf(client, id)
  expect((await client.put(path, { ids: [one.id, two.id], status: 2 })).data).toBe(2)
  expect((await client.get(`${path}?status=2`)).data).toHaveLength(2)
  expect((await client.put(path, { ids: [one.id], status: 1, rate_limits: { tpm: 9 } })).data).toBe(1)
  expect((await keysOf(client, id))[0]).toMatchObject({ status: 1, rate_limits: { tpm: 9 } })
  expect((await client.put(path, { ids: [one.id], rate_limits: {} })).data).toBe(1)
  expect((await keysOf(client, id))[0].rate_limits).toEqual({})
  for (const [body, message] of [
    [{ ids: [one.id] }, '请填写要修改的内容'],
    [{ ids: [one.id, 12345], status: 1 }, '密钥不存在'],
  ] as const) {
    expect(await client.put(path, body)).toMatchObject({ success: false, message })
  }
  for (const body of [
    { ids: [], status: 1 },
    { ids: [one.id], status: 3 },
    { ids: [one.id], key: 'x' },
  ]) {
    expect((await client.put(path, body)).success).toBe(false)
  }
  const other = await pooled(client)
  expect(await client.delete(`/api/channel/${other.id}/keys/${one.id}`)).toMatchObject({ message: '密钥不存在' })
  expect((await client.delete(`${path}/${one.id}`)).success).toBe(true)
  await app.db.updateTable('channel_keys').set({ status: 3 }).where('id', '=', two.id).execute()
  expect((await client.delete(`${path}/disabled`)).data).toBe(1)
  expect((await client.delete(`${path}/disabled`)).data).toBe(0)
  expect(await client.delete(`${path}/${three.id}`)).toMatchObject({
    message: expect.stringContaining('至少需要一个密钥'),
  })
  expect((await client.get(`/api/channel/${id}`)).data.key_count).toBe(1)
  const { data: events } = await client.get(`/api/audit?target=channel:${id}`)
  expect(events[0]).toMatchObject({ action: 'channel.keys_remove' })
  expect(JSON.stringify(events)).toContain('…bbb2')
})

test('a pool moves to new keys: a key is found by its end, and the old ones are removed together', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const { id } = await pooled(client)
  const path = `/api/channel/${id}/keys`
  const old = (await keysOf(client, id)).map((key: { id: number }) => key.id)
  const remove = (ids: number[]) => client.post(`${path}/remove`, { ids })
  expect((await remove(old)).message).toContain('至少需要一个密钥')
  const typed = Array.from({ length: 30 }, (_, n) => `sk-new-key-${1000 + n}`)
  expect((await client.post(path, { key: [...typed, typed[3], ''].join('\n') })).data).toEqual({
    added: 30,
    skipped: 1,
  })
  const found = await client.get(`${path}?hint=1017`)
  expect(found.data.map((key: { key_hint: string }) => key.key_hint)).toEqual(['1017'])
  expect((await client.get(`${path}?hint=%25&page_size=100`)).data).toEqual([])
  expect((await client.get(`${path}?hint=12345`)).success).toBe(false)

  const other = await pooled(client)
  const [foreign] = await keysOf(client, other.id)
  for (const ids of [
    [...old, foreign.id],
    [...old, 12_345],
  ])
    expect(await remove(ids)).toMatchObject({ success: false, message: '密钥不存在' })
  expect(await storedKeys(app, id)).toHaveLength(old.length + 30)
  expect((await remove([...old, ...old])).data).toBe(old.length)
  expect((await client.get(`/api/channel/${id}`)).data.key_count).toBe(30)
  const { data: events } = await client.get(`/api/audit?target=channel:${id}`)
  expect(events[0]).toMatchObject({ action: 'channel.keys_remove', after: { count: old.length } })
})

test('keys are removed with their channel, however it is removed', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const [one, two, three] = [await pooled(client), await pooled(client), await pooled(client)]
  await client.delete(`/api/channel/${one.id}`)
  await client.post('/api/channel/bulk', { ids: [two.id], change: { remove: true }, preview: false })
  await client.put('/api/channel/', { id: three.id, status: 2 })
  expect((await client.delete('/api/channel/disabled')).data).toBe(1)
  expect(await app.db.selectFrom('channel_keys').select('id').execute()).toEqual([])
})

test('a single key is tested with its own secret, whatever its status, and stores its own result', async () => {
  const vendor = fakeVendor(({ headers }) =>
    headers.get('authorization')?.endsWith('bbb2')
      ? Response.json({ error: { message: 'Incorrect API key sk-the-second-key-bbb2' } }, { status: 401 })
      : Response.json({
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        }),
  )
  const app = await testApp()
  const client = await asRoot(app)
  const { id } = await pooled(client, { base_url: vendor.url })
  const [, two, three] = await keysOf(client, id)
  const path = `/api/channel/${id}/keys`
  await client.put(path, { ids: [three.id], status: 2 })
  const passed = await client.post(`${path}/${three.id}/test`, {})
  expect(passed.body).toMatchObject({ success: true, message: 'Hi', model: 'gpt-4o' })
  const failed = await client.post(`${path}/${two.id}/test?model=gpt-4o`, {})
  expect(failed).toMatchObject({ success: false, message: expect.stringContaining('Incorrect API key') })
  expect(JSON.stringify(failed.body)).not.toContain('second')
  expect(await keysOf(client, id)).toMatchObject([
    { test_time: 0 },
    { test_time: expect.any(Number), response_time: 0, last_error: expect.stringContaining('Incorrect') },
    { status: 2, test_time: expect.any(Number), last_error: '' },
  ])
  expect((await client.get(`/api/channel/${id}`)).data.test_time).toBe(0)
  expect(await client.post(`${path}/9999/test`, {})).toMatchObject({ success: false, message: '密钥不存在' })
  // The channel's own requests use the first usable key.
  await client.put(path, { ids: [(await keysOf(client, id))[0].id], status: 2 })
  await client.put(path, { ids: [three.id], status: 1 })
  await client.put(path, { ids: [two.id], status: 2 })
  expect((await client.get(`/api/channel/test/${id}`)).success).toBe(true)
  expect(vendor.asked.at(-1)?.headers.get('authorization')).toEndWith('ccc3')
})

test('a key that fails its test is set aside or cools down as after a call; paused keys, other errors and the channel stay', async () => {
  const answers = new Map([
    ['aaa1', 403],
    ['bbb2', 429],
    ['ccc3', 401],
  ])
  const vendor = fakeVendor(({ headers }) => {
    const status = answers.get(headers.get('authorization')?.slice(-4) ?? '') ?? 200
    const headersOf = status === 429 ? { 'retry-after': '3600' } : {}
    return Response.json({ error: { message: `Refused by ${status}` } }, { status, headers: headersOf })
  })
  const app = await testApp()
  const client = await asRoot(app)
  const { id } = await pooled(client, { base_url: vendor.url })
  const [one, , three] = await keysOf(client, id)
  const path = `/api/channel/${id}/keys`
  const testKey = (key: { id: number }) => client.post(`${path}/${key.id}/test`, {})
  await client.put(path, { ids: [three.id], status: 2 })
  await Promise.all([testKey(three), testKey(one)])
  while ((await keysOf(client, id))[0].status !== 3) await Bun.sleep(5)
  expect(await keysOf(client, id)).toMatchObject([
    { status: 3, status_reason: '403 Refused by 403' },
    { status: 1 },
    { status: 2, status_reason: '' },
  ])

  // The channel's own test uses the first key that is left, and treats it in the same way.
  expect((await client.get(`/api/channel/test/${id}`)).success).toBe(false)
  while ((await keysOf(client, id))[1].cooldown_until === 0) await Bun.sleep(5)
  await client.put(path, { ids: [one.id, three.id], status: 1 })
  answers.set('aaa1', 500)
  await testKey(one)
  answers.set('ccc3', 400)
  await testKey(three)
  expect((await keysOf(client, id)).map(({ status }: { status: number }) => status)).toEqual([1, 1, 1])
  expect((await client.get(`/api/channel/${id}`)).data.status).toBe(1)
})

test('with a thousand keys an edit and a page cost not much more than with ten', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `sk-of-a-big-pool-${10_000 + n}`).join('\n')
  const few = await pooled(client, { key: lines(10) })
  const many = await pooled(client, { key: lines(1000) })
  expect(many.key_count).toBe(1000)
  const work = async (id: number) => {
    const began = performance.now()
    expect((await client.get(`/api/channel/${id}/keys?p=0`)).data).toHaveLength(10)
    expect((await client.put('/api/channel/', { id, priority: 3 })).success).toBe(true)
    return performance.now() - began
  }
  // Alternating, so that other load on the machine slows both.
  const times: { few: number; many: number }[] = []
  for (let turn = 0; turn < 40; turn++) times.push({ few: await work(few.id), many: await work(many.id) })
  const median = (of: 'few' | 'many') => times.map((one) => one[of]).toSorted((one, other) => one - other)[20] ?? 0
  expect(median('many') / median('few')).toBeLessThan(5)
  const { data, headers } = await client.get(`/api/channel/${many.id}/keys?p=9&page_size=100`)
  expect([data.length, headers.get('x-total-count')]).toEqual([100, '1000'])
})
