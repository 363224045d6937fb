import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { CHANNEL, makeChannel, storedChannel } from '../testing/channel-makers.ts'
import { fakeSocksProxy } from '../testing/fake-proxy.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { openSecrets } from './channel-secrets.ts'

const PROXY = 'http://127.0.0.1:3128'
const LOGIN = { proxy_user: 'canary-user', proxy_password: 'canary-password' }

const fixture = async (configs: readonly object[]) => {
  const app = await testApp()
  const root = await asRoot(app)
  const ids: number[] = []
  for (const config of configs) ids.push((await makeChannel(root, { config: JSON.stringify(config) })).id)
  const change = (change: object, preview = false) => root.post('/api/channel/bulk', { ids, change, preview })
  return { app, root, ids, change }
}

const opened = async (app: TestApp, id: number) => {
  const row = await storedChannel(app, id)
  return { proxy: JSON.parse(row.config).proxy, ...openSecrets(app.vault, row) }
}

test('many channels get one proxy with its login, keep their keys, and lose it again together', async () => {
  const { app, root, ids, change } = await fixture([{}, { proxy: 'socks5://127.0.0.1:1080', proxy_user: 'old' }])
  const shown = await change({ proxy: PROXY, ...LOGIN }, true)
  expect(shown.data).toMatchObject({ matched: 2, changed: 2 })
  expect(shown.data.channels).toMatchObject([
    { before: { proxy: 'socks5://127.0.0.1:1080' }, after: { proxy: PROXY }, proxy_login: true },
    { before: { proxy: '' }, after: { proxy: PROXY }, proxy_login: true },
  ])
  expect((await opened(app, ids[0] ?? 0)).proxy).toBeUndefined()
  const done = await change({ proxy: PROXY, ...LOGIN })
  expect(done.data).toEqual(shown.data)
  for (const id of ids) expect(await opened(app, id)).toEqual({ proxy: PROXY, key: CHANNEL.key, config: LOGIN })
  // The same address in another spelling, without a login or with the existing one, changes nothing.
  expect((await change({ proxy: 'HTTP://127.0.0.1:3128/' })).data.changed).toBe(0)
  expect((await change({ proxy: PROXY, ...LOGIN })).data.changed).toBe(0)
  const other = await change({ proxy: PROXY, proxy_password: 'canary-other' })
  expect(other.data).toMatchObject({ changed: 2, channels: [{ proxy_login: true }, { proxy_login: true }] })
  const record = await root.get('/api/audit')
  for (const { body } of [shown, done, other, record]) expect(JSON.stringify(body)).not.toContain('canary')
  expect(record.data[0]).toMatchObject({ action: 'channel.update', after: { secret: expect.any(String) } })
  expect((await change({ proxy: '' })).data.changed).toBe(2)
  for (const id of ids) expect(await opened(app, id)).toEqual({ proxy: undefined, key: CHANNEL.key, config: {} })
})

test('the keys of a pool use the new proxy too', async () => {
  const { channel, chat, root } = await relayFixture()
  const proxy = await fakeSocksProxy({ login: 'canary-user:canary-password' })
  const { id } = await channel('gpt-4o', { key: 'sk-pool-key-11111\nsk-pool-key-22222', key_pool: true })
  const change = { proxy: proxy.url, ...LOGIN }
  expect((await root.post('/api/channel/bulk', { ids: [id], change, preview: false })).data.changed).toBe(1)
  for (let call = 0; call < 2; call++) expect((await chat('gpt-4o')).status).toBe(200)
  expect(proxy.asked.length).toBeGreaterThan(0)
  expect((await root.get(`/api/channel/${id}/keys`)).data).toHaveLength(2)
})

test('an administrator who may not export keys cannot route them through another proxy', async () => {
  const { app, ids } = await fixture([{}])
  const { client } = await makeAdmin(app)
  for (const proxy of [PROXY, '']) {
    const refused = await client.post('/api/channel/bulk', { ids, change: { proxy }, preview: true })
    expect(refused.message).toBe('只有超级管理员可以不重新填写密钥就修改代理')
  }
  expect((await opened(app, ids[0] ?? 0)).proxy).toBeUndefined()
})

test.each([
  ['http://127.0.0.1:3128/path', '代理地址应为 http://、https:// 或 socks5://主机:端口，不能带路径、参数或账号密码'],
  ['http://169.254.169.254:3128', '不允许使用该代理地址'],
])('%s is refused with the message of the single-channel form', async (proxy, message) => {
  const { change } = await fixture([{}])
  expect((await change({ proxy }, true)).body).toMatchObject({ success: false, message, field: 'proxy' })
})

test('one channel whose key cannot be decrypted stops the whole change', async () => {
  const { app, ids, change } = await fixture([{}, {}])
  await app.db
    .updateTable('channels')
    .set({ key_sealed: 'broken', name: 'lost' })
    .where('id', '=', ids[1] ?? 0)
    .execute()
  expect((await change({ proxy: PROXY })).message).toBe('渠道 lost 的密钥无法解开，请先重新填写密钥')
  expect((await opened(app, ids[0] ?? 0)).proxy).toBeUndefined()
})
