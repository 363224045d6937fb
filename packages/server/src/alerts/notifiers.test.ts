import { expect, onTestFinished, test } from 'bun:test'
import { defaultAddresses } from '../integrations/addresses.ts'
import { makeDestination, pointAt } from '../testing/alert-fixture.ts'
import { testApp } from '../testing/app.ts'
import { linkIn, withMail } from '../testing/mailbox.ts'
import { asRoot, makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import {
  fakeBark,
  fakeDingTalk,
  fakeFeishu,
  fakeSlack,
  fakeTelegram,
  fakeWebhook,
  fakeWeCom,
} from '../testing/outside/fake-alert-services.ts'

async function fixture() {
  const services = {
    feishu: fakeFeishu(),
    signedFeishu: fakeFeishu({ secret: 'feishu-secret-0123' }),
    dingtalk: fakeDingTalk(),
    signedDingTalk: fakeDingTalk({ secret: 'SECdingtalk0123' }),
    wecom: fakeWeCom(),
    telegram: fakeTelegram(),
    slack: fakeSlack(),
    bark: fakeBark(),
    webhook: fakeWebhook(),
  }
  onTestFinished(() => Object.values(services).forEach((service) => void service.stop()))
  const app = await testApp({ outside: { ...defaultAddresses, telegram: services.telegram.url } })
  await setOptions(app, { SystemName: 'Gate & Co', ServerAddress: 'https://gateway.example.com' })
  const root = await asRoot(app)
  const tested = async (fields: Record<string, unknown>) => {
    const id = await makeDestination(root, fields)
    return (await root.post(`/api/alert/destination/test/${id}`)).data
  }
  return { app, root, tested, ...services }
}

test('every service accepts the test message, signed if the group requires it', async () => {
  const { root, tested, ...services } = await fixture()
  const { feishu, signedFeishu, dingtalk, signedDingTalk, wecom, telegram, slack, bark, webhook } = services
  const OK = { sent: true, error: '' }
  expect(await tested({ way: 'feishu', address: feishu.address })).toEqual(OK)
  expect(await tested({ way: 'feishu', address: signedFeishu.address, secret: 'feishu-secret-0123' })).toEqual(OK)
  expect(await tested({ way: 'dingtalk', address: dingtalk.address })).toEqual(OK)
  expect(await tested({ way: 'dingtalk', address: signedDingTalk.address, secret: 'SECdingtalk0123' })).toEqual(OK)
  expect(await tested({ way: 'wecom', address: wecom.address })).toEqual(OK)
  expect(await tested({ way: 'telegram', address: telegram.chat, secret: telegram.token })).toEqual(OK)
  expect(await tested({ way: 'slack', address: slack.address, language: 'en' })).toEqual(OK)
  expect(await tested({ way: 'bark', address: bark.address })).toEqual(OK)
  expect(
    await tested({ way: 'webhook', address: webhook.address, secret: webhook.secret, zone: 'Asia/Tokyo' }),
  ).toEqual(OK)

  for (const { texts } of [feishu, signedFeishu, dingtalk, signedDingTalk, wecom, telegram, bark]) {
    expect(texts).toHaveLength(1)
    expect(texts[0]).toContain('[Gate & Co] 测试告警')
  }
  expect(feishu.texts[0]).toContain('https://gateway.example.com/alert')
  expect(slack.texts[0]).toContain('*[Gate &amp; Co] Test alert*')
  expect(slack.texts[0]).toMatch(/This is a test message, sent at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)/)
  expect(webhook.events).toMatchObject([{ event: 'test', text: expect.stringContaining('(Asia/Tokyo)') }])
  const { data } = await root.get('/api/alert/delivery/?owner=gateway&state=sent')
  expect(data).toHaveLength(9)
  expect(data[0]).toMatchObject({ kind: '', way: 'webhook', destination_name: 'to webhook', attempts: 1, error: '' })
})

test('a refusal is reported with the service’s message, even with status 200, and without secrets', async () => {
  const { app, root, tested, ...services } = await fixture()
  const { signedFeishu, signedDingTalk, wecom, telegram, slack, bark, webhook } = services
  const wrong = 'a-wrong-secret-0123'
  const refusals = [
    await tested({ way: 'feishu', address: signedFeishu.address, secret: wrong }),
    await tested({ way: 'dingtalk', address: signedDingTalk.address, secret: wrong }),
    await tested({ way: 'wecom', address: `${wecom.address}-gone` }),
    await tested({ way: 'telegram', address: '42', secret: telegram.token }),
    await tested({ way: 'telegram', address: telegram.chat, secret: '1:wrong-bot-token-0123456' }),
    await tested({ way: 'slack', address: `${slack.address}-gone` }),
    await tested({ way: 'bark', address: `${bark.address}-gone` }),
    await tested({ way: 'webhook', address: webhook.address, secret: wrong }),
    // Another service answers there.
    await tested({ way: 'wecom', address: `${slack.address}` }),
  ]
  expect(refusals.map(({ sent }) => sent)).toEqual(refusals.map(() => false))
  expect(refusals.map(({ error }) => error)).toEqual([
    '19021: sign match fail or timestamp is not within one hour from current time',
    '310000: sign not match, access_token=***',
    '93000: invalid webhook url',
    'HTTP 400: Bad Request: chat not found',
    'HTTP 401: Unauthorized',
    'HTTP 404: no_service',
    'HTTP 400: failed to get device token: failed to get [***] device token from database',
    'HTTP 401',
    'HTTP 400',
  ])

  const { data: listed } = await root.get('/api/alert/destination/?owner=gateway')
  const { data: deliveries } = await root.get('/api/alert/delivery/?owner=gateway')
  const { data: changes } = await root.get('/api/audit/?target=alert_destination')
  expect(changes.length).toBeGreaterThan(0)
  const rows = await Promise.all([
    app.db.selectFrom('alert_destinations').selectAll().execute(),
    app.db.selectFrom('alert_deliveries').selectAll().execute(),
    app.db.selectFrom('audit_events').selectAll().execute(),
  ])
  const everything = JSON.stringify([listed, deliveries, changes, rows, app.lines])
  const secrets = [wrong, telegram.token, bark.key, signedDingTalk.token, 'wrong-bot-token', 'slack-hook-secret']
  for (const secret of secrets) expect(everything.includes(secret)).toBe(false)
  expect(listed[0]).toMatchObject({
    has_secret: true,
    address_hint: expect.stringMatching(/^127\.0\.0\.1:\d+\/…0001$/),
  })
})

test('a secret in an address is not repeated, neither as it was written nor as it was decoded', async () => {
  const { tested } = await fixture()
  const repeats = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch({ url }) {
      const message = `${url} ${decodeURIComponent(url)}`
      return Response.json({ code: 400, errcode: 400, message, errmsg: message }, { status: 400 })
    },
  })
  onTestFinished(() => void repeats.stop(true))
  for (const way of ['dingtalk', 'wecom', 'feishu', 'slack', 'bark']) {
    const address = `${repeats.url}hook%2B-0123456789/a?access_token=token%2F-0123456789`
    const { sent, error } = await tested({ way, address })
    expect([way, sent, /0123456789/.test(error)]).toEqual([way, false, false])
  }
})

test('mail uses the configured mail server; a user’s mail goes only to the account’s address', async () => {
  const { app, root, tested } = await fixture()
  expect(await tested({ way: 'email', address: 'ops@example.com' })).toEqual({
    sent: false,
    error: '管理员未配置邮件服务',
  })
  const mail = await withMail(app)
  expect(await tested({ way: 'email', address: 'ops@example.com', language: 'en' })).toEqual({ sent: true, error: '' })
  const received = await mail.waitForMail('ops@example.com')
  expect(received.headers.subject).toBe('[Gate & Co] Test alert')
  await tested({ way: 'email', address: 'zh@example.com', language: 'zh' })
  const chinese = await mail.waitForMail('zh@example.com')
  expect(chinese.headers.subject).toBe('【Gate & Co】测试告警')
  expect(chinese.text).toContain('前往查看： https://gateway.example.com/alert')
  expect(linkIn(received).href).toBe('https://gateway.example.com/alert')

  const user = await makeUser(app, { email: 'anna@example.com' })
  const own = { owner: 'own', way: 'email', name: 'mail' }
  const foreign = await user.client.post('/api/alert/destination/', { ...own, address: 'victim@example.com' })
  expect(foreign).toMatchObject({ success: false, body: { field: 'address' } })
  const { data: id } = await user.client.post('/api/alert/destination/', own)
  expect((await user.client.post(`/api/alert/destination/test/${id}`)).data).toEqual({ sent: true, error: '' })
  await mail.waitForMail('anna@example.com')
  await app.db.updateTable('users').set({ email: null }).where('id', '=', user.id).execute()
  const { data } = await user.client.post(`/api/alert/destination/test/${id}`)
  expect(data).toEqual({ sent: false, error: '请先在个人设置中绑定邮箱' })
  expect((await root.get('/api/alert/destination/?owner=gateway')).data).toHaveLength(3)
})

test('an address in a private network is refused unless root allows that destination, and a redirect is not followed', async () => {
  const { app, root, webhook, tested } = await fixture()
  const admin = await makeAdmin(app)
  const user = await makeUser(app)
  const fields = { way: 'webhook', name: 'inside', address: webhook.address, secret: webhook.secret }
  for (const [client, owner] of [
    [admin.client, 'gateway'],
    [admin.client, 'own'],
    [user.client, 'own'],
  ] as const) {
    const allowed = await client.post('/api/alert/destination/', { ...fields, owner, private_allowed: true })
    expect(allowed).toMatchObject({ success: false, body: { field: 'private_allowed' } })
    const sentence = /^目标地址不允许访问：.*超级管理员在通知目标里放行$/
    const saved = await client.post('/api/alert/destination/', { ...fields, owner })
    expect(saved).toMatchObject({
      success: false,
      body: { field: 'address', message: expect.stringMatching(sentence) },
    })
    // What an older version saved, or a name that has moved since, is refused by each delivery.
    const open = await client.post('/api/alert/destination/', {
      ...fields,
      owner,
      address: 'https://elsewhere.invalid/',
    })
    await pointAt(app, open.data, webhook)
    const { data } = await client.post(`/api/alert/destination/test/${open.data}`)
    expect(data.sent).toBe(false)
    // In one language, and with what can be done.
    expect(data.error).toMatch(sentence)
    const moved = { id: open.data, address: 'http://10.0.0.7/hook', secret: webhook.secret }
    expect(await client.put('/api/alert/destination/', moved)).toMatchObject({ body: { field: 'address' } })
  }
  expect(webhook.received).toEqual([])

  // Root's permission is for that address: an administrator may rename the destination, but not point it elsewhere.
  const id = await makeDestination(root, fields)
  const edit = { id, name: 'renamed', private_allowed: true }
  expect((await admin.client.put('/api/alert/destination/', edit)).data).toMatchObject({ name: 'renamed' })
  expect((await root.post(`/api/alert/destination/test/${id}`)).data.sent).toBe(true)
  const moved = { ...edit, address: 'http://127.0.0.1:1/', secret: 'secret-0123' }
  expect((await admin.client.put('/api/alert/destination/', moved)).success).toBe(false)
  expect((await admin.client.put('/api/alert/destination/', { ...edit, address: webhook.address })).success).toBe(false)

  // What nobody may contact is refused to root, too.
  const metadata = { ...fields, owner: 'gateway', private_allowed: true, address: 'http://169.254.169.254/latest' }
  expect(await root.post('/api/alert/destination/', metadata)).toMatchObject({ body: { field: 'address' } })

  const elsewhere = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.redirect(webhook.address, 307) })
  onTestFinished(() => elsewhere.stop(true))
  const { sent, error } = await tested({ way: 'webhook', address: elsewhere.url.href, secret: webhook.secret })
  expect(sent).toBe(false)
  expect(error).toContain('redirect')
  expect(webhook.events).toHaveLength(1)
})

test('a destination’s invalid field is refused by name', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const BAD: [Record<string, unknown>, string][] = [
    [{ way: 'webhook', address: 'https://example.com/' }, 'secret'],
    [{ way: 'webhook', address: 'example.com', secret: 's' }, 'address'],
    [{ way: 'webhook', address: 'ftp://example.com', secret: 's' }, 'address'],
    [{ way: 'slack', address: 'https://user:pass@example.com/' }, 'address'],
    [{ way: 'slack', address: 'https://example.com/', secret: 's' }, 'secret'],
    [{ way: 'bark', address: 'https://example.com/%zz' }, 'address'],
    [{ way: 'email', address: 'nobody' }, 'address'],
    [{ way: 'email', address: 'a@example.com', secret: 's' }, 'secret'],
    [{ way: 'telegram', address: 'my chat', secret: '1:a' }, 'address'],
    [{ way: 'telegram', address: '42' }, 'secret'],
    [{ way: 'telegram', address: '42', secret: '1:a/../../admin?' }, 'secret'],
    [{ way: 'slack', address: 'https://example.com/', zone: 'Mars' }, 'zone'],
    [{ way: 'slack', address: 'https://example.com/', name: '' }, 'name'],
    [{ way: 'fax', address: 'https://example.com/' }, 'way'],
  ]
  for (const [fields, field] of BAD) {
    const answer = await root.post('/api/alert/destination/', { owner: 'gateway', name: 'a', ...fields })
    expect(answer.success).toBe(false)
    expect(answer.body.field).toBe(field)
  }
  expect(await app.db.selectFrom('alert_destinations').select('id').execute()).toEqual([])
})
