import { expect, onTestFinished, test } from 'bun:test'
import { SEARCH_MAX } from '@tollgate/contract'
import type { OnConflictBuilder } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import { smtpServer } from '../testing/outside/smtp-server.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

/*
 * What the web consoles of one-api read in answers (compat.test.ts covers what they send): searches they page through themselves,
 * fields of refusals, log rows, options they parse without checking.
 */

const MATCHES = 13

/** This many of each entity whose name contains the word. */
async function manyOf(app: TestApp, root: Client) {
  for (let n = 0; n < MATCHES; n++) {
    await makeUser(app, { username: `many${n}` })
    await makeChannel(root, { name: `many ${n}` })
    await root.post('/api/token/', { name: `many ${n}` })
    await makeLogs(app, { type: 4, content: `many ${n}`, content_en: `many ${n}` })
  }
  await root.post('/api/redemption/', { name: 'many', quota: 1, count: MATCHES })
}

test('a search without a page returns all matches, with one a page of them, and both the true total', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await manyOf(app, root)
  const searches = ['user', 'channel', 'token', 'redemption', 'log', 'log/self'].map((noun) => `/api/${noun}/search`)
  for (const path of searches) {
    const pages = { [`${path}?keyword=many`]: 13, [`${path}?keyword=many&p=0`]: 10, [`${path}?keyword=many&p=1`]: 3 }
    for (const [asked, rows] of Object.entries(pages)) {
      const { success, data, headers } = await root.get(asked)
      expect({ asked, success, rows: data.length }).toEqual({ asked, success: true, rows })
      expect(headers.get('x-total-count')).toBe(String(MATCHES))
    }
    expect((await root.get(`${path}?keyword=many&p=x`)).data).toHaveLength(10)
  }
}, 30_000)

test('a search without a page is bounded', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  for (let done = 0; done < SEARCH_MAX + 100; done += 100) {
    await root.post('/api/redemption/', { name: 'many', quota: 1, count: 100 })
  }
  const { data, headers } = await root.get('/api/redemption/search?keyword=many')
  expect([data.length, headers.get('x-total-count')]).toEqual([SEARCH_MAX, String(SEARCH_MAX + 100)])
})

test('a channel test returns its time and model whether it passes or fails, and what the model said', async () => {
  const { app, upstream } = await relayFixture()
  const root = await asRoot(app)
  const make = (models: string) => makeChannel(root, { type: 8, base_url: upstream.url, models })
  const passes = await make('gpt-4o-mini')
  const { message, body: passed } = await root.get(`/api/channel/test/${passes.id}`)
  expect(passed).toMatchObject({ success: true, time: expect.any(Number), modelName: 'gpt-4o-mini' })
  expect(message.length).toBeWithin(1, 201)

  const unreachable = await makeChannel(root, { type: 8, base_url: 'http://127.0.0.1:1', models: 'gpt-4o' })
  const failing = [
    [await make('fault/auth'), 'fault/auth'],
    [await make('tts-1'), ''],
    [unreachable, 'gpt-4o'],
    [{ id: 9999 }, ''],
  ] as const
  for (const [{ id }, modelName] of failing) {
    const { body } = await root.get(`/api/channel/test/${id}`)
    expect(body).toMatchObject({ success: false, message: expect.any(String), time: expect.any(Number), modelName })
  }
  const rows = (await root.get('/api/log/?type=5')).data
  expect(rows).toHaveLength(3)
  for (const row of rows) {
    expect(row.request_id).not.toBe('')
    expect(row.elapsed_time).toBeGreaterThanOrEqual(0)
  }
  expect(rows.at(-1).elapsed_time).toBeGreaterThan(0)

  const stateOf = async (id: number) => (await root.get(`/api/channel/${id}`)).data
  expect(await stateOf(passes.id)).toMatchObject({ response_time: expect.any(Number), test_error: null })
  const failed = await stateOf(unreachable.id)
  expect(failed).toMatchObject({
    response_time: 0,
    test_error: { zh: '无法连接目标地址', en: 'The target address cannot be reached' },
  })
  expect(failed.test_time).toBeGreaterThan(0)
})

test('log rows are in the reader’s language, and contain the request id', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  await setOptions(app, { QuotaForNewUser: 5, QuotaForInviter: 5, QuotaForInvitee: 5 })
  const { id } = await makeChannel(root, { type: 8, base_url: 'http://127.0.0.1:1', models: 'gpt-4o' })
  await root.get(`/api/channel/test/${id}`)
  const aff_code = (await root.get('/api/user/aff')).data
  const registration = { username: 'invited', password: 'a long password', aff_code }
  expect(await app.client().post('/api/user/register', registration)).toMatchObject({ success: true })
  const [user] = (await root.get('/api/user/search?keyword=invited')).data
  await root.put('/api/user/', { id: user.id, quota: 77 })
  await root.post('/api/topup', { user_id: user.id, quota: 5 })
  const [key] = (await root.post('/api/redemption/', { name: 'c', quota: 5, count: 1 })).data
  await root.post('/api/user/topup', { key })

  const english = (await root.get('/api/log/', { 'accept-language': 'en' })).data
  expect(english).toHaveLength(7)
  for (const { content, request_id } of english) {
    expect(content).not.toMatch(/\p{Script=Han}/u)
    expect({ content, request_id }).toEqual({ content, request_id: expect.stringMatching(/./) })
  }
  for (const { content } of (await root.get('/api/log/')).data) expect(content).toMatch(/\p{Script=Han}/u)
})

test('sign-in through OpenID Connect is present but off, and cannot be enabled', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const status = (await app.client().get('/api/status')).data
  expect(status).toMatchObject({
    ...{ oidc: false, oidc_client_id: '', oidc_well_known: '', oidc_authorization_endpoint: '' },
    ...{ oidc_token_endpoint: '', oidc_userinfo_endpoint: '' },
  })
  const rows: { key: string; value: string }[] = (await root.get('/api/option/')).data
  const values = Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  expect(values).toMatchObject({
    ...{ OidcEnabled: 'false', OidcClientId: '', OidcWellKnown: '', OidcAuthorizationEndpoint: '' },
    ...{ OidcTokenEndpoint: '', OidcUserinfoEndpoint: '' },
  })
  // Their form sends what it shows; only a value that would have an effect is refused.
  for (const key of ['OidcClientId', 'OidcClientSecret', 'OidcWellKnown', 'OidcTokenEndpoint']) {
    expect(await root.put('/api/option/', { key, value: '' })).toMatchObject({ status: 200, success: true })
    const refused = await root.put('/api/option/', { key, value: 'x' })
    expect(refused).toMatchObject({ status: 200, success: false, message: expect.stringContaining('OIDC') })
  }
  expect(await root.put('/api/option/', { key: 'OidcEnabled', value: 'false' })).toMatchObject({ success: true })
  expect(await root.put('/api/option/', { key: 'OidcEnabled', value: 'true' })).toMatchObject({ success: false })
})

test('an empty table of ratios reads as one, also if an empty text is stored', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const optionOf = async (key: string) =>
    (await root.get('/api/option/')).data.find((row: { key: string }) => row.key === key)?.value
  const stored = (key: string) => app.db.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst()
  for (const key of ['ModelRatio', 'CompletionRatio']) {
    for (const value of ['', '  \n', '{}']) {
      expect(await root.put('/api/option/', { key, value })).toMatchObject({ success: true })
      expect([await optionOf(key), (await stored(key))?.value]).toEqual(['{}', '{}'])
    }
  }
  expect(await root.put('/api/option/', { key: 'GroupRatio', value: '' })).toMatchObject({ success: false })
  for (const key of ['ModelRatio', 'CompletionRatio', 'GroupRatio']) {
    await app.db.insertInto('options').values({ key, value: '' }).onConflict(blanked).execute()
    app.clock.pass(2)
    expect(await optionOf(key)).toBe('{}')
  }
})

const blanked = (conflict: OnConflictBuilder<Schema, 'options'>) => conflict.column('key').doUpdateSet({ value: '' })

test('a rate-limit refusal is an envelope that they can show', async () => {
  const app = await testApp({ limits: { api: 5, critical: 5 } })
  const visitor = app.client()
  const { client } = await makeAdmin(app)
  const answers = []
  for (let n = 0; n < 6; n++) answers.push(await visitor.get('/api/status'), await client.get('/api/user/self'))
  for (const { status, body, headers } of answers.slice(-2)) {
    expect({ status, body }).toEqual({ status: 429, body: { success: false, message: '请求过于频繁，请稍后再试' } })
    expect(headers.get('content-type')).toStartWith('application/json')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

test('a mail that cannot be sent tells administrators why, users only that it failed, and nobody the password', async () => {
  const app = await testApp()
  const mailbox = await smtpServer({ account: 'mailer@example.com', token: 'the right one' })
  onTestFinished(() => mailbox.stop())
  await setOptions(app, {
    ...{ SMTPServer: '127.0.0.1', SMTPPort: mailbox.port, SMTPAccount: 'mailer@example.com', SMTPToken: 'a-wrong-one' },
    SMTPFrom: 'mailer@example.com',
  })
  const { client: user } = await makeUser(app)
  const { client: admin } = await makeAdmin(app)
  const plain = '邮件发送失败，请稍后再试'
  for (const [client, message] of [
    [app.client(), plain],
    [user, plain],
    [admin, `邮件发送失败：127.0.0.1:${mailbox.port}: EAUTH 535`],
  ] as const) {
    const { success, message: shown } = await client.get(`/api/verification?email=to${message.length}@example.com`)
    expect({ success, shown }).toEqual({ success: false, shown: message })
    app.clock.pass(60)
  }
  const { data } = await admin.get('/api/log/?type=4', { 'accept-language': 'en' })
  expect(data[0].content).toBe(`A mail could not be sent: 127.0.0.1:${mailbox.port}: EAUTH 535`)
  expect(app.lines.join('\n')).toContain('EAUTH 535')
  expect(app.lines.join('\n') + JSON.stringify(data)).not.toContain('a-wrong-one')
})
