import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import type { Answered } from '../testing/client.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeAdmin, makeUser, PASSWORD } from '../testing/makers.ts'

/*
 * The three web consoles of one-api (called default, berry and air, as they call themselves) keep working against this server. Their
 * requests are replayed as they send them: whole objects echoed back, emptied numbers as null or '', flags of their forms. Answers are
 * checked as they read them: a text is a text, a list is a list.
 */

/** Success, in a form that their interceptors accept. */
function accepted({ status, success, message, data }: Answered) {
  expect({ status, success, message }).toEqual({ status: 200, success: true, message: '' })
  return data
}

/** A refusal that they can show: any status but 200 would lose the message and leave the form waiting. */
function shownRefusal({ status, success, message }: Answered) {
  expect({ status, success }).toEqual({ status: 200, success: false })
  expect(message).not.toBe('')
}

test('the status and the pages have texts where the consoles put texts into local storage [R7.01]', async () => {
  const app = await testApp()
  const visitor = app.client()
  const status = accepted(await visitor.get('/api/status'))
  for (const name of ['system_name', 'logo', 'footer_html', 'chat_link', 'server_address', 'top_up_link', 'version']) {
    expect([name, typeof status[name]]).toEqual([name, 'string'])
  }
  for (const name of ['github_client_id', 'lark_client_id', 'wechat_qrcode', 'turnstile_site_key']) {
    expect(status[name]).toBe('')
  }
  for (const name of ['email_verification', 'github_oauth', 'wechat_login', 'turnstile_check']) {
    expect(status[name]).toBe(false)
  }
  expect(status).toMatchObject({ quota_per_unit: 500_000, display_in_currency: true, start_time: expect.any(Number) })
  for (const page of ['/api/notice', '/api/about', '/api/home_page_content']) {
    expect(accepted(await visitor.get(page))).toBe('')
  }
})

test('registration and login accept what each console sends, and return the user they store [R3.26 R3.27]', async () => {
  const app = await testApp()
  const visitor = app.client()
  const password = PASSWORD
  const registrations: [path: string, body: Record<string, unknown>][] = [
    [
      '/api/user/register?turnstile=',
      { username: 'default1', password, password2: password, email: '', verification_code: '', aff_code: null },
    ],
    ['/api/user/register?turnstile=', { username: 'berry1', password, confirmPassword: password, submit: null }],
    [
      '/api/user/register?turnstile=',
      { username: 'air1', password, password2: password, email: '', verification_code: '', aff_code: '' },
    ],
  ]
  for (const [path, body] of registrations) accepted(await visitor.post(path, body))
  for (const [path, username] of [
    ['/api/user/login', 'default1'],
    ['/api/user/login', 'berry1'],
    ['/api/user/login?turnstile=', 'air1'],
  ]) {
    const client = app.client()
    const user = accepted(await client.post(path ?? '', { username, password }))
    expect(user).toMatchObject({ id: expect.any(Number), username, role: 1, status: 1, display_name: username })
    expect((await client.get('/api/user/self')).data.username).toBe(username)
  }
  shownRefusal(await visitor.post('/api/user/login', { username: 'air1', password: 'wrong' }))
  shownRefusal(await visitor.post('/api/user/register?turnstile=', { username: 'air1', password, password2: password }))
})

test('one’s own account is read without null, and saved by sending all of it back', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const self = accepted(await client.get('/api/user/self'))
  for (const name of ['username', 'display_name', 'email', 'github_id', 'wechat_id', 'lark_id', 'group', 'aff_code']) {
    expect([name, typeof self[name]]).toEqual([name, 'string'])
  }
  const whole = { ...self, display_name: 'Renamed', password: '', access_token: '', verification_code: '', quota: 999 }
  accepted(await client.put('/api/user/self', whole))
  expect((await client.get('/api/user/self')).data).toEqual({ ...self, display_name: 'Renamed' })
  // One console sends only a password, which may be empty.
  accepted(await client.put('/api/user/self', { password: '' }))
  accepted(await client.put('/api/user/self', { password: 'another password' }))
  expect((await client.get('/api/user/self')).data.display_name).toBe('Renamed')
  expect(accepted(await client.get('/api/user/token'))).toBeString()
  expect(accepted(await client.get('/api/user/aff'))).toBeString()
  expect(accepted(await client.get('/api/user/available_models'))).toEqual([])
  expect(accepted(await client.get('/api/user/dashboard'))).toEqual([])
})

test('users are created, edited by sending all of them back, and managed', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  accepted(await client.post('/api/user/', { username: 'plain', display_name: '', password: PASSWORD }))
  const form = { is_edit: false, username: 'berry', display_name: 'B', password: PASSWORD, group: 'default', quota: 0 }
  accepted(await client.post('/api/user/', form))
  const [berry, plain] = accepted(await client.get('/api/user/?p=0&order='))
  expect(plain).toMatchObject({ username: 'plain', display_name: 'plain', group: 'default', quota: 0 })

  const read = accepted(await client.get(`/api/user/${berry.id}`))
  for (const name of ['username', 'display_name', 'group', 'email', 'github_id', 'wechat_id']) {
    expect([name, typeof read[name]]).toEqual([name, 'string'])
  }
  const echoed = { ...read, oidc_id: '', telegram_id: '', access_token: '', verification_code: '', password: '' }
  accepted(await client.put('/api/user/', { ...echoed, display_name: 'One', quota: 700 }))
  accepted(await client.put('/api/user/', { ...echoed, display_name: 'Two', quota: null }))
  accepted(await client.put('/api/user/', { ...echoed, display_name: 'Three', quota: '', is_edit: true }))
  expect((await client.get(`/api/user/${berry.id}`)).data).toEqual({ ...read, display_name: 'Three', quota: 700 })
  shownRefusal(await client.put('/api/user/', { ...echoed, quota: 12.5, is_edit: true }))

  const manage = (action: string) => client.post('/api/user/manage', { username: 'berry', action })
  expect(accepted(await manage('disable'))).toEqual({ role: 1, status: 2 })
  expect(accepted(await manage('enable'))).toEqual({ role: 1, status: 1 })
  expect(accepted(await manage('promote'))).toEqual({ role: 10, status: 1 })
  expect(accepted(await manage('demote'))).toEqual({ role: 1, status: 1 })
  accepted(await manage('delete'))
  expect(accepted(await client.get('/api/user/search?keyword=berry'))).toEqual([])
})

test('options are a list of texts in which everything parses, and each save is one text', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const list = accepted(await client.get('/api/option/'))
  const values = Object.fromEntries(list.map(({ key, value }: { key: string; value: string }) => [key, value]))
  for (const [key, value] of Object.entries(values)) {
    expect([key, typeof value]).toEqual([key, 'string'])
    if (key.endsWith('Enabled')) expect(['true', 'false']).toContain(value as string)
  }
  for (const key of ['ModelRatio', 'CompletionRatio', 'GroupRatio']) expect(JSON.parse(values[key])).toBeObject()
  expect(values.EmailDomainWhitelist.split(',').length).toBeGreaterThan(1)
  for (const hidden of ['SMTPToken', 'GitHubClientSecret', 'TurnstileSecretKey'])
    expect(values).not.toHaveProperty(hidden)

  const saves: [string, unknown][] = [
    ['QuotaForNewUser', '500000'],
    ['QuotaPerUnit', '0.01'],
    ['RetryTimes', 0],
    ['ModelRatio', '{\n  "gpt-4o": 1.25,\n  "o3": 1\n}'],
    ['EmailDomainWhitelist', ''],
    ['RegisterEnabled', 'false'],
    ['TopUpLink', ''],
    ['Theme', 'berry'],
    ['MessagePusherAddress', 'h'],
  ]
  for (const [key, value] of saves.slice(0, -1)) accepted(await client.put('/api/option/', { key, value }))
  // One field is saved at every keystroke; an incomplete address is refused, and the error shown.
  const [key, value] = saves.at(-1) ?? []
  shownRefusal(await client.put('/api/option/', { key, value }))
  shownRefusal(await client.put('/api/option/', { key: 'OidcEnabled', value: 'true' }))
})

const CONFIG = { region: '', sk: '', ak: '', user_id: '', vertex_ai_project_id: '', vertex_ai_adc: '' }

test('channels are created by each form, with its flags and leftovers', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const common = { name: 'c', type: 1, key: 'sk-upstream-key-1234', base_url: '', other: '', model_mapping: '' }
  const lists = { models: 'gpt-4o,o3', groups: ['default', 'vip'], group: 'default,vip' }
  const forms: Record<string, unknown>[] = [
    { ...common, ...lists, config: JSON.stringify(CONFIG), system_prompt: '' },
    { ...common, ...lists, is_edit: false, config: '{}' },
    { ...common, ...lists, is_edit: false },
    { ...common, ...lists, openai_organization: '', auto_ban: 1 },
    {
      ...common,
      ...lists,
      type: 3,
      base_url: 'https://x.openai.azure.com/',
      other: '2023-09-01-preview',
      is_edit: false,
    },
    { ...common, ...lists, type: 33, key: 'AKIAEXAMPLE|secret|us-east-1', config: JSON.stringify(CONFIG) },
  ]
  for (const form of forms) accepted(await client.post('/api/channel/', form))
  accepted(await client.post('/api/channel/', { ...forms[0], key: 'sk-one-1234567\nsk-two-1234567\n' }))

  const rows = accepted(await client.get('/api/channel/?p=0&page_size=100&id_sort=true'))
  expect(rows).toHaveLength(8)
  for (const row of rows) {
    for (const name of ['name', 'group', 'models', 'key', 'other', 'base_url', 'model_mapping', 'config']) {
      expect([name, typeof row[name]]).toEqual([name, 'string'])
    }
    for (const name of [
      'id',
      'type',
      'status',
      'priority',
      'weight',
      'response_time',
      'test_time',
      'balance',
      'used_quota',
    ]) {
      expect([name, typeof row[name]]).toEqual([name, 'number'])
    }
    expect(row.group.split(',')).toEqual(['default', 'vip'])
    expect(JSON.parse(row.config)).toMatchObject({ ak: '', sk: '', vertex_ai_adc: '' })
  }
  shownRefusal(await client.post('/api/channel/', { ...forms[0], key: '' }))
})

test('a channel is saved by sending all of it back, and its key survives every form', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const fields = { name: 'c', type: 33, key: '', models: 'm', group: 'default', base_url: 'https://aws.example.com' }
  const config = JSON.stringify({ ...CONFIG, ak: 'AKIAEXAMPLE12345', sk: 'secret', region: 'us-east-1' })
  const [{ id }] = accepted(await client.post('/api/channel/', { ...fields, config, groups: ['default'] }))
  const read = accepted(await client.get(`/api/channel/${id}`))
  expect(JSON.parse(read.config)).toEqual({ ...CONFIG, region: 'us-east-1' })

  const groups = ['default']
  const echoes: Record<string, unknown>[] = [
    { ...read, groups, key: '' },
    { ...read, groups, key: '', is_edit: true, weight: null, priority: null, base_url: null, other: null },
    { ...read, groups, key: '', auto_ban: 1, openai_organization: '', model_mapping: 'null' },
    // A console that finds no parts in the config joins undefined values.
    { ...read, groups, key: 'undefined|undefined|undefined' },
    { ...read, groups, key: '', config: JSON.stringify({ ...CONFIG, region: 'us-east-1' }), system_prompt: '' },
  ]
  for (const echo of echoes) {
    expect(accepted(await client.put('/api/channel/', { ...echo, name: 'renamed' }))).toEqual({
      ...read,
      name: 'renamed',
    })
  }
  // Emptied as a nested text, the config is empty; the secrets are kept.
  const emptied = accepted(await client.put('/api/channel/', { ...read, groups, key: '', config: '""' }))
  expect(emptied).toMatchObject({ key_hint: '2345', config_secrets: ['ak', 'sk'] })

  for (const status of [2, 1]) expect(accepted(await client.put('/api/channel/', { id, status })).status).toBe(status)
  // A change of the priority must return the actual status, or the row would flip.
  expect(accepted(await client.put('/api/channel/', { id, priority: -5 }))).toMatchObject({ status: 1, priority: -5 })
  expect(accepted(await client.put('/api/channel/', { id, priority: null }))).toMatchObject({ priority: -5 })
  expect(accepted(await client.put('/api/channel/', { id, weight: 3 }))).toMatchObject({ status: 1, weight: 3 })
  accepted(await client.get('/api/channel/search?keyword=c&group=&model='))
  accepted(await client.delete(`/api/channel/${id}/`))
  expect(accepted(await client.delete('/api/channel/disabled'))).toBe(0)
})

test('the other lists of the channel forms exist in the format they map over', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  for (const { id, owned_by } of (await client.get('/api/channel/models')).data) {
    expect([typeof id, typeof owned_by]).toEqual(['string', 'string'])
  }
  for (const models of Object.values(accepted(await client.get('/api/models')))) expect(models).toBeArray()
  expect(accepted(await client.get('/api/group/'))).toEqual(['default', 'vip', 'svip'])
  // Calls of one console that its own server never had.
  for (const path of ['/api/channel/batch', '/api/channel/fix', '/api/user/pay']) {
    expect(await client.post(path, {})).toMatchObject({ status: 404, success: false })
  }
})

test('tokens are created, saved by sending all of them back, and switched', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const common = { name: 't', remain_quota: 500_000, expired_time: -1, unlimited_quota: false }
  const forms: Record<string, unknown>[] = [
    { ...common, models: 'gpt-4o,o3', subnet: '' },
    { ...common },
    { ...common, remain_quota: null, unlimited_quota: true, models: '', subnet: '' },
    { ...common, is_edit: false, subnet: '10.0.0.0/8', models: '' },
    { ...common, model_limits_enabled: false, model_limits: [] },
    { ...common, name: 't-a1B2c3', model_limits_enabled: false, model_limits: '' },
  ]
  for (const form of forms) accepted(await client.post('/api/token/', form))
  const rows = accepted(await client.get('/api/token/?p=0&size=100&order='))
  expect(rows).toHaveLength(7)
  for (const row of rows) {
    expect(row.key).toMatch(/^[A-Za-z0-9]{48}$/)
    expect([typeof row.models, typeof row.subnet, typeof row.unlimited_quota]).toEqual(['string', 'string', 'boolean'])
  }
  const [first] = rows
  const read = accepted(await client.get(`/api/token/${first.id}`))
  const echoes: Record<string, unknown>[] = [
    { ...read, models: read.models, subnet: read.subnet },
    { ...read, is_edit: true },
    { ...read, models: null, subnet: null, model_limits_enabled: false, model_limits: '' },
  ]
  for (const echo of echoes) {
    const saved = accepted(await client.put('/api/token/', { ...echo, name: 'renamed', remain_quota: 7 }))
    expect(saved).toEqual({ ...read, name: 'renamed', remain_quota: 7 })
  }
  for (const status of [2, 1]) {
    const answer = accepted(await client.put('/api/token/?status_only=true', { id: read.id, status }))
    expect(answer).toMatchObject({ status, name: 'renamed' })
  }
  expect(accepted(await client.get('/api/token/search?keyword=renamed&token='))).toHaveLength(1)
  accepted(await client.delete(`/api/token/${read.id}/`))
  shownRefusal(await client.post('/api/token/', { ...common, name: 'x'.repeat(31) }))
})

test('codes are created, saved by sending all of them back, switched and redeemed', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  expect(accepted(await client.post('/api/redemption/', { name: 'a', quota: 100_000, count: 2 }))).toHaveLength(2)
  const berry = { is_edit: false, name: 'b', quota: 5, count: '' }
  const [key] = accepted(await client.post('/api/redemption/', berry))
  accepted(await client.post('/api/redemption/', { name: 'c', quota: null, count: null }))
  shownRefusal(await client.post('/api/redemption/', { ...berry, quota: 2.5, count: 1 }))

  const rows = accepted(await client.get('/api/redemption/?p=0'))
  const row = rows.find(({ name }: { name: string }) => name === 'b')
  expect(row).toMatchObject({ key, quota: 5, status: 1, redeemed_time: 0, created_time: expect.any(Number) })
  const read = accepted(await client.get(`/api/redemption/${row.id}`))
  for (const echo of [
    { ...read, count: null },
    { ...read, is_edit: true },
  ]) {
    const saved = accepted(await client.put('/api/redemption/', { ...echo, name: 'bb', quota: 6 }))
    expect(saved).toEqual({ ...read, name: 'bb', quota: 6 })
  }
  for (const status of [2, 1]) {
    const sent = { id: read.id, status }
    expect(accepted(await client.put('/api/redemption/?status_only=true', sent)).status).toBe(status)
  }
  // The page adds the number to the balance; a text would be appended.
  expect(accepted(await client.post('/api/user/topup', { key }))).toBe(6)
  shownRefusal(await client.post('/api/user/topup', { key }))
  accepted(await client.delete(`/api/redemption/${read.id}/`))
})

test('log rows have texts where the tables loop over texts, and the sums are numbers', async () => {
  const app = await testApp()
  const { client, id, username } = await makeAdmin(app)
  await makeLogs(app, { user_id: id, username, type: 2, quota: 3 }, { user_id: id, username, type: 4 })
  const end = app.clock.now() / 1000 + 3600
  const pages = [
    `/api/log/?p=0&type=0&username=&token_name=&model_name=&start_timestamp=0&end_timestamp=${end}&channel=`,
    '/api/log/?p=0&page_size=10&type=[object%20Object]&username=&token_name=&model_name=&start_timestamp=NaN&end_timestamp=NaN&channel=',
    `/api/log/self/?p=0&type=0&token_name=&model_name=&start_timestamp=0&end_timestamp=${end}`,
  ]
  for (const page of pages) {
    const rows = accepted(await client.get(page))
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      for (const name of ['username', 'token_name', 'model_name', 'content']) {
        expect([name, typeof row[name]]).toEqual([name, 'string'])
      }
      for (const name of ['id', 'created_at', 'type', 'channel', 'quota', 'prompt_tokens', 'completion_tokens']) {
        expect([name, typeof row[name]]).toEqual([name, 'number'])
      }
    }
  }
  const filter = 'type=0&token_name=&model_name=&start_timestamp=0&end_timestamp=NaN'
  expect(accepted(await client.get(`/api/log/stat?${filter}&username=&channel=`)).quota).toBe(3)
  expect(accepted(await client.get(`/api/log/self/stat?${filter}`)).quota).toBe(3)
  shownRefusal(await client.delete('/api/log/?target_timestamp=NaN'))
  expect(accepted(await client.delete('/api/log/?target_timestamp=2000'))).toBe(2)
})

test('a list past its end is an empty list, never null', async () => {
  const app = await testApp()
  const client = await asRoot(app)
  const lists = ['/api/user/', '/api/token/', '/api/channel/', '/api/redemption/', '/api/log/', '/api/log/self/']
  for (const list of lists) expect(accepted(await client.get(`${list}?p=50`))).toEqual([])
})
