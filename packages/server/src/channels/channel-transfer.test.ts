import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { CHANNEL_TYPES } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel, makeChannelRows, storedChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'
import { replayedVendors } from '../testing/replayed-vendors.ts'
import { readSecrets } from './channel-secrets.ts'
import { poolKeysOf } from './key-pool.ts'

setDefaultTimeout(60_000)

const ENGLISH = { 'accept-language': 'en' }
const PASSPHRASE = 'correct horse battery'
/** The fields of a channel in an export file. */
const MEMBERS = ['type', 'name', 'tag', 'base_url', 'other', 'config', 'models', 'group', 'model_mapping'] as const
const MORE = ['system_prompt', 'test_model', 'status', 'priority', 'weight'] as const

const exportFile = async (client: Client, fields: object) => {
  const { success, message, data } = await client.post('/api/channel/export', { format: 'json', ...fields }, ENGLISH)
  if (!success) throw new Error(message)
  return data
}
const importFile = (client: Client, content: string, fields: object = {}) =>
  client.post('/api/channel/import', { content, preview: false, ...fields }, ENGLISH)

const all = async (app: TestApp) => {
  const rows = await app.db.selectFrom('channels').selectAll().orderBy('id').execute()
  return rows.map((row) => ({
    columns: Object.fromEntries(
      [...MEMBERS, ...MORE].map((name) => [name, name === 'config' ? JSON.parse(row.config) : row[name]]),
    ),
    hint: row.key_hint,
    secrets: readSecrets(app.vault, row),
  }))
}

/** A channel of every type, with a value in every field. */
async function everyType() {
  const app = await testApp()
  const root = await asRoot(app)
  const vendors = replayedVendors()
  onTestFinished(() => vendors.stop())
  for (const { value } of CHANNEL_TYPES) {
    const fields = vendors.fieldsOf(value)
    const config = {
      ...JSON.parse(fields.config),
      header_rules: [{ name: 'X-Secret', action: 'set', value: `header-secret-${value}` }],
      proxy: 'socks5://10.1.2.3:1080',
      proxy_user: 'somebody',
      proxy_password: `proxy-secret-${value}`,
      connect_timeout: 7,
    }
    await makeChannel(root, {
      ...fields,
      config: JSON.stringify(config),
      ...{
        name: `=type, "${value}"`,
        tag: 'a tag',
        models: 'one,two',
        group: 'default,vip',
        priority: -value,
        weight: 3,
      },
      ...{ model_mapping: '{"one":"ONE"}', system_prompt: 'Two\nlines, "quoted"', test_model: 'two' },
    })
  }
  return { app, root }
}

test('channels of every type are restored with their secrets from an encrypted file', async () => {
  const { app, root } = await everyType()
  const { content, count, name } = await exportFile(root, { passphrase: PASSPHRASE })
  expect([count, name]).toEqual([CHANNEL_TYPES.length, 'channels.json'])
  for (const secret of ['sk-upstream-key-1234', 'header-secret', 'proxy-secret', 'somebody', 'the-secret-key']) {
    expect(content).not.toContain(secret)
  }

  const other = await testApp()
  const there = await asRoot(other)
  const preview = await importFile(there, content, { passphrase: PASSPHRASE, preview: true })
  expect(preview.data).toMatchObject({ created: count, changed: 0, kept: 0, refused: 0 })
  expect((await there.get('/api/channel/')).data).toEqual([])
  expect((await importFile(there, content, { passphrase: PASSPHRASE })).data).toMatchObject({ created: count })
  expect(await all(other)).toEqual(await all(app))
  expect((await importFile(there, content, { passphrase: PASSPHRASE })).data).toMatchObject({ kept: count, created: 0 })
  const events = (await there.get('/api/audit')).data
  expect(events[0]).toMatchObject({ action: 'channel.create' })
  expect(JSON.stringify(events)).not.toContain('secret-key')
})

test.each(['json', 'csv'])(
  'a %s file without secrets has none, and its channels wait for their keys',
  async (format) => {
    const { app, root } = await everyType()
    const { content, count } = await exportFile(root, { format })
    for (const secret of ['upstream-key', 'header-secret', 'proxy-secret', 'somebody', 'sealed', 'the-secret-key']) {
      expect(content).not.toContain(secret)
    }
    expect((await importFile(root, content)).data).toMatchObject({ kept: count, changed: 0, created: 0, refused: 0 })

    const other = await testApp()
    const there = await asRoot(other)
    const { data } = await importFile(there, content)
    expect(data).toMatchObject({ created: count, refused: 0 })
    expect(data.rows.every((row: { without_key: boolean }) => row.without_key)).toBe(true)
    expect(data.rows[0].without_headers).toEqual(['X-Secret'])
    const bare = (rows: Awaited<ReturnType<typeof all>>) =>
      rows.map(({ columns: { config, ...columns } }) => {
        const { header_rules: _rules, ...rest } = config
        return { ...columns, config: rest, status: 0 }
      })
    expect(bare(await all(other))).toEqual(bare(await all(app)))
    expect((await all(other)).every(({ columns, secrets }) => columns.status === 2 && secrets.key === '')).toBe(true)
  },
)

test('only the super administrator exports secrets, in the browser, with a long enough passphrase; the audit log records it', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { client } = await makeAdmin(app)
  await makeChannel(root)
  const ask = (who: Client, fields: object) =>
    who.post('/api/channel/export', { format: 'json', passphrase: PASSPHRASE, ...fields }, ENGLISH)
  expect(await ask(client, {})).toMatchObject({
    success: false,
    message: 'Only the super administrator can export keys',
  })
  expect(await ask(root, { passphrase: 'too short' })).toMatchObject({ success: false })
  expect(await ask(root, { format: 'csv' })).toMatchObject({ message: 'A CSV file cannot contain keys. Choose JSON' })
  const token = (await root.get('/api/user/token')).data
  const program = app.client({ authorization: token })
  expect(await ask(program, {})).toMatchObject({ success: false })
  expect((await program.post('/api/channel/export', { format: 'json' })).success).toBe(true)
  const before = (await root.get('/api/audit?target=channels')).data
  expect(before).toEqual([])
  expect((await ask(root, {})).success).toBe(true)
  expect((await root.get('/api/audit?target=channels')).data).toMatchObject([
    { action: 'channel.export', actor_name: 'root', after: { secrets: true, count: 1 } },
  ])
})

test('an export has the selected channels, those of a filter, or all', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const one = await makeChannel(client, { name: 'one', tag: 'eu' })
  await makeChannel(client, { name: 'two' })
  const names = async (fields: object) =>
    JSON.parse((await exportFile(client, fields)).content).channels.map(({ name }: { name: string }) => name)
  expect(await names({})).toEqual(['one', 'two'])
  expect(await names({ ids: [one.id] })).toEqual(['one'])
  expect(await names({ filter: { tag: 'eu' } })).toEqual(['one'])
  const none = await client.post('/api/channel/export', { format: 'json', filter: { tag: 'us' } }, ENGLISH)
  expect(none).toMatchObject({ success: false, message: 'No channels match' })
  await makeChannelRows(app, 2000, (n) => ({ name: `many ${n}` }))
  expect(await client.post('/api/channel/export', { format: 'json' }, ENGLISH)).toMatchObject({
    success: false,
    message: 'A file can have at most 2000 channels. Use filters to export in several parts',
  })
})

test('an unreadable file gets a message, and changes nothing', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const head = { format: 'tollgate-channels', version: 1, channels: [{ type: 1, name: 'x', models: 'm' }] }
  const sealing = { kdf: 'scrypt', n: 65_536, r: 8, p: 1, salt: 'AAAA', cipher: 'aes-256-gcm', check: 'AAAA' }
  const json = (fields: object) => JSON.stringify({ ...head, ...fields })
  const unreadable = 'The file is neither a JSON file of channels nor a CSV table with the columns type and name'
  for (const [content, message] of [
    ['{', unreadable],
    ['[]', unreadable],
    ['hello', unreadable],
    ['name,models\nx,y', unreadable],
    [json({ format: 'other' }), unreadable],
    [json({ version: 2 }), 'The file was exported by a newer version (format 2); upgrade first'],
    [json({ channels: [] }), 'The file contains no channels'],
    ['type,name\n', 'The file contains no channels'],
    [json({ sealing: { ...sealing, n: 1 << 24 } }), 'The encryption of this file is not supported'],
    [json({ sealing }), 'The keys in the file are encrypted. Enter the passphrase used for the export'],
    ['type,name,colour\n1,x,red', 'Unknown column: colour'],
    ['type,name,models,weight, models\n1,x,a,2,b', 'The column models is in the header twice'],
    ['type,name\n1,"x', 'A quotation mark in row 2 is not closed'],
    [json({ channels: Array.from({ length: 2001 }, () => ({})) }), 'A file can have at most 2000 channels'],
  ] as const) {
    expect({ content, ...(await importFile(client, content)) }).toMatchObject({ content, success: false, message })
  }
  const wrong = await importFile(client, json({ sealing }), { passphrase: 'wrong' })
  expect(wrong).toMatchObject({ success: false, message: 'The passphrase is wrong, or the file is damaged' })
  expect((await client.get('/api/channel/')).data).toEqual([])
})

test('an invalid row is refused with its number and the reason; the others are imported', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const table = [
    'type,name,models,base_url,priority,config',
    '1,good,gpt-4o,,5,',
    '9999,no such type,m,,,',
    '1,,m,,,',
    '1,no models,,,,',
    '1,bad address,m,ftp://x,,',
    '1,closed,m,http://169.254.169.254,,',
    '1,no number,m,,high,',
    '1,bad config,m,,,not json',
    '1,too few',
    '1,bad proxy,m,,,"{""proxy"":""gopher://x""}"',
  ].join('\n')
  const { data } = await importFile(client, table)
  expect(data).toMatchObject({ created: 1, changed: 0, refused: 9 })
  const refused = data.rows.filter(({ action }: { action: string }) => action === 'refuse')
  expect(
    refused.map(({ row, name, reason }: { row: number; name: string; reason: { en: string } }) => [
      row,
      name,
      reason.en,
    ]),
  ).toEqual([
    [3, 'no such type', 'Unknown channel type'],
    [4, '', 'Name is required'],
    [5, 'no models', 'Select at least one model'],
    [6, 'bad address', 'The address must be an http or https URL without credentials, ? or #'],
    [7, 'closed', 'This address is not allowed'],
    [8, 'no number', expect.stringContaining('Priority')],
    [9, 'bad config', expect.stringContaining('Channel config')],
    [10, '', 'The row has 2 cells, but the header has 6'],
    [11, 'bad proxy', expect.any(String)],
  ])
  expect(refused[0].reason.zh).toBe('不支持的渠道类型')
  expect((await client.get('/api/channel/')).data).toMatchObject([{ name: 'good', priority: 5, status: 2 }])
})

test.each(['json', 'csv'])(
  'a row of a %s file with a hundred thousand levels is refused like any other',
  async (format) => {
    const app = await testApp()
    const { client } = await makeAdmin(app)
    const levels = 100_000
    const deep = '{"a":'.repeat(levels) + 1 + '}'.repeat(levels)
    const rows = `{"type":1,"name":"deep","models":"m","config":${deep}},{"type":1,"name":"good","models":"m"}`
    const content =
      format === 'json'
        ? `{"format":"tollgate-channels","version":1,"channels":[${rows}]}`
        : `type,name,models,config\n1,deep,m,"${deep.replaceAll('"', '""')}"\n1,good,m,`
    const { data } = await importFile(client, content)
    expect(data).toMatchObject({ created: 1, refused: 1 })
    expect(data.rows[0].reason.en).toBe('There are too many levels')
  },
)

test('a channel of the same name and type is changed and keeps its key, unless the file points it elsewhere', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeChannel(root, { name: 'kept', base_url: 'https://one.example.com' })
  const { content } = await exportFile(root, {})
  const edited = (change: object) => {
    const file = JSON.parse(content)
    return JSON.stringify({ ...file, channels: [{ ...file.channels[0], ...change }] })
  }
  const preview = await importFile(root, edited({ weight: 9, models: 'a,b' }), { preview: true })
  expect(preview.data.rows).toEqual([
    {
      row: 1,
      name: 'kept',
      action: 'change',
      id,
      fields: ['models', 'weight'],
      without_key: false,
      without_headers: [],
      reason: null,
    },
  ])
  expect((await storedChannel(app, id)).weight).toBe(0)
  expect((await importFile(root, edited({ weight: 9, models: 'a,b' }))).data).toMatchObject({ changed: 1 })
  expect(await storedChannel(app, id)).toMatchObject({ weight: 9, models: 'a,b', status: 1, key_hint: '1234' })
  expect(readSecrets(app.vault, await storedChannel(app, id)).key).toBe('sk-upstream-key-1234')

  const moved = await importFile(root, edited({ base_url: 'https://two.example.com' }))
  expect(moved.data).toMatchObject({ changed: 0, refused: 1 })
  expect(moved.data.rows[0].reason.en).toContain('enter the key again')
  expect((await storedChannel(app, id)).base_url).toBe('https://one.example.com')
})

test('secrets in a file can be decrypted only for the address they were exported for', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeChannel(root, { base_url: 'https://one.example.com' })
  const { content } = await exportFile(root, { passphrase: PASSPHRASE })
  const moved = content.replace('https://one.example.com', 'https://two.example.com')
  const other = await testApp()
  const there = await asRoot(other)
  const { data } = await importFile(there, moved, { passphrase: PASSPHRASE })
  expect(data).toMatchObject({ created: 0, refused: 1 })
  expect(data.rows[0].reason.en).toBe(
    'The keys of this channel were exported for another address, type or account and cannot be used',
  )
  const wrong = await importFile(there, content, { passphrase: 'another passphrase' })
  expect(wrong).toMatchObject({ success: false, body: { field: 'passphrase' } })
})

test('channels with the same name are identified by id here, and are all new elsewhere', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await root.post('/api/channel/', {
    name: 'twin',
    type: 1,
    key: 'sk-first-of-the-two\nsk-second-of-the-two',
    models: 'm',
  })
  const { content } = await exportFile(root, {})
  const file = JSON.parse(content)
  const heavier = { ...file, channels: file.channels.map((one: object, n: number) => ({ ...one, weight: n + 1 })) }
  expect((await importFile(root, JSON.stringify(heavier))).data).toMatchObject({ changed: 2, refused: 0 })
  expect((await root.get('/api/channel/')).data.map(({ weight }: { weight: number }) => weight)).toEqual([2, 1])
  const unknown = { ...file, channels: file.channels.map(({ id: _id, ...one }: { id: number }) => one) }
  const { data } = await importFile(root, JSON.stringify(unknown))
  expect(data).toMatchObject({ changed: 0, refused: 2 })
  expect(data.rows[0].reason.en).toStartWith('Several channels have this name and type')

  const other = await testApp()
  expect((await importFile(await asRoot(other), content)).data).toMatchObject({ created: 2 })
})

test('a copy has the key of its channel, another name, no usage, and is disabled', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const config = JSON.stringify({ header_rules: [{ name: 'X-A', action: 'set', value: 'secret' }] })
  const { id } = await makeChannel(client, { name: 'first', priority: 4, tag: 'eu', config })
  await app.db.updateTable('channels').set({ used_quota: 7, balance: 3, test_time: 9 }).where('id', '=', id).execute()
  const { data } = await client.post('/api/channel/copy', { id, name: 'second' })
  expect(data).toMatchObject({
    name: 'second',
    priority: 4,
    tag: 'eu',
    status: 2,
    used_quota: 0,
    balance: 0,
    test_time: 0,
  })
  expect(data.key).toBe('')
  const [one, two] = [await storedChannel(app, id), await storedChannel(app, data.id)]
  expect(two.key_sealed).not.toBe(one.key_sealed)
  expect(readSecrets(app.vault, two)).toEqual(readSecrets(app.vault, one))
  expect(await client.post('/api/channel/copy', { id: 987_654, name: 'x' })).toMatchObject({ success: false })
  await app.db.updateTable('channels').set({ key_sealed: one.secrets_sealed }).where('id', '=', id).execute()
  expect(await client.post('/api/channel/copy', { id, name: 'x' }, ENGLISH)).toMatchObject({
    success: false,
    message: 'The key of the channel first cannot be decrypted. Enter it again first',
  })
  expect((await client.get(`/api/audit?target=channel:${data.id}`)).data).toMatchObject([{ action: 'channel.create' }])
})

test('the keys of a pool are included in a copy and an encrypted file, and a file cannot point them elsewhere', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const typed = ['sk-pool-one', 'sk-pool-two', 'sk-pool-three']
  const pooled = { name: 'pooled', key: typed.join('\n'), key_pool: true, key_order: 'in_order' }
  const { id } = await makeChannel(root, pooled)
  const keysOf = async (channel: { id: number }) => {
    const row = await storedChannel(app, channel.id)
    const keys = await poolKeysOf(app.db, app.vault, row)
    return { count: row.key_count, order: row.key_order, keys: keys.map(({ key }) => key) }
  }
  const whole = { count: 3, order: 'in_order', keys: typed }
  expect(await keysOf({ id })).toEqual(whole)

  const { data: copy } = await root.post('/api/channel/copy', { id, name: 'twin' })
  expect(await keysOf(copy)).toEqual(whole)

  const { content } = await exportFile(root, { ids: [id], passphrase: PASSPHRASE })
  for (const key of typed) expect(content).not.toContain(key)
  const elsewhere = await testApp()
  const there = await asRoot(elsewhere)
  const imported = await importFile(there, content, { passphrase: PASSPHRASE })
  expect(imported.data).toMatchObject({ created: 1, rows: [{ without_key: false }] })
  const [row] = await elsewhere.db.selectFrom('channels').selectAll().execute()
  if (row === undefined) throw new Error('Nothing was imported')
  expect((await poolKeysOf(elsewhere.db, elsewhere.vault, row)).map(({ key }) => key)).toEqual(typed)
  expect(await elsewhere.audit()).toEqual([])

  const file = JSON.parse((await exportFile(root, { ids: [id] })).content)
  file.channels[0].base_url = 'https://elsewhere.example'
  const moved = await importFile(root, JSON.stringify(file))
  expect(moved.data.rows).toMatchObject([{ action: 'refuse' }])
  expect(await keysOf({ id })).toEqual(whole)
})

test('keys entered in a file are encrypted at once; without them the channels are found by their missing key', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const keysOf = async () => {
    const rows = await app.db.selectFrom('channels').selectAll().orderBy('id').execute()
    const read = async (row: (typeof rows)[number]) => {
      const pool = await poolKeysOf(app.db, app.vault, row)
      const keys = pool.length > 0 ? pool.map(({ key }) => key) : [readSecrets(app.vault, row).key]
      return [row.name, row.status, ...keys]
    }
    return Promise.all(rows.map(read))
  }
  const keyless = async () =>
    (await client.get('/api/channel/?without_key=true')).data.map(({ name }: { name: string }) => name)

  const table =
    'type,name,models,key\n1,a,gpt-4o,\n1,b,gpt-4o,sk-plain-b\n1,c,gpt-4o,"sk-c-1\nsk-c-2\nsk-c-1"\n1,d,gpt-4o,\n'
  const preview = await importFile(client, table, { preview: true })
  expect(preview.data).toMatchObject({ created: 4, without_key: 2 })
  expect((await importFile(client, table)).data).toMatchObject({ created: 4, without_key: 2 })
  expect(await keysOf()).toEqual([
    ['a', 2, ''],
    ['b', 1, 'sk-plain-b'],
    ['c', 1, 'sk-c-1', 'sk-c-2'],
    ['d', 2, ''],
  ])
  expect(await keyless()).toEqual(['d', 'a'])
  expect((await client.get('/api/channel/?without_key=true&keyword=a')).data).toHaveLength(1)

  // The same table with the missing keys completes them; JSON has the same member. An existing key may be replaced, a pool not.
  const json = (channels: object[]) => JSON.stringify({ format: 'tollgate-channels', version: 1, channels })
  const filled = await importFile(client, 'type,name,key\n1,a,sk-plain-a\n1,b,sk-plain-b\n1,c,sk-plain-c')
  expect(filled.data).toMatchObject({ changed: 1, kept: 1, refused: 1, without_key: 0 })
  expect(filled.data.rows[0]).toMatchObject({ action: 'change', fields: ['status', 'key'] })
  expect((await importFile(client, json([{ type: 1, name: 'd', status: 2, key: 'sk-plain-d' }]))).data.changed).toBe(1)
  expect((await keysOf()).map(([, ...rest]) => rest)).toEqual([
    [1, 'sk-plain-a'],
    [1, 'sk-plain-b'],
    [1, 'sk-c-1', 'sk-c-2'],
    [2, 'sk-plain-d'],
  ])
  expect(await keyless()).toEqual([])
  const several = await importFile(client, 'type,name,key\n1,a,"sk-1\nsk-2"')
  expect(several.data.rows[0].reason.en).toBe(
    'This channel already exists: a file can give it only one key. Add further keys in the list of its keys',
  )

  const stored = JSON.stringify([
    await app.db.selectFrom('channels').selectAll().execute(),
    await app.db.selectFrom('channel_keys').selectAll().execute(),
    (await client.get('/api/audit')).data,
    await Promise.all(['json', 'csv'].map((format) => exportFile(client, { format }))),
    [preview.data, filled.data],
  ])
  for (const key of ['sk-plain', 'sk-c-']) expect(stored).not.toContain(key)
})

test('an import lists models that would have no enabled channel left', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await makeChannel(root, { name: 'only', models: 'kept,lost,moved' })
  const exported = JSON.parse((await exportFile(root, {})).content)
  const [row] = exported.channels
  const changed = { ...row, models: 'kept' }
  const without = await importFile(root, JSON.stringify({ ...exported, channels: [changed] }), { preview: true })
  expect(without.data.orphaned).toEqual([
    { group: 'default', model: 'lost' },
    { group: 'default', model: 'moved' },
  ])
  expect(without.data.orphaned_count).toBe(2)
  await makeChannel(root, { name: 'other', models: 'moved' })
  const beside = await importFile(root, JSON.stringify({ ...exported, channels: [changed] }), { preview: true })
  expect(beside.data.orphaned).toEqual([{ group: 'default', model: 'lost' }])
  const off = await importFile(root, JSON.stringify({ ...exported, channels: [{ ...row, status: 2 }] }))
  expect(off.data.orphaned_count).toBe(2)
})
