import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { CHANNEL, makeChannel } from '../testing/channel-makers.ts'
import { makeAdmin } from '../testing/makers.ts'
import { mappingOf } from './channel-fields.ts'

test('one trailing slash of base_url is dropped, on creation and in an edit [R5.31]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, base_url } = await makeChannel(client, { base_url: ' https://api.example.com/v1/ ' })
  expect(base_url).toBe('https://api.example.com/v1')
  const edited = await client.put('/api/channel/', { id, base_url: 'https://api.example.com/' })
  expect(edited.data.base_url).toBe('https://api.example.com')
})

test('a base address is http or https, without credentials, query or fragment', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  const bad = [
    'ftp://example.com',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'example.com',
    'https://',
    'https://user:pass@example.com',
    'https://example.com?key=1',
    'https://example.com#x',
    'https://example.com#',
    'https://example.com/v1?',
    'https://@example.com',
    'https://example.com\\@evil.example',
    'https://exa\tmple.com',
    'https:example.com',
    '//example.com',
  ]
  for (const base_url of bad) {
    const refused = await client.post('/api/channel/', { ...CHANNEL, base_url })
    expect({ base_url, success: refused.success }).toEqual({ base_url, success: false })
    expect(refused.message).toContain('地址必须是 http 或 https 网址，不能带账号密码、? 或 #')
    expect((await client.put('/api/channel/', { id, base_url, key: 'sk-typed-again' })).success).toBe(false)
  }
  expect((await client.get('/api/channel/')).data).toHaveLength(1)
})

test('metadata and link-local addresses are refused in every spelling; private ones are allowed [R3.11]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  const closed = `169.254.169.254 169.254.169.254. 2852039166 0xa9fea9fe 0xa9.0xfe.0xa9.0xfe 0251.0376.0251.0376
    169.254.43518 169.16689662 １６９.２５４.１６９.２５４ 169。254。169。254 169.254.0.1 100.100.100.200 192.0.0.192
    168.63.129.16 0.0.0.0 0 255.255.255.255 224.0.0.1 [fe80::1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe]
    [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::] [fd00:ec2::254] [::] [ff02::1] metadata.google.internal
    METADATA.google.internal. metadata.goog`
  for (const host of closed.split(/\s+/)) {
    const english = { 'accept-language': 'en' }
    const refused = await client.post('/api/channel/', { ...CHANNEL, base_url: `http://${host}/v1` }, english)
    const { success, message } = refused
    expect({ host, success, message }).toEqual({ host, success: false, message: 'This address is not allowed' })
    const edited = await client.put('/api/channel/', { id, base_url: `https://${host}:8080`, key: 'sk-typed-again' })
    expect(edited).toMatchObject({ success: false, message: '不允许使用该地址' })
  }
  const open = `localhost 127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 100.64.0.1 [::1] [fd12:3456::1] ollama 1.1.1.1
    api.openai.com`
  for (const host of open.split(/\s+/)) {
    expect((await makeChannel(client, { base_url: `http://${host}:11434` })).base_url).toBe(`http://${host}:11434`)
  }
})

test('a channel offers at least one model, unless its type has none [R5.51]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const models of ['', ' , ,', undefined]) {
    const refused = await client.post('/api/channel/', { ...CHANNEL, models })
    expect(refused).toMatchObject({ status: 200, success: false, message: '请至少选择一个模型' })
  }
  expect((await makeChannel(client, { type: 43, base_url: 'https://example.com', models: '' })).models).toBe('')
  const { id, models } = await makeChannel(client, { models: ' gpt-4o ,,gpt-4o, o3' })
  expect(models).toBe('gpt-4o,o3')
  expect((await client.put('/api/channel/', { id, models: '' })).message).toBe('请至少选择一个模型')
})

test('a channel belongs to at least one group, by default to default', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, group } = await makeChannel(client, { group: undefined })
  expect(group).toBe('default')
  expect((await makeChannel(client, { group: '' })).group).toBe('default')
  expect((await client.put('/api/channel/', { id, group: ' vip , default,vip' })).data.group).toBe('vip,default')
  for (const empty of ['', ' , ']) {
    const refused = await client.put('/api/channel/', { id, group: empty })
    expect(refused).toMatchObject({ success: false, message: '请至少选择一个分组' })
  }
})

test('a model mapping is a JSON object of names, or nothing', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { model_mapping: ' {"a": "b"} ' })
  expect((await client.get(`/api/channel/${id}`)).data.model_mapping).toBe('{"a": "b"}')
  for (const model_mapping of ['{', '[]', '"text"', '7', '{"a":1}', '{"a":null}', 'true']) {
    const refused = await client.put('/api/channel/', { id, model_mapping })
    expect(refused).toMatchObject({ success: false, message: '模型映射必须是合法的 JSON 格式' })
    expect((await client.post('/api/channel/', { ...CHANNEL, model_mapping })).success).toBe(false)
  }
  expect((await client.put('/api/channel/', { id, name: 'kept' })).data.model_mapping).toBe('{"a": "b"}')
  // The values that older consoles send for "nothing".
  for (const nothing of ['null', '""', '']) {
    expect((await client.put('/api/channel/', { id, model_mapping: nothing })).data.model_mapping).toBe('')
  }
})

test('a name that is mapped to nothing is sent unchanged', () => {
  expect([...mappingOf('{"a":"","b":"c"}')]).toEqual([['b', 'c']])
})

test('a config is a JSON object of texts; unknown fields are dropped [R3.07]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, config } = await makeChannel(client, { config: '{"user_id":"u","nonsense":{"deep":1}}' })
  expect(JSON.parse(config)).toMatchObject({ user_id: 'u' })
  expect(config).not.toContain('nonsense')
  const wrong: [config: string, message: string][] = [
    ...['{', '[]', '7'].map((bad): [string, string] => [bad, '渠道配置必须是合法的 JSON']),
    ['{"region":1}', '区域必须是文本'],
    ['{"ak":{}}', '访问密钥 ID 必须是文本'],
    [`{"region":"${'x'.repeat(257)}"}`, '区域最长 256 个字符'],
  ]
  for (const [bad, message] of wrong) {
    const refused = await client.put('/api/channel/', { id, config: bad })
    expect(refused).toMatchObject({ success: false, message })
    expect((await client.post('/api/channel/', { ...CHANNEL, config: bad })).success).toBe(false)
  }
  for (const nothing of ['', '""', 'null', '{}']) {
    const { data } = await client.put('/api/channel/', { id, config: nothing })
    expect(JSON.parse(data.config).user_id).toBe('')
  }
})

test('a name is one visible line of at most 100 characters, and an edit cannot empty it', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { name: '渠'.repeat(100) })
  for (const name of ['渠'.repeat(101), 'a\u0007b', 'two\nlines', '', '  ']) {
    expect((await client.post('/api/channel/', { ...CHANNEL, name })).success).toBe(false)
    expect((await client.put('/api/channel/', { id, name })).success).toBe(false)
  }
  expect((await client.put('/api/channel/', { id, name: ' ' })).message).toBe('请填写渠道名称')
  expect((await client.get(`/api/channel/${id}`)).data.name).toBe('渠'.repeat(100))
})
