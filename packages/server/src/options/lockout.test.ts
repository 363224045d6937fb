import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { asRoot, makeAdmin, setOptions, withGitHub } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const bindRoot = (
  app: TestApp,
  bound: { github_id?: string; lark_id?: string; wechat_id?: string; external_login?: 0 | 1 },
) => app.db.updateTable('users').set(bound).where('id', '=', 1).execute()

const set = async (app: TestApp, key: string, value: string) => (await asRoot(app)).put('/api/option/', { key, value })

const LOCKED = refused('option.locks_out')

test('password login stays on while root has no other sign-in method, and the refusal is in both languages', async () => {
  const app = await testApp()
  const off = await set(app, 'PasswordLoginEnabled', 'false')
  expect(off).toMatchObject(LOCKED)
  expect(off.message).toContain('超级管理员将无法登录')
  const english = app.client({ 'accept-language': 'en' })
  await english.post('/api/user/login', { username: 'root', password: '123456' })
  const { message } = await english.put('/api/option/', { key: 'PasswordLoginEnabled', value: 'false' })
  expect(message).toStartWith('The super administrator would no longer be able to log in')
  const { client: admin } = await makeAdmin(app)
  expect(await admin.put('/api/option/', { key: 'PasswordLoginEnabled', value: 'false' })).toMatchObject(LOCKED)
  expect((await app.client().get('/api/status')).data.password_login).toBe(true)
  const events = await app.db
    .selectFrom('audit_events')
    .select('id')
    .where('target', '=', 'option:PasswordLoginEnabled')
    .execute()
  expect(events).toEqual([])
})

const GITHUB = { GitHubClientId: 'id', GitHubClientSecret: 'secret', GitHubOAuthEnabled: true }
const LARK = { LarkClientId: 'id', LarkClientSecret: 'secret' }
const WECHAT = { WeChatServerAddress: 'https://wx.example.com', WeChatServerToken: 'secret', WeChatAuthEnabled: true }

const WAYS = [
  { way: 'GitHub that nobody has bound', options: GITHUB, bound: { external_login: 1 as const }, opens: false },
  {
    way: 'GitHub that is switched off',
    options: { ...GITHUB, GitHubOAuthEnabled: false },
    bound: { github_id: 'x' },
    opens: false,
  },
  {
    way: 'GitHub without a secret',
    options: { ...GITHUB, GitHubClientSecret: '' },
    bound: { github_id: 'x' },
    opens: false,
  },
  { way: 'GitHub that root has bound', options: GITHUB, bound: { github_id: 'x' }, opens: true },
  { way: 'Lark that root has bound but not opened', options: LARK, bound: { lark_id: 'x' }, opens: false },
  {
    way: 'Lark that root has bound and opened',
    options: LARK,
    bound: { lark_id: 'x', external_login: 1 as const },
    opens: true,
  },
  { way: 'WeChat that root has bound but not opened', options: WECHAT, bound: { wechat_id: 'x' }, opens: false },
  {
    way: 'WeChat that root has bound and opened',
    options: WECHAT,
    bound: { wechat_id: 'x', external_login: 1 as const },
    opens: true,
  },
  {
    way: 'GitHub bound while only Lark is set up',
    options: LARK,
    bound: { github_id: 'x', external_login: 1 as const },
    opens: false,
  },
]

test.each(WAYS)('with $way, password login may be disabled: $opens', async ({ options, bound, opens }) => {
  const app = await testApp()
  await setOptions(app, options)
  await bindRoot(app, bound)
  const answer = await set(app, 'PasswordLoginEnabled', 'false')
  expect(answer).toMatchObject(opens ? { success: true } : LOCKED)
})

test('while password login is off, the last other method cannot be disabled; with the password back, it can', async () => {
  const app = await testApp()
  await withGitHub(app)
  const root = await asRoot(app)
  const put = (key: string, value: string) => root.put('/api/option/', { key, value })
  expect((await put('PasswordLoginEnabled', 'false')).success).toBe(true)
  for (const [key, value] of [
    ['GitHubOAuthEnabled', 'false'],
    ['GitHubClientId', ''],
    ['GitHubClientSecret', ''],
  ] as const) {
    expect(await put(key, value)).toMatchObject(LOCKED)
  }
  // A new secret is as good as the old one, and a disabled method cannot be the last one.
  expect((await put('GitHubClientSecret', 'renewed')).success).toBe(true)
  expect((await put('LarkClientId', '')).success).toBe(true)
  expect((await put('PasswordLoginEnabled', 'true')).success).toBe(true)
  expect((await put('GitHubOAuthEnabled', 'false')).success).toBe(true)
})

test('another address of the WeChat server disables it, because its secret belongs to the old one', async () => {
  const app = await testApp()
  await setOptions(app, WECHAT)
  await bindRoot(app, { wechat_id: 'x', external_login: 1 })
  const root = await asRoot(app)
  const put = (key: string, value: string) => root.put('/api/option/', { key, value })
  expect((await put('PasswordLoginEnabled', 'false')).success).toBe(true)
  expect(await put('WeChatServerAddress', 'https://other.example.com')).toMatchObject(LOCKED)
  expect((await put('WeChatServerAddress', 'https://wx.example.com')).success).toBe(true)
})

test('if an earlier version disabled every method, settings may be changed until one is enabled', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await app.db.insertInto('options').values({ key: 'PasswordLoginEnabled', value: 'false' }).execute()
  app.parts.options.forget()
  expect((await root.put('/api/option/', { key: 'GitHubClientId', value: 'id' })).success).toBe(true)
  expect((await root.put('/api/option/', { key: 'PasswordLoginEnabled', value: 'true' })).success).toBe(true)
})
