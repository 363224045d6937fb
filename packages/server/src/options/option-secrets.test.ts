import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { makeAdmin } from '../testing/makers.ts'

const SECRETS = [
  'GitHubClientSecret',
  'LarkClientSecret',
  'SMTPToken',
  'WeChatServerToken',
  'MessagePusherToken',
  'TurnstileSecretKey',
] as const

const put = (client: Client, key: string, value: string) => client.put('/api/option/', { key, value })

const secretsSet = async (client: Client) => (await client.get('/api/option/')).body.secrets_set

const stored = async (app: TestApp, key: string) =>
  (await app.db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value ?? ''

test('a secret is never returned: the list leaves it out and says only that it is set [R2.71 R2.72 R2.73 R2.74 R2.75 R2.76]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const key of SECRETS) {
    expect((await put(client, key, `canary of ${key}`)).success).toBe(true)
    const { data, body } = await client.get('/api/option/')
    expect(data.map((entry: { key: string }) => entry.key)).not.toContain(key)
    expect(body.secrets_set).toContain(key)
    expect(JSON.stringify(body)).not.toContain('canary')
    expect(app.parts.options.values()[key]).toBe(`canary of ${key}`)
  }
  for (const path of ['/api/status', '/api/audit', '/api/audit?p=1']) {
    expect(JSON.stringify((await client.get(path)).body)).not.toContain('canary')
  }
  expect(app.lines.join('\n')).not.toContain('canary')
  await put(client, 'SMTPToken', '')
  expect(await secretsSet(client)).not.toContain('SMTPToken')
})

test('a secret is stored encrypted, and cannot be moved to another option', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await put(client, 'GitHubClientSecret', 'canary')
  const sealed = await stored(app, 'GitHubClientSecret')
  expect(sealed).toStartWith(`v1.${app.vault.keyId}.`)
  expect(JSON.stringify(await app.db.selectFrom('audit_events').selectAll().execute())).not.toContain('canary')

  await app.db.insertInto('options').values({ key: 'LarkClientSecret', value: sealed }).execute()
  app.clock.pass(1)
  expect(await secretsSet(client)).toEqual(['GitHubClientSecret'])
})

test('a secret that is sent to an address stops working when that address changes, and works again with it', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const pairs: [
    secret: 'SMTPToken' | 'WeChatServerToken' | 'MessagePusherToken',
    address: string,
    at: string,
    elsewhere: string,
  ][] = [
    ['SMTPToken', 'SMTPServer', 'smtp.example.com', 'smtp.evil.example'],
    ['SMTPToken', 'SMTPServer', 'mail:25', 'evil:25'],
    ['WeChatServerToken', 'WeChatServerAddress', 'https://wx.example.com/a', 'https://evil.example/a'],
    ['MessagePusherToken', 'MessagePusherAddress', 'https://push.example.com', 'http://push.example.com'],
  ]
  for (const [secret, address, at, elsewhere] of pairs) {
    await put(client, address, at)
    await put(client, secret, 'the secret')
    const known = () => app.parts.options.values()[secret]
    expect(known()).toBe('the secret')
    await put(client, address, elsewhere)
    expect(known()).toBe('')
    expect(await secretsSet(client)).not.toContain(secret)
    await put(client, address, at)
    expect(known()).toBe('the secret')
  }
  // The path and the case of the host do not matter: the secret is sent to the same host.
  await put(client, 'WeChatServerAddress', 'https://WX.example.com/another/path')
  expect(app.parts.options.values().WeChatServerToken).toBe('the secret')
})

test('the audit log shows a fingerprint of a secret: that it changed, not its value', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await put(client, 'TurnstileSecretKey', 'first canary')
  await put(client, 'TurnstileSecretKey', 'second canary')
  await put(client, 'TurnstileSecretKey', '')
  const { data } = await client.get('/api/audit?target=option:TurnstileSecretKey')
  const fingerprint = expect.stringMatching(/^sha256:[0-9a-f]{8}$/)
  expect(data.map(({ before, after }: Record<string, unknown>) => ({ before, after }))).toEqual([
    { before: { value: fingerprint }, after: { value: '' } },
    { before: { value: fingerprint }, after: { value: fingerprint } },
    { before: { value: '' }, after: { value: fingerprint } },
  ])
  expect(data[1].before.value).not.toBe(data[1].after.value)
  expect(data[1].before.value).toBe(data[2].after.value)
})
