import { expect, test } from 'bun:test'
import type { ChangedChannel } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannelRows } from '../testing/channel-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'

const fixture = async (count: number, fields: (n: number) => { [name: string]: string | number } = () => ({})) => {
  const app = await testApp()
  const root = await asRoot(app)
  const ids = await makeChannelRows(app, count, fields)
  const bulk = (body: object) => root.post('/api/channel/bulk', body)
  return {
    ...{ app, root, ids },
    bulk,
    preview: (body: object) => bulk({ ...body, preview: true }),
    apply: (body: object) => bulk({ ...body, preview: false }),
  }
}

const stored = (app: TestApp) => app.db.selectFrom('channels').selectAll().orderBy('id').execute()

test('a preview shows the result and changes nothing; the change then does exactly that', async () => {
  const { app, ids, preview, apply } = await fixture(3, (n) => ({
    group: n === 0 ? 'default,vip' : 'default',
    weight: n,
  }))
  const before = await stored(app)
  const change = { add_group: 'vip', weight: 1, add_models: 'o3', remove_models: 'gpt-4o', tag: 'moved', priority: -2 }
  const shown = await preview({ ids, change })
  expect(await stored(app)).toEqual(before)
  expect(shown.data).toMatchObject({ matched: 3, changed: 3, ids: ids.toReversed(), orphaned_count: 2 })
  expect(shown.data.channels[0]).toEqual({
    id: ids[2],
    name: 'c2',
    before: { status: 1, group: 'default', priority: 0, weight: 2, tag: '', models: 1, proxy: '' },
    after: { status: 1, group: 'default,vip', priority: -2, weight: 1, tag: 'moved', models: 1, proxy: '' },
    models_added: ['o3'],
    models_removed: ['gpt-4o'],
    mapping: [],
    proxy_login: false,
  })
  const done = await apply({ ids, change })
  expect(done.data).toEqual(shown.data)
  const now = await stored(app)
  for (const { id, after } of shown.data.channels as ChangedChannel[]) {
    const { proxy: _, ...columns } = after ?? {}
    const row = now.find((channel) => channel.id === id)
    expect(row).toMatchObject({ ...columns, models: 'o3' })
  }
  // A second run finds nothing to change.
  expect((await apply({ ids, change })).data).toMatchObject({ matched: 3, changed: 0, channels: [] })
})

test('enabling and disabling clear the reason, and an already enabled channel is unchanged', async () => {
  const { app, ids, apply } = await fixture(2, (n) => (n === 0 ? { status: 3, status_reason: 'no balance' } : {}))
  expect((await apply({ ids, change: { status: 1 } })).data.changed).toBe(1)
  expect((await stored(app)).map(({ status, status_reason }) => [status, status_reason])).toEqual([
    [1, ''],
    [1, ''],
  ])
})

test('one channel that would be left without a model or a group stops the whole change', async () => {
  const { app, ids, preview, apply } = await fixture(3, (n) => ({
    models: n === 1 ? 'o3' : 'gpt-4o,o3',
    group: n === 2 ? 'vip' : 'default,vip',
  }))
  const before = await stored(app)
  for (const send of [preview, apply]) {
    const models = await send({ ids, change: { remove_models: 'o3', weight: 9 } })
    expect([models.success, models.message]).toEqual([false, '渠道 c1 将没有任何模型，没有修改任何渠道'])
    expect((await send({ ids, change: { remove_group: 'vip' } })).message).toContain('c2')
  }
  expect(await stored(app)).toEqual(before)
  const { data: record } = await (await asRoot(app)).get('/api/audit')
  expect(record).toEqual([])
})

test('a failure in the middle leaves every channel as it was', async () => {
  const { app, ids, apply } = await fixture(3, (n) => ({ models: `m${n}` }))
  const before = await stored(app)
  // The last of several statements: the audit log entry.
  await app.db.schema.alterTable('audit_events').renameTo('audit_events_away').execute()
  expect((await apply({ ids, change: { add_models: 'o3' } })).status).toBe(500)
  await app.db.schema.alterTable('audit_events_away').renameTo('audit_events').execute()
  expect(await stored(app)).toEqual(before)
})

test('a filter selects channels as well as ids do', async () => {
  const { app, apply } = await fixture(4, (n) => ({ tag: n < 2 ? 'old' : 'new', status: n === 0 ? 2 : 1 }))
  const { data } = await apply({ filter: { tag: 'old', status: 1 }, change: { tag: 'new' } })
  expect(data).toMatchObject({ matched: 1, changed: 1 })
  expect((await stored(app)).map(({ tag }) => tag)).toEqual(['old', 'new', 'new', 'new'])
})

test('models that lose their last enabled channel in a group are listed, and those that others offer are not', async () => {
  const { ids, preview } = await fixture(3, (n) => ({
    group: n === 2 ? 'default' : 'default,vip',
    models: n === 2 ? 'gpt-4o' : 'gpt-4o,o3',
    status: n === 1 ? 2 : 1,
  }))
  const [first] = ids
  const lost = async (change: object) => (await preview({ ids: [first], change })).data.orphaned
  const all = [
    { group: 'default', model: 'o3' },
    { group: 'vip', model: 'gpt-4o' },
    { group: 'vip', model: 'o3' },
  ]
  expect(await lost({ status: 2 })).toEqual(all)
  expect(await lost({ remove: true })).toEqual(all)
  expect(await lost({ remove_group: 'vip' })).toEqual(all.slice(1))
  expect(await lost({ weight: 5 })).toEqual([])
  // A disabled channel offers it as soon as the same change enables it.
  expect((await preview({ ids: ids.slice(0, 2), change: { status: 1, weight: 5 } })).data.orphaned).toEqual([])
})

test('invalid or empty changes are refused with a message', async () => {
  const { app, ids, apply } = await fixture(2)
  const before = await stored(app)
  const bad: object[] = [
    { change: { weight: 1 } },
    { ids, filter: {}, change: { weight: 1 } },
    { ids: [], change: { weight: 1 } },
    { ids: [...ids, 99], change: { weight: 1 } },
    { ids: Array.from({ length: 5001 }, (_, n) => n + 1), change: { weight: 1 } },
    { ids, change: {} },
    { ids, change: { remove: true, weight: 1 } },
    { ids, change: { remove: false } },
    { ids, change: { status: 3 } },
    { ids, change: { weight: -1 } },
    { ids, change: { group: ' , ' } },
    { ids, change: { group: 'a', add_group: 'b' } },
    { ids, change: { tag: 'two\nlines' } },
    { ids, change: { key: 'sk-other' } },
    { ids, change: { add_mapping: '{}' } },
    { ids, change: { remove_mapping: ' , ' } },
    { ids, change: { proxy: '', proxy_user: 'bob' } },
    { ids, change: { proxy_password: 'secret' } },
    { filter: { tag: 'nobody' }, change: { weight: 1 } },
    { filter: { unknown: 1 }, change: { weight: 1 } },
  ]
  for (const body of bad) {
    const { success, message } = await apply(body)
    expect([body, success, message === '']).toEqual([body, false, false])
  }
  expect((await apply({ ids: [...ids, 99], change: { weight: 1 } })).message).toBe('其中 1 个渠道已不存在，请重新选择')
  expect(await stored(app)).toEqual(before)
  const { client } = await makeUser(app)
  expect((await client.post('/api/channel/bulk', { ids, change: { weight: 1 }, preview: true })).success).toBe(false)
})

test('2,000 channels are changed and deleted together, each with an audit log entry, and nodes notice', async () => {
  const { app, root, apply } = await fixture(2000, (n) => ({
    models: `m${n % 50},gpt-4o`,
    tag: n < 1500 ? 'many' : '',
  }))
  const version = () =>
    app.db
      .selectFrom('channels')
      .select((column) => column.fn.sum('changed').as('sum'))
      .execute()
  const [earlier] = await version()
  const { data } = await apply({ filter: { tag: 'many' }, change: { add_models: 'o3', status: 2 } })
  expect(data).toMatchObject({ matched: 1500, changed: 1500, orphaned_count: 0 })
  expect(data.channels).toHaveLength(50)
  expect(Number((await version())[0]?.sum)).toBeGreaterThan(Number(earlier?.sum))
  const rows = await stored(app)
  expect(rows.filter(({ status, models }) => status === 2 && models.endsWith(',o3'))).toHaveLength(1500)
  const record = await root.get('/api/audit')
  expect(record.headers.get('x-total-count')).toBe('1500')
  expect(record.data[0]).toMatchObject({ action: 'channel.update', before: { status: 1 }, after: { status: 2 } })
  expect((await apply({ filter: { status: 2 }, change: { remove: true } })).data).toMatchObject({ changed: 1500 })
  expect(await stored(app)).toHaveLength(500)
  expect((await root.get('/api/audit')).headers.get('x-total-count')).toBe('3000')
})

test('a preview names the added models that have no price', async () => {
  const { ids, preview } = await fixture(2, () => ({ models: 'gpt-4o,unheard-of' }))
  const added = await preview({ ids, change: { add_models: 'gpt-4o-mini,nobody-sells-this,unheard-of' } })
  expect(added.data.unpriced).toEqual(['nobody-sells-this'])
  const mapped = await preview({ ids, change: { add_models: 'cheap', add_mapping: '{"cheap":"gpt-4o-mini"}' } })
  expect(mapped.data.unpriced).toEqual([])
})
