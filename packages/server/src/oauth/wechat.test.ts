import { expect, onTestFinished, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD, setOptions } from '../testing/makers.ts'
import { fakeWeChat } from '../testing/outside/fake-wechat.ts'
import { refused } from '../testing/refused.ts'

async function weChatApp() {
  const wechat = fakeWeChat()
  onTestFinished(() => wechat.stop())
  const app = await testApp()
  await setOptions(app, {
    WeChatServerAddress: wechat.url,
    WeChatServerToken: wechat.token,
    WeChatAuthEnabled: true,
  })
  return { app, wechat }
}

test('a WeChat code signs in, the first time with a new account [R7.26 R2.74 R3.27]', async () => {
  const { app, wechat } = await weChatApp()
  const client = app.client()
  const first = await client.get(`/api/oauth/wechat?code=${wechat.codeFor('openid-1')}`)
  expect(first).toMatchObject({
    success: true,
    data: { username: expect.stringMatching(/^wechat_[0-9a-f]{8}$/), role: 1, default_password: false },
  })
  expect((await client.get('/api/user/self')).data.wechat_id).toBe('openid-1')
  const second = await app.client().get(`/api/oauth/wechat?code=${wechat.codeFor('openid-1')}`)
  expect(second.data.id).toBe(first.data.id)
})

test('a signed-in user binds a WeChat account, unless another user has it [R7.27]', async () => {
  const { app, wechat } = await weChatApp()
  const one = await makeUser(app)
  const bind = (code: string, client = one.client) => client.get(`/api/oauth/wechat/bind?code=${code}`)
  expect((await bind(wechat.codeFor('openid-1'))).body).toEqual({ success: true, message: '' })
  expect((await one.client.get('/api/user/self')).data.wechat_id).toBe('openid-1')
  const other = await makeUser(app)
  expect(await bind(wechat.codeFor('openid-1'), other.client)).toMatchObject(
    refused('oauth.already_bound', { service: 'WeChat' }),
  )
  const visitor = await app.client().get(`/api/oauth/wechat/bind?code=${wechat.codeFor('openid-2')}`)
  expect(visitor).toMatchObject(refused('session.missing'))
})

test('a code works once: the WeChat server decides which codes are valid [R4.25]', async () => {
  const { app, wechat } = await weChatApp()
  const code = wechat.codeFor('openid-1')
  expect((await app.client().get(`/api/oauth/wechat?code=${code}`)).success).toBe(true)
  const again = await app.client().get(`/api/oauth/wechat?code=${code}`)
  expect(again).toMatchObject(refused('oauth.refused', { service: 'WeChat' }))
})

test('a code with other characters is not passed on', async () => {
  const { app, wechat } = await weChatApp()
  for (const code of ['', 'a b', '../admin', 'a%26token%3Dx', 'x'.repeat(65)]) {
    expect(await app.client().get(`/api/oauth/wechat?code=${code}`)).toMatchObject({ status: 200, success: false })
  }
  expect((await app.client().get('/api/oauth/wechat')).success).toBe(false)
  expect(wechat.received).toEqual([])
})

test.each(['admin', 'root'] as const)('WeChat signs %s in only after they allowed it [R7.26 R2.77]', async (role) => {
  const { app, wechat } = await weChatApp()
  const { client, password } = await staff(app, role)
  await client.get(`/api/oauth/wechat/bind?code=${wechat.codeFor('openid-1')}`)
  const attempt = () => app.client().get(`/api/oauth/wechat?code=${wechat.codeFor('openid-1')}`)
  expect(await attempt()).toMatchObject(refused('oauth.admin_closed'))
  await client.put('/api/user/self', { external_login: true, current_password: password })
  const { data: self } = await client.get('/api/user/self')
  expect((await attempt()).data).toMatchObject({ id: self.id, role: self.role })
})

test('another administrator cannot sign in as someone else through a server of their own', async () => {
  const { app, wechat } = await weChatApp()
  const victim = await makeAdmin(app)
  await victim.client.get(`/api/oauth/wechat/bind?code=${wechat.codeFor('openid-1')}`)
  const own = fakeWeChat()
  onTestFinished(() => own.stop())
  const { client } = await makeAdmin(app)
  for (const [key, value] of [
    ['WeChatServerAddress', own.url],
    ['WeChatServerToken', own.token],
    ['WeChatAuthEnabled', 'true'],
  ]) {
    expect((await client.put('/api/option/', { key, value })).success).toBe(true)
  }
  const answer = await app.client().get(`/api/oauth/wechat?code=${own.codeFor('openid-1')}`)
  expect(answer).toMatchObject(refused('oauth.admin_closed'))
})

test('a promoted user is protected from then on', async () => {
  const { app, wechat } = await weChatApp()
  const { client, username } = await makeUser(app)
  await client.get(`/api/oauth/wechat/bind?code=${wechat.codeFor('openid-1')}`)
  const attempt = () => app.client().get(`/api/oauth/wechat?code=${wechat.codeFor('openid-1')}`)
  expect((await attempt()).success).toBe(true)
  const root = await asRoot(app)
  await root.post('/api/user/manage', { username, action: 'promote' })
  expect(await attempt()).toMatchObject(refused('oauth.admin_closed'))
  await root.post('/api/user/manage', { username, action: 'demote' })
  expect((await attempt()).success).toBe(true)
})

async function staff(app: TestApp, role: 'admin' | 'root') {
  if (role === 'root') return { client: await asRoot(app), password: '123456' }
  return { client: (await makeAdmin(app)).client, password: PASSWORD }
}

test('WeChat that is disabled, unconfigured or unreachable signs nobody in', async () => {
  const { app, wechat } = await weChatApp()
  const attempt = () => app.client().get(`/api/oauth/wechat?code=${wechat.codeFor('openid-1')}`)
  await setOptions(app, { WeChatAuthEnabled: false })
  expect(await attempt()).toMatchObject(refused('oauth.off'))
  await setOptions(app, { WeChatAuthEnabled: true })
  wechat.stop()
  expect(await attempt()).toMatchObject(refused('oauth.unreachable', { service: 'WeChat' }))
  await setOptions(app, { WeChatServerToken: '' })
  expect(await attempt()).toMatchObject(refused('oauth.off'))
})

test('if registration is off, WeChat creates no account; a banned user stays out', async () => {
  const { app, wechat } = await weChatApp()
  const attempt = () => app.client().get(`/api/oauth/wechat?code=${wechat.codeFor('openid-1')}`)
  await setOptions(app, { RegisterEnabled: false })
  expect(await attempt()).toMatchObject(refused('register.off'))
  await setOptions(app, { RegisterEnabled: true })
  const { data } = await attempt()
  await (await asRoot(app)).post('/api/user/manage', { username: data.username, action: 'disable' })
  expect(await attempt()).toMatchObject(refused('session.banned'))
})
