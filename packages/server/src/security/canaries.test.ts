import { expect, onTestFinished, test } from 'bun:test'
import { ENDPOINTS } from '@tollgate/contract'
import type { Schema } from '../database/schema.ts'
import { defaultAddresses } from '../integrations/addresses.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { linkIn } from '../testing/mailbox.ts'
import { asRoot, makeAdmin, setOptions } from '../testing/makers.ts'
import { fakeGitHub } from '../testing/outside/fake-github.ts'
import { fakeLark } from '../testing/outside/fake-lark.ts'
import { fakePusher } from '../testing/outside/fake-pusher.ts'
import { fakeTurnstile } from '../testing/outside/fake-turnstile.ts'
import { fakeWeChat } from '../testing/outside/fake-wechat.ts'
import { smtpServer } from '../testing/outside/smtp-server.ts'

/*
 * Recognisable secrets are entered everywhere, and calls of every kind are made, including failing ones. Then none of the secrets is in
 * any answer, log line or column, except where its owner reads it.
 */

const CANARY = {
  SMTPToken: 'canary-smtp-token',
  GitHubClientSecret: 'canary-github-secret',
  LarkClientSecret: 'canary-lark-secret',
  WeChatServerToken: 'canary-wechat-token',
  MessagePusherToken: 'canary-pusher-token',
  TurnstileSecretKey: 'canary-turnstile-secret',
  channelKey: 'sk-canary-channel-key-0123',
  poolKey: 'sk-canary-pool-key-0123',
  channelSecret: 'canary-channel-sk-0123',
  alertAddress: 'canary-alert-address-0123',
  alertSecret: 'canary-alert-secret-0123',
  password: 'canary password',
  newPassword: 'canary password two',
}

/** Services that use the canaries as their own secrets. */
async function outsideWorld() {
  const services = {
    github: fakeGitHub({ clientSecret: CANARY.GitHubClientSecret }),
    lark: fakeLark({ appSecret: CANARY.LarkClientSecret }),
    wechat: fakeWeChat({ token: CANARY.WeChatServerToken }),
    pusher: fakePusher({ token: CANARY.MessagePusherToken }),
    turnstile: fakeTurnstile({ secret: CANARY.TurnstileSecretKey }),
    smtp: await smtpServer({ account: 'gateway', token: CANARY.SMTPToken }),
  }
  onTestFinished(async () => {
    for (const service of Object.values(services)) await service.stop()
  })
  return services
}

/** A client that remembers every answer, except those excluded. */
function remembering(client: Client, answers: string[]) {
  const keep = async (answer: ReturnType<Client['send']>) => {
    const { body, headers, message } = await answer
    answers.push(JSON.stringify({ body, message, headers: [...headers].filter(([name]) => name !== 'set-cookie') }))
    return answer
  }
  return {
    get: (path: string) => keep(client.get(path)),
    post: (path: string, body: unknown) => keep(client.post(path, body)),
    put: (path: string, body: unknown) => keep(client.put(path, body)),
  }
}

/** The tables are read from the database, so that a new one is not forgotten here. */
async function everyColumn(app: TestApp) {
  const tables = (await app.db.introspection.getTables()).map(({ name }) => name).filter(isOurs)
  const rows = await Promise.all(tables.map((name) => app.db.selectFrom(name).selectAll().execute()))
  return { tables, text: JSON.stringify(rows) }
}

const isOurs = (name: string): name is keyof Schema => !name.startsWith('kysely')

/** Every GET of the contract, with and without permission. */
async function readEverything(client: { get(path: string): Promise<unknown> }, without: string[] = []) {
  for (const { name, endpoint } of ENDPOINTS) {
    const { method, path } = endpoint
    if (method !== 'GET' || 'effects' in endpoint || without.some((noun) => name.startsWith(noun))) continue
    for (const id of ['1', '2']) await client.get(path.replace(':id', id))
    await client.get(`${path.replace(':id', '1')}?keyword=canary&p=0&target=&username=canary`)
  }
}

test('no secret is in any answer, log line or column', async () => {
  const outside = await outsideWorld()
  const app = await testApp({
    outside: {
      ...defaultAddresses,
      github: outside.github.url,
      githubApi: outside.github.url,
      lark: outside.lark.url,
      larkPassport: outside.lark.url,
      turnstile: outside.turnstile.url,
    },
  })
  const answers: string[] = []
  const rootClient = await asRoot(app)
  const root = remembering(rootClient, answers)
  const admin = remembering((await makeAdmin(app)).client, answers)

  // Settings, channels, accounts.
  await setOptions(app, {
    SMTPServer: outside.smtp.host,
    SMTPPort: outside.smtp.port,
    SMTPAccount: 'gateway',
    SMTPFrom: 'noreply@tollgate.test',
    SMTPToken: CANARY.SMTPToken,
    GitHubClientId: outside.github.clientId,
    GitHubClientSecret: CANARY.GitHubClientSecret,
    GitHubOAuthEnabled: true,
    LarkClientId: outside.lark.appId,
    LarkClientSecret: CANARY.LarkClientSecret,
    WeChatServerAddress: outside.wechat.url,
    WeChatServerToken: CANARY.WeChatServerToken,
    WeChatAuthEnabled: true,
    MessagePusherAddress: outside.pusher.address,
    MessagePusherToken: CANARY.MessagePusherToken,
    TurnstileSiteKey: 'site',
    TurnstileSecretKey: CANARY.TurnstileSecretKey,
  })
  const plain = { type: 1, name: 'canary', key: CANARY.channelKey, models: 'gpt-4o', group: 'default' }
  expect((await admin.post('/api/channel/', plain)).success).toBe(true)
  expect((await admin.post('/api/channel/1/keys', { key: CANARY.poolKey })).success).toBe(true)
  const config = JSON.stringify({ region: 'eu', ak: 'AKIACANARY', sk: CANARY.channelSecret })
  const aws = { type: 33, name: 'canary aws', key: '', models: 'claude', group: 'default', config }
  expect((await admin.post('/api/channel/', aws)).success).toBe(true)
  await admin.put('/api/channel/', { id: 1, status: 2 })
  const hook = { way: 'webhook', name: 'canary', address: `${outside.pusher.url}/${CANARY.alertAddress}?canary` }
  const destination = { ...hook, owner: 'gateway', secret: CANARY.alertSecret, private_allowed: true }
  expect((await root.post('/api/alert/destination/', destination)).success).toBe(true)
  expect((await admin.post('/api/alert/destination/test/1', {})).success).toBe(true)
  await admin.put('/api/alert/destination/', {
    ...hook,
    id: 1,
    way: undefined,
    address: CANARY.alertAddress,
    secret: CANARY.alertSecret,
  })
  for (const noun of ['rule', 'destination', 'delivery']) await admin.get(`/api/alert/${noun}/?owner=gateway`)
  await root.post('/api/user/', { username: 'canary', password: CANARY.password })

  // Their owners use them.
  const owner = app.client()
  const ownerAnswers = remembering(owner, answers)
  await ownerAnswers.post('/api/user/login', { username: 'canary', password: CANARY.password })
  await ownerAnswers.put('/api/user/self', { password: CANARY.newPassword })
  const { data: accessToken } = await owner.get('/api/user/token')
  const apiKey: string = (await owner.get('/api/token/')).data[0].key
  await app.db.updateTable('users').set({ email: 'canary@example.com' }).where('username', '=', 'canary').execute()
  const visitorClient = app.client()
  const visitor = remembering(visitorClient, answers)
  await visitor.get('/api/reset_password?email=canary@example.com')
  const resetToken = linkIn(await outside.smtp.waitForMail('canary@example.com')).searchParams.get('token') ?? ''
  expect(outside.smtp.logins).toEqual(['gateway'])

  // Every external service is called, and refuses.
  await setOptions(app, { TurnstileCheckEnabled: true })
  await visitor.get('/api/verification?email=a@example.com&turnstile=forged')
  await setOptions(app, { TurnstileCheckEnabled: false, SMTPToken: `${CANARY.SMTPToken}-wrong` })
  await visitor.get('/api/verification?email=a@example.com')
  expect(outside.smtp.logins).toHaveLength(2)
  for (const service of ['github', 'lark']) {
    const { data: state } = await visitorClient.get('/api/oauth/state')
    await visitor.get(`/api/oauth/${service}?code=unknown&state=${state}`)
  }
  await visitor.get('/api/oauth/wechat?code=unknown')
  await setOptions(app, { MessagePusherToken: `${CANARY.MessagePusherToken}-wrong` })
  await app.parts.notifications.tellRoot({ title: 't', description: 'd', content: 'c' })
  await visitor.post('/api/user/login', { username: 'canary', password: `${CANARY.newPassword} wrong` })
  await visitor.post('/api/user/reset', { email: 'canary@example.com', token: `${resetToken}0` })
  await visitor.post('/api/user/register', { username: 1, password: CANARY.newPassword })
  await visitor.post('/api/user/register', { username: 'canary', password: CANARY.newPassword })

  await readEverything(root)
  await readEverything(admin)
  await readEverything(visitor)
  await readEverything(ownerAnswers, ['tokens.'])

  const { tables, text } = await everyColumn(app)
  expect(tables).toEqual(expect.arrayContaining(['users', 'options', 'channels', 'audit_events', 'sessions', 'tokens']))
  expect(text).toContain('canary@example.com')
  const cookies = [owner, rootClient].map(({ cookies }) => cookies.get('session') ?? 'no cookie')
  const secrets = [...Object.values(CANARY), accessToken, apiKey, resetToken, ...cookies]
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(answers.filter((answer) => answer.includes(secret))).toEqual([])
    expect(app.lines.filter((line) => line.includes(secret))).toEqual([])
    expect(text.includes(secret)).toBe(false)
  }
  expect(answers.length).toBeGreaterThan(150)

  // The secrets were really there: what they are for works.
  expect((await app.client({ authorization: accessToken }).get('/api/user/self')).success).toBe(true)
  expect((await visitor.post('/api/user/reset', { email: 'canary@example.com', token: resetToken })).success).toBe(true)
}, 30_000)
