import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { CHANNEL, keyOfType, makeChannel, storedChannel } from '../testing/channel-makers.ts'
import { fakeHttpProxy, fakeSocksProxy } from '../testing/fake-proxy.ts'
import { fakeRealtime, realtimeCaller, realtimeUsage } from '../testing/fake-realtime.ts'
import { makeAdmin } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { openSecrets } from './channel-secrets.ts'

setDefaultTimeout(30_000)

const RETYPE = '修改了类型、上游地址、代理、区域、项目或账户，请重新填写密钥'
const LOGIN = { proxy_user: 'canary-user', proxy_password: 'canary-password' }
const config = (members: object) => JSON.stringify(members)

test('calls, tests and model lists use the proxy of their channel, those of others do not', async () => {
  const { channel, chat, root, charges } = await relayFixture()
  const proxy = await fakeSocksProxy({ login: 'canary-user:canary-password' })
  const { id } = await channel('gpt-4o', { config: config({ proxy: proxy.url, ...LOGIN }) })
  await channel('gpt-4o-mini')
  expect((await chat('gpt-4o')).status).toBe(200)
  expect(proxy.asked).toHaveLength(1)
  expect((await chat('gpt-4o-mini')).status).toBe(200)
  expect((await root.get(`/api/channel/test/${id}`)).success).toBe(true)
  expect(proxy.received().match(/POST \/v1\/chat\/completions/g)).toHaveLength(2)
  expect(await charges()).toHaveLength(2)
})

test.each([
  ['refuses', 'HTTP/1.1 403 Forbidden\r\n\r\n', 'it refused the connection with status 403'],
  ['answers garbage', 'SSH-2.0\r\n\r\n', 'its answer is not HTTP'],
  ['hangs', 'nothing', 'it did not connect in time'],
])('a proxy that %s is a failure of its channel with a message, and the next one answers', async (_, says, words) => {
  const { channel, chat, onlyLog } = await relayFixture({ options: { RetryTimes: 1 } })
  const proxy = await fakeHttpProxy({ says })
  const broken = config({ proxy: proxy.url, connect_timeout: 1 })
  await channel('a-model', { name: 'proxied', priority: 9, config: broken })
  await channel('a-model', { name: 'next' })
  expect((await chat('a-model')).status).toBe(200)
  const { detail } = await onlyLog()
  expect(detail.attempts).toMatchObject([
    { name: 'proxied', error: `The proxy of the channel failed: ${words}` },
    { name: 'next', status: 200 },
  ])
})

test.each([
  ['http', fakeHttpProxy],
  ['socks5', fakeSocksProxy],
])('a realtime conversation uses the %s proxy of its channel', async (_, makeProxy) => {
  const { channel, app, key, atRest, onlyLog } = await relayFixture({ options: { ModelRatio: '{"rt":1}' } })
  const vendor = fakeRealtime({
    answer(event, voice) {
      if (event.type === 'response.create') voice.respond(realtimeUsage({ text_tokens: 10 }, { text_tokens: 5 }))
    },
  })
  const proxy = await makeProxy({ login: 'canary-user:canary-password' })
  await channel('rt', { type: 1, base_url: vendor.url, config: config({ proxy: proxy.url, ...LOGIN }) })
  const caller = await realtimeCaller(`${app.url}/v1/realtime?model=rt`, { key })
  await caller.next('session.created')
  caller.send({ type: 'response.create' })
  await caller.next('response.done')
  caller.socket.close(1000)
  await atRest()
  expect(proxy.asked).toEqual([new URL(vendor.url).host])
  expect(await vendor.exchanges[0]?.closed).toBe(1000)
  expect((await onlyLog()).detail.attempts).toMatchObject([{ status: 200 }])
  expect(await app.audit()).toEqual([])
})

test('a WebSocket call whose proxy fails reports why, and never bypasses it', async () => {
  const { channel, chat, onlyLog } = await relayFixture()
  const proxy = await fakeHttpProxy({ says: 'HTTP/1.1 403 Forbidden\r\n\r\n' })
  const spark = { type: 18, key: keyOfType(18), config: config({ proxy: proxy.url }) }
  await channel('SparkDesk-v3.5', spark)
  expect((await chat('SparkDesk-v3.5')).status).toBe(502)
  const { detail } = await onlyLog()
  const error = 'The proxy of the channel failed: it refused the connection with status 403'
  expect(detail.attempts).toMatchObject([{ error }])
})

test('user and password are stored encrypted and never returned; an edit that does not send them keeps them', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const proxy = 'http://127.0.0.1:3128'
  const { id } = await makeChannel(client, { config: config({ proxy, ...LOGIN }) })
  const told = [
    await client.get('/api/channel/'),
    await client.get(`/api/channel/${id}`),
    await client.put('/api/channel/', { id, config: config({ proxy }) }),
    await client.put('/api/channel/', { id, config: '{}' }),
    await client.get('/api/audit'),
  ]
  for (const { success, body } of told) {
    expect(success).toBe(true)
    expect(JSON.stringify(body)).not.toContain('canary')
  }
  const row = await storedChannel(app, id)
  expect(JSON.stringify(row)).not.toContain('canary')
  expect(app.lines.join('\n')).not.toContain('canary')
  expect(JSON.parse(row.config)).toEqual({ proxy })
  expect(openSecrets(app.vault, row)).toEqual({ key: CHANNEL.key, config: LOGIN })
  expect((await client.get(`/api/channel/${id}`)).data.config_secrets).toEqual(['proxy_user', 'proxy_password'])
})

test('changing, adding or removing a proxy requires the key again, and drops the old user', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  const set = (proxy: string, key = '') => client.put('/api/channel/', { id, key, config: config({ proxy }) })
  expect((await set('http://127.0.0.1:3128')).body).toMatchObject({ success: false, message: RETYPE, field: 'key' })
  const first = { id, key: 'sk-typed-again-1111', config: config({ proxy: 'http://127.0.0.1:3128', ...LOGIN }) }
  expect((await client.put('/api/channel/', first)).success).toBe(true)
  expect((await set('HTTP://127.0.0.1:3128/')).success).toBe(true)
  expect((await set('socks5://127.0.0.1:3128')).message).toBe(RETYPE)
  expect((await set('')).message).toBe(RETYPE)
  expect((await set('', 'sk-typed-again-2222')).success).toBe(true)
  const row = await storedChannel(app, id)
  expect(openSecrets(app.vault, row)).toEqual({ key: 'sk-typed-again-2222', config: {} })
})

test('a key cannot be decrypted for a proxy that was written directly into the database', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { id } = await makeChannel(client)
  const row = await storedChannel(app, id)
  expect(openSecrets(app.vault, row).key).toBe(CHANNEL.key)
  expect(() => openSecrets(app.vault, { ...row, config: config({ proxy: 'http://evil.example:3128' }) })).toThrow()
})

test.each([
  ['http://127.0.0.1:3128/path', 'channel.bad_proxy'],
  ['socks4://127.0.0.1:1080', 'channel.bad_proxy'],
  ['http://bob:secret@127.0.0.1:3128', 'channel.bad_proxy'],
  ['http://169.254.169.254:3128', 'channel.closed_proxy'],
  ['socks5://metadata.google.internal:1080', 'channel.closed_proxy'],
])('an invalid proxy is refused when it is saved and when models are fetched: %s', async (proxy, code) => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const message = {
    'channel.bad_proxy': '代理地址应为 http://、https:// 或 socks5://主机:端口，不能带路径、参数或账号密码',
    'channel.closed_proxy': '不允许使用该代理地址',
  }[code]
  const refused = { success: false, message, field: 'proxy' }
  expect((await client.post('/api/channel/', { ...CHANNEL, config: config({ proxy }) })).body).toMatchObject(refused)
  const asked = { type: 1, key: 'sk-1', config: config({ proxy }) }
  expect((await client.post('/api/channel/fetch_models', asked)).body).toMatchObject(refused)
})
