import { expect, onTestFinished, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { defaultAddresses } from '../integrations/addresses.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeUser, setOptions } from '../testing/makers.ts'
import { fakeGitHub } from '../testing/outside/fake-github.ts'
import { fakeLark } from '../testing/outside/fake-lark.ts'
import { refused } from '../testing/refused.ts'

const octocat = { id: 583_231, login: 'octocat', name: 'The Octocat' }
const ADDRESS = 'https://gateway.example.com'
const REDIRECT = `${ADDRESS}/oauth/lark`

async function gitHubApp() {
  const github = fakeGitHub()
  onTestFinished(() => github.stop())
  const app = await testApp({ outside: { ...defaultAddresses, github: github.url, githubApi: github.url } })
  await setOptions(app, {
    GitHubClientId: github.clientId,
    GitHubClientSecret: github.clientSecret,
    GitHubOAuthEnabled: true,
  })
  return { app, github }
}

async function larkApp() {
  const lark = fakeLark()
  onTestFinished(() => lark.stop())
  const app = await testApp({ outside: { ...defaultAddresses, lark: lark.url, larkPassport: lark.url } })
  await setOptions(app, { LarkClientId: lark.appId, LarkClientSecret: lark.appSecret, ServerAddress: ADDRESS })
  return { app, lark }
}

/** A browser visits the service and returns with the code. */
async function comeBack(client: Client, service: 'github' | 'lark', code: string) {
  const { data: state } = await client.get(`/api/oauth/state?provider=${service}`)
  return client.get(`/api/oauth/${service}?code=${code}&state=${state}`)
}

const countUsers = async (app: TestApp) => (await app.db.selectFrom('users').select('id').execute()).length

test('a visitor who comes back from GitHub gets an account and is signed in [R7.29 R7.25 R2.72]', async () => {
  const { app, github } = await gitHubApp()
  await setOptions(app, { QuotaForNewUser: 500 })
  const client = app.client()
  const { data: state } = await client.get('/api/oauth/state')
  expect(state).toMatch(/^[0-9A-Za-z]{24}$/)
  const answer = await client.get(`/api/oauth/github?code=${github.codeFor(octocat)}&state=${state}`)
  expect(answer).toMatchObject({
    status: 200,
    success: true,
    message: '',
    data: { username: expect.stringMatching(/^github_[0-9a-f]{8}$/), display_name: 'The Octocat', role: 1, status: 1 },
  })
  const { data: self } = await client.get('/api/user/self')
  expect(self).toMatchObject({ id: answer.data.id, github_id: '583231', quota: 500, email: '' })
  expect((await client.get('/api/token/')).data).toHaveLength(1)
  expect(await app.audit()).toEqual([])
})

test('the same person is the same account the next time, even under another login name', async () => {
  const { app, github } = await gitHubApp()
  const first = await comeBack(app.client(), 'github', github.codeFor(octocat))
  const renamed = { ...octocat, login: 'hubber' }
  const second = await comeBack(app.client(), 'github', github.codeFor(renamed))
  expect(second.data.id).toBe(first.data.id)
  // The account that takes the freed name is a different one.
  const other = await comeBack(app.client(), 'github', github.codeFor({ id: 7, login: 'octocat' }))
  expect(other.data.id).not.toBe(first.data.id)
  expect(other.data.display_name).toBe('octocat')
})

test('a signed-in user binds the account and stays signed in; clients read it from the message', async () => {
  const { app, github } = await gitHubApp()
  const { client, id } = await makeUser(app)
  const cookie = client.cookies.get('session')
  const answer = await comeBack(client, 'github', github.codeFor(octocat))
  expect(answer.body).toEqual({ success: true, message: 'bind' })
  expect(client.cookies.get('session')).toBe(cookie)
  expect((await client.get('/api/user/self')).data).toMatchObject({ id, github_id: '583231' })
  const visit = await comeBack(app.client(), 'github', github.codeFor(octocat))
  expect(visit.data.id).toBe(id)
})

test('what is bound to one account cannot be bound to another', async () => {
  const { app, github } = await gitHubApp()
  const first = await makeUser(app)
  await comeBack(first.client, 'github', github.codeFor(octocat))
  const second = await makeUser(app)
  const answer = await comeBack(second.client, 'github', github.codeFor(octocat))
  expect(answer).toMatchObject(refused('oauth.already_bound', { service: 'GitHub' }))
  expect((await second.client.get('/api/user/self')).data.github_id).toBe('')
})

test('a state works once', async () => {
  const { app, github } = await gitHubApp()
  const client = app.client()
  const { data: state } = await client.get('/api/oauth/state')
  const back = () => client.get(`/api/oauth/github?code=${github.codeFor(octocat)}&state=${state}`)
  expect((await back()).success).toBe(true)
  client.cookies.delete('session')
  expect(await back()).toMatchObject(refused('oauth.bad_state'))
  const refusedOne = await client.get(`/api/oauth/github?code=${github.codeFor(octocat)}`)
  expect(refusedOne).toMatchObject(refused('oauth.bad_state'))
})

test('a state is valid for the service it was requested for, and is used up when another one sends it', async () => {
  const { app, github } = await gitHubApp()
  const client = app.client()
  const back = async (asked: string) => {
    const { data: state } = await client.get(`/api/oauth/state${asked}`)
    return client.get(`/api/oauth/github?code=${github.codeFor(octocat)}&state=${state}`)
  }
  expect(await back('?provider=lark')).toMatchObject(refused('oauth.bad_state'))
  expect((await back('?provider=github')).success).toBe(true)
  client.cookies.delete('session')
  // An older console does not say which one it means.
  expect((await back('')).success).toBe(true)
  expect((await client.get('/api/oauth/state?provider=evil')).success).toBe(false)
})

test('a state belongs to the browser that requested it, so that nobody can be signed in as a stranger', async () => {
  const { app, github } = await gitHubApp()
  const stranger = app.client()
  const { data: state } = await stranger.get('/api/oauth/state')
  const path = `/api/oauth/github?code=${github.codeFor(octocat)}&state=${state}`
  expect(await app.client().get(path)).toMatchObject(refused('oauth.bad_state'))
  const victim = app.client()
  await victim.get('/api/oauth/state')
  expect(await victim.get(path)).toMatchObject(refused('oauth.bad_state'))
  expect((await stranger.get(path)).success).toBe(true)
})

test('a state is for signing in or for binding to one account, as it was when requested', async () => {
  const { app, github } = await gitHubApp()
  const visitor = app.client()
  const { data: toSignIn } = await visitor.get('/api/oauth/state')
  const { client, username } = await makeUser(app)
  visitor.cookies.set('session', client.cookies.get('session') ?? '')
  const bind = await visitor.get(`/api/oauth/github?code=${github.codeFor(octocat)}&state=${toSignIn}`)
  expect(bind).toMatchObject(refused('oauth.bad_state'))

  const { data: toBind } = await client.get('/api/oauth/state')
  client.cookies.delete('session')
  const signIn = await client.get(`/api/oauth/github?code=${github.codeFor(octocat)}&state=${toBind}`)
  expect(signIn).toMatchObject(refused('oauth.bad_state'))
  expect(await app.parts.accounts.findByName(username)).toMatchObject({ github_id: null })
  expect(await countUsers(app)).toBe(2)
})

test('a state is valid for ten minutes, and its cookie is as protected as the session’s', async () => {
  const { app, github } = await gitHubApp()
  const client = app.client()
  const { data: state, headers } = await client.get('/api/oauth/state')
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^oauth=[0-9a-f]{32}; Path=\/; Max-Age=600; HttpOnly; SameSite=Strict$/),
  ])
  app.clock.pass(600)
  const answer = await client.get(`/api/oauth/github?code=${github.codeFor(octocat)}&state=${state}`)
  expect(answer).toMatchObject(refused('oauth.bad_state'))
})

test('behind https the cookie of the state is Secure and works', async () => {
  const github = fakeGitHub()
  onTestFinished(() => github.stop())
  const app = await testApp({
    outside: { ...defaultAddresses, github: github.url, githubApi: github.url },
    trustedProxies: [ipaddr.parseCIDR('127.0.0.0/8')],
  })
  await setOptions(app, { GitHubClientId: 'github-client', GitHubClientSecret: 'github-secret' })
  await setOptions(app, { GitHubOAuthEnabled: true })
  const client = app.client({ 'x-forwarded-proto': 'https' })
  expect((await comeBack(client, 'github', github.codeFor(octocat))).success).toBe(true)
  expect([...client.cookies.keys()].toSorted()).toEqual(['__Host-device_2', '__Host-oauth', '__Host-session'])
})

test('where registration is off, an unknown person gets no account and a known one can still sign in', async () => {
  const { app, github } = await gitHubApp()
  const { data: known } = await comeBack(app.client(), 'github', github.codeFor(octocat))
  await setOptions(app, { RegisterEnabled: false })
  const stranger = await comeBack(app.client(), 'github', github.codeFor({ id: 7, login: 'new' }))
  expect(stranger).toMatchObject(refused('register.off'))
  expect(await countUsers(app)).toBe(2)
  const again = await comeBack(app.client(), 'github', github.codeFor(octocat))
  expect(again.data.id).toBe(known.id)
})

test('a banned user gets an error; a deleted one gets no second account', async () => {
  const { app, github } = await gitHubApp()
  const root = await asRoot(app)
  const { data } = await comeBack(app.client(), 'github', github.codeFor(octocat))
  await root.post('/api/user/manage', { username: data.username, action: 'disable' })
  const client = app.client()
  expect(await comeBack(client, 'github', github.codeFor(octocat))).toMatchObject(refused('session.banned'))
  expect(client.cookies.has('session')).toBe(false)
  await root.post('/api/user/manage', { username: data.username, action: 'delete' })
  const deleted = await comeBack(app.client(), 'github', github.codeFor(octocat))
  expect(deleted).toMatchObject(refused('oauth.already_bound', { service: 'GitHub' }))
  expect(await countUsers(app)).toBe(2)
})

test('GitHub is trusted: root signs in with it once root has bound it [R2.77]', async () => {
  const { app, github } = await gitHubApp()
  const root = await asRoot(app)
  await comeBack(root, 'github', github.codeFor(octocat))
  const { data } = await comeBack(app.client(), 'github', github.codeFor(octocat))
  expect(data).toMatchObject({ id: 1, role: 100 })
})

test('a disabled service, or one without a secret, signs nobody in [R2.69]', async () => {
  const { app, github } = await gitHubApp()
  const attempt = () => comeBack(app.client(), 'github', github.codeFor(octocat))
  await setOptions(app, { GitHubOAuthEnabled: false })
  expect(await attempt()).toMatchObject(refused('oauth.off'))
  await setOptions(app, { GitHubOAuthEnabled: true, GitHubClientSecret: '' })
  expect(await attempt()).toMatchObject(refused('oauth.off'))
  expect(await comeBack(app.client(), 'lark', 'code')).toMatchObject(refused('oauth.off'))
  expect(github.received).toEqual([])
})

test('an unknown code and an unreachable service are two different refusals', async () => {
  const { app, github } = await gitHubApp()
  const unknown = await comeBack(app.client(), 'github', 'unknown')
  expect(unknown).toMatchObject(refused('oauth.refused', { service: 'GitHub' }))
  github.stop()
  const gone = await comeBack(app.client(), 'github', 'code')
  expect(gone).toMatchObject(refused('oauth.unreachable', { service: 'GitHub' }))
  expect(await countUsers(app)).toBe(1)
})

test('a long or hostile external name becomes twenty plain characters', async () => {
  const { app, github } = await gitHubApp()
  const name = '👩‍💻'.repeat(30)
  const { data } = await comeBack(app.client(), 'github', github.codeFor({ id: 1, login: 'x', name }))
  expect([...data.display_name]).toHaveLength(20)
})

test('Lark signs in and binds in the same way [R7.30 R2.73]', async () => {
  const { app, lark } = await larkApp()
  const account = { open_id: 'ou_123', name: '小明' }
  const client = app.client()
  const answer = await comeBack(client, 'lark', lark.codeFor(account, REDIRECT))
  expect(answer).toMatchObject({
    success: true,
    message: '',
    data: { username: expect.stringMatching(/^lark_[0-9a-f]{8}$/), display_name: '小明' },
  })
  expect((await client.get('/api/user/self')).data.lark_id).toBe('ou_123')

  const { client: user } = await makeUser(app)
  const taken = await comeBack(user, 'lark', lark.codeFor(account, REDIRECT))
  expect(taken).toMatchObject(refused('oauth.already_bound', { service: 'Lark' }))
  const bound = await comeBack(user, 'lark', lark.codeFor({ open_id: 'ou_456' }, REDIRECT))
  expect(bound.body).toEqual({ success: true, message: 'bind' })
})

test('Lark, whose app an administrator configures, signs root in only after root has allowed it [R2.77]', async () => {
  const { app, lark } = await larkApp()
  const root = await asRoot(app)
  const account = { open_id: 'ou_root' }
  await comeBack(root, 'lark', lark.codeFor(account, REDIRECT))
  const visitor = app.client()
  const closed = await comeBack(visitor, 'lark', lark.codeFor(account, REDIRECT))
  expect(closed).toMatchObject(refused('oauth.admin_closed'))
  expect(visitor.cookies.has('session')).toBe(false)
  await root.put('/api/user/self', { external_login: true, current_password: '123456' })
  const open = await comeBack(visitor, 'lark', lark.codeFor(account, REDIRECT))
  expect(open.data.id).toBe(1)
})

test('Lark refuses the code or is unreachable', async () => {
  const { app, lark } = await larkApp()
  expect(await comeBack(app.client(), 'lark', 'unknown')).toMatchObject(refused('oauth.refused', { service: 'Lark' }))
  lark.stop()
  expect(await comeBack(app.client(), 'lark', 'code')).toMatchObject(refused('oauth.unreachable', { service: 'Lark' }))
})

test('cleanup removes expired states and codes', async () => {
  const app = await testApp()
  await app.client().get('/api/oauth/state')
  app.clock.pass(601)
  for (const job of app.parts.jobs) if (job.name === 'housekeeping') await job.run()
  expect(await app.db.selectFrom('oauth_states').selectAll().execute()).toEqual([])
})
