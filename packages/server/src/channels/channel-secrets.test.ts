import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { CHANNEL, makeChannel, storedChannel } from '../testing/channel-makers.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'
import { openSecrets } from './channel-secrets.ts'

const AWS = {
  type: 33,
  key: '',
  base_url: 'https://bedrock.example.com',
  config: '{"region":"us-east-1","ak":"AKIAEXAMPLE12345","sk":"very-secret-key"}',
}

const RETYPE = '修改了类型、上游地址、代理、区域、项目或账户，请重新填写密钥'

/** What the relay will send upstream. */
const secretsOf = async (app: TestApp, id: number) => openSecrets(app.vault, await storedChannel(app, id))

test('a key is never returned, only a hint of its last four characters; for a short key not even that [R3.08 R7.40]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { key: 'sk-canary-secret-9876' })
  await makeChannel(client, { name: 'short', key: 'short-key' })
  const answers = [
    await client.get('/api/channel/'),
    await client.get('/api/channel/search?keyword=channel'),
    await client.get(`/api/channel/${id}`),
    await client.put('/api/channel/', { id, priority: 1 }),
    await client.put('/api/channel/', { id, key: 'sk-canary-secret-5432' }),
    await client.get('/api/audit'),
  ]
  for (const { success, body } of answers) {
    expect(success).toBe(true)
    expect(JSON.stringify(body)).not.toContain('canary')
  }
  const [short, long] = (await client.get('/api/channel/')).data
  expect(long).toMatchObject({ key: '', key_hint: '5432' })
  expect(short).toMatchObject({ key: '', key_hint: '' })
  expect(app.lines.join('\n')).not.toContain('canary')
})

test('key and secret parts of the config are stored encrypted [R3.08]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, AWS)
  const row = await storedChannel(app, id)
  expect(JSON.stringify(row)).not.toContain('very-secret-key')
  expect(JSON.stringify(row)).not.toContain('AKIAEXAMPLE')
  expect(row.key_sealed).toStartWith(`v1.${app.vault.keyId}.`)
  expect(JSON.parse(row.config)).toEqual({ region: 'us-east-1' })
  expect(await secretsOf(app, id)).toEqual({
    key: 'AKIAEXAMPLE12345|very-secret-key|us-east-1',
    config: { ak: 'AKIAEXAMPLE12345', sk: 'very-secret-key' },
  })
})

test('an edit with an empty key keeps the stored one, and with a new one replaces it [R3.09]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { key: 'sk-first-key-1111' })
  for (const key of ['', '  ', undefined, 'undefined|undefined|undefined']) {
    expect((await client.put('/api/channel/', { id, name: 'renamed', key })).data.key_hint).toBe('1111')
  }
  expect((await secretsOf(app, id)).key).toBe('sk-first-key-1111')
  const replaced = await client.put('/api/channel/', { id, key: ' sk-second-key-2222 ' })
  expect(replaced.data.key_hint).toBe('2222')
  expect((await secretsOf(app, id)).key).toBe('sk-second-key-2222')
})

test('secret parts of the config are kept when the form sends them empty, and replaced one by one [R3.08 R5.47]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id, config } = await makeChannel(client, AWS)
  expect(JSON.parse(config)).toMatchObject({ region: 'us-east-1', ak: '', sk: '' })

  const { data: same } = await client.put('/api/channel/', { id, config, key: '' })
  expect(same.config_secrets).toEqual(['ak', 'sk'])
  for (const empty of ['', '{}', '{"ak":"","sk":""}']) {
    const { data: kept } = await client.put('/api/channel/', { id, config: empty })
    expect(JSON.parse(kept.config).region).toBe('us-east-1')
  }
  await client.put('/api/channel/', { id, config: '{"region":"us-east-1","sk":"newer"}' })
  expect(await secretsOf(app, id)).toEqual({
    key: 'AKIAEXAMPLE12345|newer|us-east-1',
    config: { ak: 'AKIAEXAMPLE12345', sk: 'newer' },
  })
})

test('a change of the origin of base_url, or of the type, needs the key again; a change of the path does not [R3.09]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const channel = await makeChannel(client, { base_url: 'https://api.example.com/v1' })
  const { id } = channel
  const moves = [
    { base_url: 'https://evil.example.com/v1' },
    { base_url: 'http://api.example.com/v1' },
    { base_url: 'https://api.example.com:8443/v1' },
    { base_url: '' },
    { type: 8 },
  ]
  for (const move of moves) {
    const refused = await client.put('/api/channel/', { id, ...move, key: '' })
    expect(refused).toMatchObject({ status: 200, success: false, message: RETYPE })
    expect((await client.get(`/api/channel/${id}`)).data).toEqual(channel)
  }
  const path = await client.put('/api/channel/', { id, base_url: 'https://API.example.com:443/v2' })
  expect(path.success).toBe(true)
  const typed = await client.put('/api/channel/', {
    id,
    base_url: 'https://other.example.com',
    key: 'sk-typed-again-7',
  })
  expect(typed.data).toMatchObject({ base_url: 'https://other.example.com', key_hint: 'in-7' })
  expect((await secretsOf(app, id)).key).toBe('sk-typed-again-7')
})

const ADC = JSON.stringify({ type: 'authorized_user', client_id: 'i', client_secret: 's', refresh_token: 'r' })

test.each([
  ['an AWS region', { ...AWS, base_url: '' }, { region: 'eu-west-1' }, { ak: 'AKIAOTHER', sk: 'other' }],
  [
    'the region of a bearer key',
    { type: 33, key: 'ABSK-bedrock-key', config: '{"region":"us-east-1"}' },
    { region: 'eu-west-1' },
    'ABSK-typed-again',
  ],
  ['a Vertex region', { type: 42, key: `us-central1|p|${ADC}` }, { region: 'europe-west4' }, { vertex_ai_adc: ADC }],
  ['a project', { type: 42, key: `us-central1|p|${ADC}` }, { vertex_ai_project_id: 'q' }, { vertex_ai_adc: ADC }],
  ['an account', { type: 37, config: '{"user_id":"mine"}' }, { user_id: 'yours' }, 'typed-again'],
])('a change of %s needs the key again [R3.09]', async (_, fields, change, typed) => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const channel = await makeChannel(client, fields)
  const { id } = channel
  const before = await secretsOf(app, id)
  const config = { ...JSON.parse(channel.config), ...change }
  const refused = await client.put('/api/channel/', { id, config: JSON.stringify(config) })
  expect(refused).toMatchObject({ status: 200, success: false, message: RETYPE })
  expect((await client.get(`/api/channel/${id}`)).data).toEqual(channel)
  expect(await secretsOf(app, id)).toEqual(before)

  const again = typeof typed === 'string' ? { key: typed } : {}
  const parts = typeof typed === 'string' ? config : { ...config, ...typed }
  expect(await client.put('/api/channel/', { id, ...again, config: JSON.stringify(parts) })).toMatchObject({
    success: true,
    data: { id },
  })
  // Moved to another row of the table, it cannot be decrypted.
  const row = await storedChannel(app, id)
  expect(openSecrets(app.vault, row).key).not.toBe('')
  expect(() => openSecrets(app.vault, { ...row, config: JSON.stringify(JSON.parse(channel.config)) })).toThrow()
})

test('the region in an entered key becomes the channel’s, and must be valid', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, AWS)
  const moved = await client.put('/api/channel/', { id, key: 'AKIANEWEXAMPLE12| new-secret | eu-west-1 ' })
  expect(JSON.parse(moved.data.config).region).toBe('eu-west-1')
  expect((await secretsOf(app, id)).key).toBe('AKIANEWEXAMPLE12|new-secret|eu-west-1')
  const evil = 'x.evil.example:443/'
  const message = '区域的格式不正确，例如 us-east-1'
  const refused = [
    await client.put('/api/channel/', { id, key: `AKIANEWEXAMPLE12|new-secret|${evil}` }),
    await client.put('/api/channel/', { id, config: JSON.stringify({ region: evil }) }),
    await client.post('/api/channel/', {
      ...CHANNEL,
      ...AWS,
      config: JSON.stringify({ region: evil, ak: 'a', sk: 's' }),
    }),
    await client.post('/api/channel/', { ...CHANNEL, type: 42, key: `${evil}|p|${ADC}` }),
    await client.post('/api/channel/fetch_models', { type: 33, key: `a|s|${evil}` }),
  ]
  for (const answer of refused) expect(answer).toMatchObject({ success: false, message })
})

test('a key that was encrypted before regions were bound can still be decrypted, and is bound by the next change', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { ...AWS, base_url: '' })
  const secrets = await secretsOf(app, id)
  const old = (part: string) => `channel:${id}:33::${part}`
  const key_sealed = app.vault.seal(secrets.key, old('key'))
  const secrets_sealed = app.vault.seal(JSON.stringify(secrets.config), old('config'))
  await app.db.updateTable('channels').set({ key_sealed, secrets_sealed }).where('id', '=', id).execute()
  expect(await secretsOf(app, id)).toEqual(secrets)

  const moved = await client.put('/api/channel/', { id, config: '{"region":"eu-west-1"}' })
  expect(moved).toMatchObject({ success: false, message: RETYPE })
  expect((await client.put('/api/channel/', { id, name: 'renamed' })).success).toBe(true)
  const row = await storedChannel(app, id)
  expect(openSecrets(app.vault, row)).toEqual(secrets)
  expect(() => openSecrets(app.vault, { ...row, config: '{"region":"eu-west-1"}' })).toThrow()
})

test('secret parts of the config do not move to another origin either: they are entered again or dropped [R3.09]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, AWS)
  const elsewhere = { id, base_url: 'https://elsewhere.example.com' }
  expect((await client.put('/api/channel/', elsewhere)).success).toBe(false)
  const half = await client.put('/api/channel/', { ...elsewhere, config: '{"ak":"AKIANEW","region":"r"}' })
  expect(half.success).toBe(false)
  const other = await client.put('/api/channel/', { ...elsewhere, type: 1, key: 'sk-for-elsewhere' })
  expect(other.data).toMatchObject({ type: 1, config_secrets: [] })
  expect(await secretsOf(app, id)).toEqual({ key: 'sk-for-elsewhere', config: {} })
})

test('an encrypted value that was moved to another row, type or origin cannot be decrypted', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client, { base_url: 'https://api.example.com' })
  const other = await makeChannel(client, { base_url: 'https://api.example.com', key: 'sk-of-the-other-one' })
  const row = await storedChannel(app, id)
  const { key_sealed, secrets_sealed } = await storedChannel(app, other.id)

  expect(openSecrets(app.vault, row).key).toBe('sk-upstream-key-1234')
  expect(() => openSecrets(app.vault, { ...row, key_sealed })).toThrow()
  expect(() => openSecrets(app.vault, { ...row, secrets_sealed })).toThrow()
  expect(() => openSecrets(app.vault, { ...row, type: 8 })).toThrow()
  expect(() => openSecrets(app.vault, { ...row, base_url: 'https://evil.example.com' })).toThrow()

  // Copied into the table by hand, the row counts as one without a key, and never reveals the other's.
  await app.db.updateTable('channels').set({ key_sealed }).where('id', '=', id).execute()
  const { status, success, body } = await client.get(`/api/channel/${id}`)
  expect({ status, success }).toEqual({ status: 200, success: true })
  expect(JSON.stringify(body)).not.toContain('sk-of')
})

test('a channel whose secrets cannot be decrypted is listed, requires its key again, and can be deleted', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeChannel(root)
  await app.db.updateTable('channels').set({ key_sealed: 'v1.00000000.AAAA.AAAA' }).where('id', '=', id).execute()
  expect((await root.get('/api/channel/')).data).toMatchObject([{ id, config_secrets: [] }])
  expect(await root.put('/api/channel/', { id, name: 'renamed' })).toMatchObject({ success: false })
  expect(await root.put('/api/channel/', { id, name: 'renamed', key: 'sk-a-new-key-9876' })).toMatchObject({
    success: true,
    data: { name: 'renamed', key_hint: '9876' },
  })
  expect(await root.delete(`/api/channel/${id}/`)).toMatchObject({ success: true })
})
