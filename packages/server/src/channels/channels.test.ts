import { expect, test } from 'bun:test'
import { CHANNEL_TYPES, channelType } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import { CHANNEL, keyOfType, makeChannel } from '../testing/channel-makers.ts'
import { makeAdmin } from '../testing/makers.ts'

test('a channel comes back with every field of the contract, and is read again the same [R3.06 R3.07 R7.40 R7.41]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const began = Math.floor(app.clock.now() / 1000)
  const { status, success, message, data } = await client.post('/api/channel/', {
    name: 'main',
    tag: 'first',
    type: 1,
    key: 'sk-upstream-key-1234',
    base_url: 'https://api.example.com/v1/',
    other: 'something',
    models: 'gpt-4o,o3',
    group: 'default,vip',
    model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20"}',
    config: '{"region":"eu"}',
    system_prompt: 'Be brief.',
    test_model: 'o3',
    priority: 5,
    weight: 7,
  })
  expect({ status, success, message }).toEqual({ status: 200, success: true, message: '' })
  expect(data).toEqual([
    {
      id: expect.any(Number),
      name: 'main',
      tag: 'first',
      type: 1,
      key: '',
      key_hint: '1234',
      key_count: 0,
      key_order: 'round_robin',
      model_list: null,
      base_url: 'https://api.example.com/v1',
      other: 'something',
      models: 'gpt-4o,o3',
      group: 'default,vip',
      model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20"}',
      config: expect.any(String),
      config_secrets: [],
      system_prompt: 'Be brief.',
      test_model: 'o3',
      priority: 5,
      weight: 7,
      status: 1,
      status_reason: '',
      status_reason_en: '',
      created_time: expect.any(Number),
      test_time: 0,
      response_time: 0,
      test_error: null,
      balance: 0,
      balance_updated_time: 0,
      used_quota: 0,
      unpriced: [],
    },
  ])
  expect(JSON.parse(data[0].config)).toEqual({
    region: 'eu',
    sk: '',
    ak: '',
    user_id: '',
    vertex_ai_project_id: '',
    vertex_ai_adc: '',
  })
  expect(data[0].created_time).toBeWithin(began, Math.floor(app.clock.now() / 1000) + 1)
  expect((await client.get(`/api/channel/${data[0].id}`)).data).toEqual(data[0])
})

test('all types can be created with their own fields; an unknown one cannot [R3.12 R5.41 R5.42 R5.43 R5.44 R5.45 R5.46 R5.47 R5.48 R5.49 R5.50]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const values: Record<string, string> = {
    base_url: 'https://upstream.example.com',
    other: 'free text',
    'config.region': 'us-east-1',
    'config.ak': 'AKIAEXAMPLE12345',
    'config.sk': 'secret',
    'config.user_id': 'account-7',
    'config.vertex_ai_project_id': 'project-1',
    'config.vertex_ai_adc': '{"type":"service_account"}',
  }
  for (const { value: type, fields, hasModels } of CHANNEL_TYPES) {
    const columns = fields.filter(({ name }) => !name.startsWith('config.')).map(({ name }) => [name, values[name]])
    const config = fields
      .filter(({ name }) => name.startsWith('config.'))
      .map(({ name }) => [name.slice('config.'.length), values[name]])
    const channel = await makeChannel(client, {
      name: `type ${type}`,
      type,
      key: keyOfType(type),
      models: hasModels ? 'some-model' : '',
      ...Object.fromEntries(columns),
      config: JSON.stringify(Object.fromEntries(config)),
    })
    expect(channel).toMatchObject({ type, status: 1, ...Object.fromEntries(columns) })
    const { data: read } = await client.get(`/api/channel/${channel.id}`)
    const secrets = ['ak', 'sk', 'vertex_ai_adc']
    for (const [name = '', value] of config) {
      expect(JSON.parse(read.config)[name]).toBe(secrets.includes(name) ? '' : value)
      expect(read.config_secrets.includes(name)).toBe(secrets.includes(name))
    }
  }
  const { headers } = await client.get('/api/channel/')
  expect(headers.get('x-total-count')).toBe(String(CHANNEL_TYPES.length))
  const next = CHANNEL_TYPES.length + 1
  for (const type of [0, next, -1, 1.5, '1', null]) {
    expect((await client.post('/api/channel/', { ...CHANNEL, type })).success).toBe(false)
  }
  expect(channelType(next)).toBeUndefined()
})

test('an Azure channel without an API version gets the default one, also when an edit empties it [R5.32]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const azure = await makeChannel(client, { type: 3, base_url: 'https://x.openai.azure.com', other: '' })
  expect(azure.other).toBe('2024-03-01-preview')
  const named = await client.put('/api/channel/', { id: azure.id, other: '2025-01-01' })
  expect(named.data.other).toBe('2025-01-01')
  expect((await client.put('/api/channel/', { id: azure.id, other: '' })).data.other).toBe('2024-03-01-preview')
  expect((await makeChannel(client, { other: '' })).other).toBe('')
})

test('the list is newest first, ten per page, with the total in the header [R4.26 R7.38 R9.04]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const key = Array.from({ length: 12 }, (_, n) => `sk-key-number-${n}`).join('\n')
  const { data } = await client.post('/api/channel/', { ...CHANNEL, key })
  const newestFirst = data.map(idOf).reverse()
  const first = await client.get('/api/channel/?p=0')
  expect(first.data.map(idOf)).toEqual(newestFirst.slice(0, 10))
  expect(first.headers.get('x-total-count')).toBe('12')
  expect((await client.get('/api/channel?p=1')).data.map(idOf)).toEqual(newestFirst.slice(10))
  expect(await client.get('/api/channel/?p=2')).toMatchObject({ success: true, data: [] })
})

test('a search finds by id and by part of the name, literally, and in pages [R7.39]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const names = ['Main OpenAI', 'main claude', '50% off', 'a_b', '渠道一']
  const made: Record<string, number> = {}
  for (const name of names) made[name] = (await makeChannel(client, { name })).id
  const found = async (keyword: string) =>
    (await client.get(`/api/channel/search?keyword=${encodeURIComponent(keyword)}`)).data.map(nameOf)
  expect(await found('MAIN')).toEqual(['main claude', 'Main OpenAI'])
  expect(await found('%')).toEqual(['50% off'])
  expect(await found('_')).toEqual(['a_b'])
  expect(await found('道')).toEqual(['渠道一'])
  expect(await found(String(made.a_b))).toEqual(['a_b'])
  expect(await found('upstream-key')).toEqual([])
  expect(await found('')).toHaveLength(5)
  for (let n = 0; n < 9; n++) await makeChannel(client, { name: `main ${n}` })
  const second = await client.get('/api/channel/search?keyword=main&p=1')
  expect(second.data.map(nameOf)).toEqual(['Main OpenAI'])
  expect(second.headers.get('x-total-count')).toBe('11')
})

test('changing only priority, weight or status leaves everything else [R7.42]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const channel = await makeChannel(client, {
    type: 33,
    key: '',
    base_url: 'https://bedrock.example.com',
    other: 'o',
    config: '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"secret"}',
    model_mapping: '{"a":"b"}',
    system_prompt: 'p',
    test_model: 't',
  })
  const { id } = channel
  let expected = channel
  for (const step of [{ priority: -3 }, { weight: 9 }, { status: 2 }, { priority: 0 }, { weight: 0 }, { status: 1 }]) {
    expected = { ...expected, ...step }
    const { success, data } = await client.put('/api/channel/', { id, ...step })
    expect({ success, data }).toEqual({ success: true, data: expected })
  }
  expect((await client.get(`/api/channel/${id}`)).data).toEqual(expected)
  // A form sends this for an emptied number.
  for (const blank of ['', null]) {
    const { data } = await client.put('/api/channel/', { id, priority: blank, weight: blank })
    expect(data).toEqual(expected)
  }
  for (const wrong of [{ weight: -1 }, { priority: 1.5 }, { priority: 1e12 }, { weight: 'x' }]) {
    expect((await client.put('/api/channel/', { id, ...wrong })).success).toBe(false)
  }
})

test('a person sets only status 1 and 2; 3 is accepted if it is the current status [R4.07]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  for (const status of [0, 3, 4, -1]) {
    const refused = await client.put('/api/channel/', { id, status, name: 'no' })
    expect(refused).toMatchObject({ status: 200, success: false, message: '不支持的渠道状态' })
  }
  const stopped = { status: 3, status_reason: 'the key was refused' }
  await app.db.updateTable('channels').set(stopped).where('id', '=', id).execute()

  const edited = await client.put('/api/channel/', { id, status: 3, name: 'renamed' })
  expect(edited.data).toMatchObject({ name: 'renamed', ...stopped })
  const enabled = await client.put('/api/channel/', { id, status: 1 })
  expect(enabled.data).toMatchObject({ status: 1, status_reason: '' })
  expect((await client.put('/api/channel/', { id, status: 2 })).data.status).toBe(2)
})

test('concurrent edits of one channel do not undo each other', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  for (let round = 1; round <= 5; round++) {
    await Promise.all([
      client.put('/api/channel/', { id, priority: round }),
      client.put('/api/channel/', { id, weight: round }),
      client.put('/api/channel/', { id, name: `round ${round}` }),
      client.put('/api/channel/', { id, status: 1 + (round % 2) }),
      client.put('/api/channel/', { id, models: `model-${round}` }),
    ])
    expect((await client.get(`/api/channel/${id}`)).data).toMatchObject({
      priority: round,
      weight: round,
      name: `round ${round}`,
      status: 1 + (round % 2),
      models: `model-${round}`,
    })
  }
})

test('a deleted channel is gone, and deleting it again reports that [R7.43]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  const kept = await makeChannel(client, { name: 'kept' })
  expect(await client.delete(`/api/channel/${id}/`)).toMatchObject({ status: 200, success: true, message: '' })
  expect((await client.get('/api/channel/')).data).toEqual([kept])
  const missing = { status: 200, success: false, message: '渠道不存在' }
  expect(await client.delete(`/api/channel/${id}`)).toMatchObject(missing)
  expect(await client.get(`/api/channel/${id}`)).toMatchObject(missing)
  expect(await client.put('/api/channel/', { id, priority: 1 })).toMatchObject(missing)
})

test('deleting the disabled channels includes those disabled by a person or automatically, and returns the count [R7.44]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const enabled = await makeChannel(client, { name: 'enabled' })
  const byPerson = await makeChannel(client, { name: 'by a person' })
  const byProduct = await makeChannel(client, { name: 'by the product' })
  await client.put('/api/channel/', { id: byPerson.id, status: 2 })
  await app.db.updateTable('channels').set({ status: 3 }).where('id', '=', byProduct.id).execute()

  expect(await client.delete('/api/channel/disabled')).toMatchObject({ success: true, data: 2 })
  expect((await client.get('/api/channel/')).data).toEqual([enabled])
  expect((await client.delete('/api/channel/disabled/')).data).toBe(0)
})

test('every change of a channel is recorded, with fingerprints of secrets', async () => {
  const app = await testApp()
  const { username, client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { priority: 1 })
  await client.put('/api/channel/', { id, priority: 2, key: 'sk-another-key-5678' })
  await client.put('/api/channel/', { id, status: 2 })
  await client.delete('/api/channel/disabled')
  const { data: events } = await client.get(`/api/audit?target=channel:${id}`)
  const said = events.map(({ action, actor_name }: Record<string, string>) => [action, actor_name])
  expect(said).toEqual([
    ['channel.remove', username],
    ['channel.update', username],
    ['channel.update', username],
    ['channel.create', username],
  ])
  const [, , edit] = events
  const fingerprint = /^sha256:[0-9a-f]{8}$/
  expect(edit.before).toEqual({ priority: 1, secret: expect.stringMatching(fingerprint) })
  expect(edit.after).toEqual({ priority: 2, secret: expect.stringMatching(fingerprint) })
  expect(edit.after.secret).not.toBe(edit.before.secret)
  expect(JSON.stringify(events)).not.toContain('key-5678')
})

function idOf({ id }: { id: number }) {
  return id
}

function nameOf({ name }: { name: string }) {
  return name
}

test('an edit does not overwrite what somebody else has saved since its form was opened, unless it says so', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { name: 'main', models: 'a', group: 'default' })
  const opened = (await client.get(`/api/channel/${id}`)).data
  const save = (edit: object, base: unknown) =>
    client.put('/api/channel/', { id, ...edit, base }, { 'accept-language': 'en' })
  await client.put('/api/channel/', { id, group: 'vip', config: '{"connect_timeout":7}' })

  // Other fields are independent, and the same value is no conflict.
  expect((await save({ models: 'a,b' }, { models: opened.models })).success).toBe(true)
  expect((await save({ group: 'vip' }, { group: 'default' })).success).toBe(true)

  const refused = await save({ group: 'svip', name: 'other' }, { group: 'default', name: 'main' })
  expect(refused.body).toMatchObject({
    success: false,
    message:
      'Somebody has changed this since you opened the form, so nothing was saved: group (now vip). What you entered is still in the form; saving again overwrites the newer value',
    field: 'group',
    changed: { group: 'vip' },
  })
  const config = await save({ config: '{"first_byte_timeout":9}' }, { config: opened.config })
  expect(config.body).toMatchObject({
    field: 'connect_timeout',
    message: expect.stringContaining(': connect timeout.'),
  })
  expect((await client.get(`/api/channel/${id}`)).data).toMatchObject({ name: 'main', group: 'vip', models: 'a,b' })

  expect((await save({ group: 'svip' }, refused.body.changed)).data.group).toBe('svip')
  expect((await save({ config: '{"first_byte_timeout":9}' }, config.body.changed)).success).toBe(true)
  // Clients that do not say what they saw overwrite, as ever.
  expect((await save({ group: 'default' }, undefined)).data.group).toBe('default')
})
