import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { CHANNEL, makeChannel, storedChannel } from '../testing/channel-makers.ts'
import { makeAdmin } from '../testing/makers.ts'
import { assembleKey, splitKeys } from './channel-keys.ts'
import { openSecrets } from './channel-secrets.ts'

const ADC = `{
  "type": "service_account",
  "private_key": "-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----\\n"
}`

const keyOf = async (app: TestApp, id: number) => openSecrets(app.vault, await storedChannel(app, id)).key

test('one key per line makes one channel per line, with everything else the same [R3.10]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const key = ' sk-first-key-1111\r\n\nsk-second-key-2222 \n   \nsk-third-key-3333'
  const { success, data } = await client.post('/api/channel/', { ...CHANNEL, key, priority: 4 })
  expect(success).toBe(true)
  expect(data).toMatchObject([
    { name: 'a channel', priority: 4, key_hint: '1111' },
    { name: 'a channel', priority: 4, key_hint: '2222' },
    { name: 'a channel', priority: 4, key_hint: '3333' },
  ])
  const keys = await Promise.all(data.map(({ id }: { id: number }) => keyOf(app, id)))
  expect(keys).toEqual(['sk-first-key-1111', 'sk-second-key-2222', 'sk-third-key-3333'])
})

test('a multi-line credential is one key, whether it came as key or as config [R3.10 R5.36 R5.50]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const typed = await makeChannel(client, { type: 42, key: `us-central1|my-project|${ADC}` })
  const config = JSON.stringify({ region: 'us-central1', vertex_ai_project_id: 'my-project', vertex_ai_adc: ADC })
  const filled = await makeChannel(client, { type: 42, key: '', config })
  for (const { id, config_secrets, config: shown } of [typed, filled]) {
    expect(await keyOf(app, id)).toBe(`us-central1|my-project|${ADC}`)
    expect(config_secrets).toEqual(['vertex_ai_adc'])
    const parts = { region: 'us-central1', vertex_ai_project_id: 'my-project', vertex_ai_adc: '' }
    expect(JSON.parse(shown)).toMatchObject(parts)
  }
  expect((await client.get('/api/channel/')).headers.get('x-total-count')).toBe('2')
  // Credentials in the key of another type are recognised by their brace.
  expect(splitKeys(24, ADC)).toEqual([ADC])
})

test('the key of an AWS channel is assembled from its parts, and the parts are read from the key [R5.35 R5.47]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const config = JSON.stringify({ region: 'us-east-1', ak: 'AKIAEXAMPLE12345', sk: 'a/secret+key' })
  const filled = await makeChannel(client, { type: 33, key: '', config })
  const typed = await makeChannel(client, { type: 33, key: 'AKIAEXAMPLE12345|a/secret+key|us-east-1' })
  for (const { id, key_hint, config_secrets } of [filled, typed]) {
    expect(await keyOf(app, id)).toBe('AKIAEXAMPLE12345|a/secret+key|us-east-1')
    expect({ key_hint, config_secrets }).toEqual({ key_hint: '2345', config_secrets: ['ak', 'sk'] })
  }
})

test('compound keys of other vendors are stored unchanged [R5.37 R5.38 R5.39 R5.40]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const keys: [number, string][] = [
    [15, 'the-api-key|the-secret-key'],
    [18, 'the-appid|the-api-secret|the-api-key'],
    [22, 'fastgpt-0sp2gtvfdgyi4k30jwlgwf1i-64f335d84283f05518e9e041'],
    [23, '1234567890|AKIDexample|the-secret-key'],
  ]
  for (const [type, key] of keys) {
    const { id } = await makeChannel(client, { type, key })
    expect(await keyOf(app, id)).toBe(key)
  }
})

test('a channel without a key, and without the parts of one, is not created [R7.41]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const nothing: Record<string, unknown>[] = [
    { key: '' },
    { key: ' \n \n' },
    { key: undefined },
    { key: 'undefined|undefined|undefined' },
    { type: 33, key: '', config: '{"ak":"AKIAEXAMPLE","sk":""}' },
    { type: 42, key: '', config: '{"region":"r","vertex_ai_project_id":"p"}' },
    { type: 42, key: 'undefined|undefined|undefined' },
  ]
  for (const fields of nothing) {
    const refused = await client.post('/api/channel/', { ...CHANNEL, ...fields })
    expect(refused).toMatchObject({ status: 200, success: false, message: '请填写密钥' })
  }
  expect((await client.get('/api/channel/')).data).toEqual([])
})

test('a malformed key is refused with the expected format', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const malformed: [number, string, string][] = [
    [15, 'only-one-part', 'APIKey|SecretKey'],
    [15, 'a||', 'APIKey|SecretKey'],
    [16, 'no-dot', 'id.secret'],
    [16, 'a.b.c', 'id.secret'],
    [18, 'appid|secret', 'APPID|APISecret|APIKey'],
    [23, 'a| |c', 'AppId|SecretId|SecretKey'],
    [33, 'AKIA|secret', 'ak|sk|region'],
    [33, 'a-bedrock-key', 'ak|sk|region'],
  ]
  for (const [type, key, format] of malformed) {
    const refused = await client.post('/api/channel/', { ...CHANNEL, type, key })
    expect(refused).toMatchObject({ success: false, message: `密钥格式不正确，应为 ${format}` })
    const english = await client.post('/api/channel/', { ...CHANNEL, type, key }, { 'accept-language': 'en' })
    expect(english.message).toBe(`The key must have the format ${format}`)
    expect(english.message).not.toContain(key)
  }
  for (const adc of ['not json', '[]', '{"type": "service_account",']) {
    const refused = await client.post('/api/channel/', { ...CHANNEL, type: 42, key: `global|p|${adc}` })
    expect(refused.message).toContain('应用默认凭据必须是完整的 JSON')
  }
  expect((await client.get('/api/channel/')).data).toEqual([])
})

test('a Bedrock API key has a region, and stays one piece', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { type: 33, key: 'a-bedrock-key', config: '{"region":"eu-west-1"}' })
  const { key, config } = openSecrets(app.vault, await storedChannel(app, id))
  expect({ key, config }).toEqual({ key: 'a-bedrock-key', config: {} })
})

test('an edit with an empty key keeps the stored one, whatever its format; an entered one is checked', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const [type, key] of [
    [15, 'the-api-key|the-secret-key'],
    [16, 'the-id.the-secret'],
    [33, 'AKIAEXAMPLE12345|a/secret+key|us-east-1'],
    [42, `us-central1|my-project|${ADC}`],
  ] as const) {
    const { id } = await makeChannel(client, { type, key })
    expect(await client.put('/api/channel/', { id, name: 'renamed', key: '' })).toMatchObject({ success: true })
    expect(await keyOf(app, id)).toBe(key)
    expect((await client.put('/api/channel/', { id, key: 'half|' })).success).toBe(false)
    expect(await keyOf(app, id)).toBe(key)
  }
})

test('a key that was pasted with other text is refused with the character that no key has, and credentials in JSON are not', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { key: 'sk-first-key-1111' })
  for (const [key, character] of [
    ['sk-second-key-2222 （备用）', '（'],
    ['sk-second\u200b-key', '\u200b'],
    ['ｓｋ-second-key', 'ｓ'],
    ['sk-first-key-1111\nsk-密', '密'],
  ] as const) {
    const refused = await client.post('/api/channel/', { ...CHANNEL, key })
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining(`“${character}”`) })
    if (!key.includes('\n')) expect((await client.put('/api/channel/', { id, key })).success).toBe(false)
  }
  expect((await client.get('/api/channel/')).data).toHaveLength(1)
  await makeChannel(client, { type: 24, key: '{"name": "账户", "key": "k"}' })
})

test('of many keys either all become channels or none', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const key = 'sk-first-key-1111\nsk-second-key-2222'
  const refused = await client.post('/api/channel/', { ...CHANNEL, key, base_url: 'http://169.254.169.254' })
  expect(refused.success).toBe(false)
  expect((await client.get('/api/channel/')).data).toEqual([])
  expect((await client.get('/api/audit?target=channel')).data).toEqual([])
})

test('assembling prefers parts of the key over the config, and never invents one', () => {
  expect(assembleKey(33, 'A|S', { region: 'r' })).toEqual({ key: 'A|S|r', config: { ak: 'A', sk: 'S', region: 'r' } })
  expect(assembleKey(33, 'A', { region: 'r' })).toEqual({ key: 'A', config: { region: 'r' } })
  expect(assembleKey(33, '', { ak: 'A' })).toEqual({ key: '', config: { ak: 'A' } })
  const parts = { region: 'r', vertex_ai_project_id: 'p', vertex_ai_adc: '{"a":"b|c"}' }
  expect(assembleKey(42, 'r|p|{"a":"b|c"}', {})).toEqual({ key: 'r|p|{"a":"b|c"}', config: parts })
  expect(assembleKey(42, '', parts)).toEqual({ key: 'r|p|{"a":"b|c"}', config: parts })
  expect(assembleKey(1, 'sk-1', { region: 'r' })).toEqual({ key: 'sk-1', config: { region: 'r' } })
})
