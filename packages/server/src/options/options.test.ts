import { expect, test } from 'bun:test'
import { OPTIONS } from '@tollgate/contract'
import { testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeAdmin } from '../testing/makers.ts'

const valuesOf = async (client: Client): Promise<Record<string, string>> => {
  const { data } = await client.get('/api/option/')
  return Object.fromEntries(data.map(({ key, value }: { key: string; value: string }) => [key, value]))
}

/** The options of the specification and their defaults. */
const SYSTEM = {
  PasswordLoginEnabled: 'true',
  PasswordRegisterEnabled: 'true',
  RegisterEnabled: 'true',
  EmailVerificationEnabled: 'false',
  EmailDomainRestrictionEnabled: 'false',
  EmailDomainWhitelist: 'gmail.com,163.com,126.com,qq.com,outlook.com,hotmail.com,icloud.com,yahoo.com,foxmail.com',
  GitHubOAuthEnabled: 'false',
  GitHubClientId: '',
  LarkClientId: '',
  SMTPServer: '',
  SMTPPort: '587',
  SMTPAccount: '',
  SMTPFrom: '',
  ServerAddress: '',
  WeChatAuthEnabled: 'false',
  WeChatServerAddress: '',
  WeChatAccountQRCodeImageURL: '',
  MessagePusherAddress: '',
  TurnstileCheckEnabled: 'false',
  TurnstileSiteKey: '',
}
const OTHER = {
  Notice: '',
  About: '',
  SystemName: 'Tollgate',
  Logo: '',
  HomePageContent: '',
  Theme: 'auto',
  DefaultLocale: 'zh',
  Footer: '',
}
const OPERATION = {
  QuotaForNewUser: '0',
  QuotaForInviter: '0',
  QuotaForInvitee: '0',
  QuotaRemindThreshold: '1000',
  PreConsumedQuota: '500',
  ModelRatio: '{}',
  CompletionRatio: '{}',
  GroupRatio: '{"default":1,"vip":1,"svip":1}',
  TopUpLink: '',
  ChatLink: '',
  QuotaPerUnit: '500000',
  AutomaticDisableChannelEnabled: 'false',
  AutomaticEnableChannelEnabled: 'false',
  ChannelDisableThreshold: '5',
  ModelListCheckEnabled: 'false',
  LogConsumeEnabled: 'true',
  DisplayInCurrencyEnabled: 'true',
  DisplayTokenStatEnabled: 'true',
  ApproximateTokenEnabled: 'false',
  RetryTimes: '0',
}
const SECRETS = [
  'GitHubClientSecret',
  'LarkClientSecret',
  'SMTPToken',
  'WeChatServerToken',
  'MessagePusherToken',
  'TurnstileSecretKey',
]

test('every option of the specification is there with its default, and belongs to its tab [R3.20 R3.21 R3.22 R3.23 R7.33]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const { status, success, data, body } = await client.get('/api/option/')
  expect({ status, success }).toEqual({ status: 200, success: true })
  for (const entry of data) expect(entry).toEqual({ key: expect.any(String), value: expect.any(String) })
  expect(await valuesOf(client)).toMatchObject({ ...SYSTEM, ...OTHER, ...OPERATION })
  expect(body.secrets_set).toEqual([])

  const tabOf = (key: string) => Object.entries(OPTIONS).find(([name]) => name === key)?.[1].tab
  for (const key of [...Object.keys(SYSTEM), ...SECRETS]) expect([key, tabOf(key)]).toEqual([key, 'system'])
  for (const key of Object.keys(OTHER)) expect([key, tabOf(key)]).toEqual([key, 'other'])
  for (const key of Object.keys(OPERATION)) expect([key, tabOf(key)]).toEqual([key, 'operation'])
})

test('an option is saved as the text it was sent as, and read back by everybody at once [R3.20 R7.34 R2.77]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const root = await asRoot(app)
  const changes = { SystemName: '我的网关', RetryTimes: '3', RegisterEnabled: 'false', Notice: '# 公告\n\n<b>x</b>' }
  for (const [key, value] of Object.entries(changes)) {
    const saved = await client.put('/api/option/', { key, value })
    expect(saved).toMatchObject({ status: 200, success: true, message: '' })
  }
  expect(await valuesOf(root)).toMatchObject(changes)
  const { data: status } = await client.get('/api/status')
  expect(status).toMatchObject({ system_name: '我的网关', register: false })
  // Unquoted numbers and booleans are the same texts.
  expect((await client.put('/api/option', { key: 'RetryTimes', value: 4 })).success).toBe(true)
  expect((await client.put('/api/option', { key: 'RegisterEnabled', value: true })).success).toBe(true)
  expect(await valuesOf(root)).toMatchObject({ RetryTimes: '4', RegisterEnabled: 'true' })
})

test('an unknown option is refused by name, in the caller’s language', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const key of ['NoSuchOption', '__proto__', 'constructor', 'toString', '']) {
    const refused = await client.put('/api/option/', { key, value: 'x' })
    expect(refused).toMatchObject({ status: 200, success: false, message: `没有这项设置：${key}` })
  }
  const english = await client.put('/api/option/', { key: 'NoSuchOption', value: 'x' }, { 'accept-language': 'en' })
  expect(english.message).toBe('Unknown setting: NoSuchOption')
  expect(await app.db.selectFrom('options').selectAll().execute()).toEqual([])
})

test('a switch stays off until what it needs is configured', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const put = (key: string, value: string) => client.put('/api/option/', { key, value })
  const needs: [string, [string, string][]][] = [
    ['GitHubOAuthEnabled', [['GitHubClientId', 'client-id']]],
    ['WeChatAuthEnabled', [['WeChatServerAddress', 'https://wechat.example.com']]],
    [
      'TurnstileCheckEnabled',
      [
        ['TurnstileSiteKey', 'site-key'],
        ['TurnstileSecretKey', 'secret-key'],
      ],
    ],
  ]
  for (const [toggle, needed] of needs) {
    for (const [key, value] of needed) {
      expect(await put(toggle, 'true')).toMatchObject({ success: false, message: `请先填写 ${key}` })
      expect((await valuesOf(client))[toggle]).toBe('false')
      await put(key, value)
    }
    expect((await put(toggle, 'true')).success).toBe(true)
  }
  await put('EmailDomainWhitelist', ' , ')
  expect((await put('EmailDomainRestrictionEnabled', 'true')).message).toBe('请先填写 EmailDomainWhitelist')
  await put('EmailDomainWhitelist', 'Example.com, example.com ,sub.example.org')
  expect((await put('EmailDomainRestrictionEnabled', 'true')).success).toBe(true)
  expect(app.parts.options.values().EmailDomainWhitelist).toEqual(['example.com', 'sub.example.org'])
})

test('every change by a person is recorded with before and after', async () => {
  const app = await testApp()
  const { client, username } = await makeAdmin(app)
  await client.put('/api/option/', { key: 'SystemName', value: 'One' })
  await client.put('/api/option/', { key: 'SystemName', value: 'Two' })
  await client.put('/api/option/', { key: 'Notice', value: 'x'.repeat(5000) })
  await client.put('/api/option/', { key: 'SystemName', value: 'y'.repeat(65) })
  const { data, headers } = await client.get('/api/audit?target=option')
  expect(headers.get('x-total-count')).toBe('3')
  expect(data[0].after.value).toBe(`${'x'.repeat(2000)}…`)
  expect(data[1]).toMatchObject({
    action: 'option.update',
    target: 'option:SystemName',
    actor_name: username,
    before: { value: 'One' },
    after: { value: 'Two' },
    ip: '127.0.0.1',
  })
})

test('saving what is already set is no change: nothing is recorded', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const long = 'x'.repeat(5000)
  for (const [key, value] of [
    ['SystemName', 'One'],
    ['SystemName', 'One'],
    ['Notice', `${long}1`],
    ['Notice', `${long}2`],
    ['Notice', `${long}2`],
    ['SMTPToken', 'secret'],
    ['SMTPToken', 'secret'],
  ])
    expect(await client.put('/api/option/', { key, value })).toMatchObject({ success: true })
  const { data } = await client.get('/api/audit?target=option')
  const targets = (data as { target: string }[]).map(({ target }) => target)
  expect(targets).toEqual(['option:SMTPToken', 'option:Notice', 'option:Notice', 'option:SystemName'])
})

test('concurrent changes of different options all take effect', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const keys = ['QuotaForNewUser', 'QuotaForInviter', 'QuotaForInvitee', 'PreConsumedQuota', 'QuotaRemindThreshold']
  for (let round = 1; round <= 4; round++) {
    const answers = await Promise.all(keys.map((key) => client.put('/api/option/', { key, value: String(round) })))
    expect(answers.every(({ success }) => success)).toBe(true)
    const values = await valuesOf(client)
    for (const key of keys) expect(values[key]).toBe(String(round))
  }
})

test('another node sees a change within a second', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const node = await testApp({ location: app.location })
  const shown = async () => (await node.client().get('/api/status')).data.system_name
  expect(await shown()).toBe('Tollgate')
  await client.put('/api/option/', { key: 'SystemName', value: 'Changed' })
  node.clock.pass(1)
  expect(await shown()).toBe('Changed')
  // A clock that was set back does not freeze the cache.
  await client.put('/api/option/', { key: 'SystemName', value: 'Again' })
  node.clock.pass(-3600)
  expect(await shown()).toBe('Again')
})

test('a stored value that no longer parses reads as its default, with one warning that names it', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const bad = { GroupRatio: '{"default":', QuotaPerUnit: 'much', RegisterEnabled: 'yes', UnknownOfLater: 'x' }
  for (const [key, value] of Object.entries(bad)) await app.db.insertInto('options').values({ key, value }).execute()
  for (let second = 0; second < 3; second++) {
    app.clock.pass(1)
    const { data } = await client.get('/api/status')
    expect(data).toMatchObject({ quota_per_unit: 500_000, register: true })
    expect((await client.get('/api/group/')).data).toEqual(['default', 'vip', 'svip'])
  }
  const warnings = app.lines.filter((line) => line.includes('is not valid; the default is used'))
  for (const key of ['GroupRatio', 'QuotaPerUnit', 'RegisterEnabled']) {
    expect(warnings.filter((line) => line.includes(key))).toHaveLength(1)
  }
  expect(warnings).toHaveLength(3)
  // An invalid value can be seen, and corrected.
  expect((await valuesOf(client)).QuotaPerUnit).toBe('much')
  expect((await client.put('/api/option/', { key: 'QuotaPerUnit', value: '100' })).success).toBe(true)
  expect((await client.get('/api/status')).data.quota_per_unit).toBe(100)
})
