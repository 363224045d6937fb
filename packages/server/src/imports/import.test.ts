import { expect, onTestFinished, test } from 'bun:test'
import { importCommand } from '../commands/import.ts'
import { createLog } from '../common/log.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { snapshot } from '../testing/database-snapshot.ts'
import { fakeUpstream } from '../testing/fake-upstream.ts'
import { bcrypt, type Rows, sourceFile } from '../testing/imports/source-files.ts'
import { asRoot, makeUser, signedIn } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

const KEY = 'a'.repeat(48)
const SPENT_KEY = 'b'.repeat(48)
const CODE = 'c'.repeat(32)
const HOUR = 3600

const importInto = async (app: TestApp, path: string, flags: Record<string, string> = { yes: '' }) => {
  const lines: string[] = []
  const print = (line: string) => void lines.push(line)
  await importCommand({ db: app.db, vault: app.vault, clock: app.clock, log: createLog(), print }, path, flags)
  // A running server notices within a second.
  app.clock.pass(2)
  return lines.join('\n')
}

const call = (app: TestApp, key: string, model = 'fixed/7/3') =>
  fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  })

const upstreamOf = () => {
  const upstream = fakeUpstream()
  onTestFinished(() => upstream.stop())
  return upstream
}

/** An account with two keys, a channel, codes, settings and a log. */
async function oneApi(app: TestApp, baseUrl: string): Promise<Rows> {
  const hour = Math.floor(app.clock.now() / 1000 / HOUR) * HOUR - 48 * HOUR
  const entry = { user_id: 7, username: 'anna', token_name: 'prod', channel_id: 5, is_stream: 1, request_id: 'r1' }
  return {
    users: [
      { id: 1, username: 'root', password: await bcrypt('old root password'), role: 100, quota: 5, aff_code: 'aaaa' },
      {
        ...{
          id: 7,
          username: 'anna',
          password: await bcrypt('password of anna'),
          display_name: 'Anna',
          role: 1,
          status: 1,
        },
        ...{ email: 'Anna@Example.com', github_id: '583231', access_token: 'd'.repeat(32), quota: 300_000 },
        ...{ used_quota: 200_000, request_count: 12, group: 'vip', aff_code: 'bbbb', inviter_id: 1 },
      },
      {
        id: 9,
        username: 'banned',
        password: await bcrypt('x'),
        status: 2,
        quota: -40,
        used_quota: 40,
        request_count: 1,
        aff_code: 'cccc',
      },
    ],
    tokens: [
      { id: 1, user_id: 1, key: 'e'.repeat(48), name: 'of root', unlimited_quota: 1 },
      {
        id: 3,
        user_id: 7,
        key: KEY,
        name: 'prod',
        created_time: 5,
        accessed_time: 6,
        remain_quota: 100_000,
        used_quota: 150_000,
      },
      {
        id: 4,
        user_id: 7,
        key: SPENT_KEY,
        name: 'spent',
        status: 4,
        remain_quota: -3,
        models: 'gpt-4o',
        subnet: '10.0.0.0/8',
      },
      { id: 8, user_id: 99, key: 'f'.repeat(48), name: 'of nobody' },
    ],
    channels: [
      {
        id: 5,
        type: 8,
        name: 'up',
        key: 'sk-up',
        base_url: baseUrl,
        models: 'fixed/7/3',
        group: 'default,vip',
        weight: 3,
        priority: 2,
      },
      { id: 6, type: 8, name: 'nowhere', key: 'sk-up', base_url: 'ftp://x', models: 'm' },
    ],
    redemptions: [
      { id: 2, user_id: 1, key: CODE, status: 1, name: 'gift', quota: 1000, created_time: 5 },
      { id: 3, user_id: 1, key: 'x', status: 3, name: 'used', quota: 1000, created_time: 5 },
    ],
    options: [
      { key: 'SystemName', value: 'Old name' },
      { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
      { key: 'RetryTimes', value: 'many' },
      { key: 'OidcClientId', value: 'x' },
    ],
    logs: [
      {
        ...entry,
        id: 1,
        created_at: hour,
        type: 2,
        model_name: 'gpt-4o',
        quota: 70,
        prompt_tokens: 9,
        completion_tokens: 5,
        elapsed_time: 1200,
      },
      {
        ...entry,
        id: 2,
        created_at: hour + 60,
        type: 2,
        model_name: 'gpt-4o',
        quota: 30,
        prompt_tokens: 1,
        completion_tokens: 1,
        elapsed_time: 80,
      },
      { ...entry, id: 3, created_at: hour + 61, type: 1, content: '通过兑换码充值 100', quota: 0, channel_id: 0 },
      {
        ...entry,
        id: 4,
        created_at: hour + 62,
        type: 2,
        user_id: 99,
        username: 'gone',
        model_name: 'gpt-4o',
        quota: 1,
      },
    ],
  }
}

test('accounts of one-api sign in, their keys call, and what they had and spent is theirs, with books that add up', async () => {
  const app = await testApp()
  const upstream = upstreamOf()
  const report = await importInto(app, sourceFile('one-api', await oneApi(app, upstream.url)))

  const client = app.client()
  const login = await client.post('/api/user/login', { username: 'anna', password: 'password of anna' })
  expect(login.data).toMatchObject({ id: 7, username: 'anna', display_name: 'Anna', role: 1, status: 1 })
  const anna = await signedIn(app, 7)
  expect((await anna.get('/api/user/self')).data).toMatchObject({
    ...{ quota: 300_000, used_quota: 200_000, request_count: 12, group: 'vip', email: 'anna@example.com' },
    ...{ github_id: '583231', inviter_id: 1, aff_code: 'bbbb' },
  })
  expect((await app.client({ authorization: 'd'.repeat(32) }).get('/api/user/self')).data.id).toBe(7)
  expect((await anna.get('/api/token/')).data).toEqual([
    expect.objectContaining({
      id: 4,
      key: SPENT_KEY,
      status: 4,
      remain_quota: 0,
      models: 'gpt-4o',
      subnet: '10.0.0.0/8',
    }),
    expect.objectContaining({ id: 3, key: KEY, status: 1, remain_quota: 100_000, used_quota: 150_000, name: 'prod' }),
  ])
  expect(await app.audit()).toEqual([])

  const answer = await call(app, KEY)
  expect([answer.status, upstream.journal.at(-1)?.headers.get('authorization')]).toEqual([200, 'Bearer sk-up'])
  const charge = Number(answer.headers.get('x-tollgate-cost'))
  expect((await anna.get('/api/user/self')).data).toMatchObject({ quota: 300_000 - charge, request_count: 13 })
  expect((await anna.post('/api/user/topup', { key: CODE })).data).toBe(1000)
  expect(await app.audit()).toEqual([])

  const root = await asRoot(app)
  expect((await root.get('/api/channel/5')).data).toMatchObject({
    name: 'up',
    weight: 3,
    priority: 2,
    group: 'default,vip',
  })
  expect(await client.post('/api/user/login', { username: 'banned', password: 'x' })).toMatchObject(
    refused('session.bad_credentials'),
  )
  expect((await client.get('/api/status')).data.system_name).toBe('Old name')
  for (const line of [
    /2 accounts, and 1 that exist here already/,
    /3 keys/,
    /1 channels/,
    /1 codes/,
    /2 settings/,
    /3 log entries/,
    /1 × a key of an account that is not imported: of nobody/,
    /1 × a channel cannot exist here: .*: nowhere/,
    /1 × a code that was used/,
    /1 × a setting whose value is not possible here: RetryTimes/,
    /1 × a setting that does not exist here: OidcClientId/,
    /1 × a log entry of an account that is not imported/,
  ]) {
    expect(report).toMatch(line)
  }
}, 60_000)

test('the imported log is found, and counted like calls of our own', async () => {
  const app = await testApp()
  await importInto(app, sourceFile('one-api', await oneApi(app, 'http://127.0.0.1:9')))
  const root = await asRoot(app)
  const found = (await root.get('/api/log/?p=0&type=2')).data
  expect(found).toEqual([
    expect.objectContaining({
      user_id: 7,
      model_name: 'gpt-4o',
      quota: 30,
      channel: 5,
      request_id: 'r1',
      is_stream: true,
    }),
    expect.objectContaining({
      quota: 70,
      prompt_tokens: 9,
      completion_tokens: 5,
      elapsed_time: 1200,
      token_name: 'prod',
    }),
  ])
  expect((await root.get('/api/log/stat?type=2')).data.quota).toBe(100)
  expect((await root.get('/api/log/stat?type=2&model_name=gpt-4o&username=anna')).data.quota).toBe(100)
})

test('a rehearsal reports the same and changes nothing', async () => {
  const app = await testApp()
  const path = sourceFile('one-api', await oneApi(app, 'http://127.0.0.1:9'))
  const before = await snapshot(app.db)
  const report = await importInto(app, path, {})
  expect(await snapshot(app.db)).toEqual(before)
  expect(report).toStartWith('A rehearsal: nothing is kept.')
  for (const line of [/2 accounts, and 1/, /3 keys/, /1 channels/, /1 codes/, /2 settings/, /of nobody/]) {
    expect(report).toMatch(line)
  }
})

test('a second import adds only what is new, and no log entry twice', async () => {
  const app = await testApp()
  const rows = await oneApi(app, 'http://127.0.0.1:9')
  const path = sourceFile('one-api', rows)
  await importInto(app, path)
  const before = await snapshot(app.db)
  const again = await importInto(app, path)
  expect(await snapshot(app.db)).toEqual(before)
  expect(again).toMatch(/0 accounts, and 3 that exist here already/)
  expect(again).toMatch(/0 log entries/)

  const [entry = {}] = rows.logs ?? []
  const later = { ...rows, logs: [...(rows.logs ?? []), { ...entry, id: 9, quota: 5 }] }
  expect(await importInto(app, sourceFile('one-api', later))).toMatch(/1 log entries/)
  const root = await asRoot(app)
  expect((await root.get('/api/log/stat?type=2')).data.quota).toBe(105)
})

test('an account that exists here keeps its password, its balance and what is unique to it', async () => {
  const app = await testApp()
  const own = await makeUser(app, { username: 'anna', quota: 5, email: 'anna@example.com' })
  const report = await importInto(app, sourceFile('one-api', await oneApi(app, 'http://127.0.0.1:9')))
  expect(report).toMatch(/1 accounts, and 2 that exist here already/)
  expect((await own.client.get('/api/user/self')).data).toMatchObject({ quota: 5, used_quota: 0, group: 'default' })
  const keys = (await own.client.get('/api/token/')).data.map(({ key }: { key: string }) => key)
  expect(keys).toContain(KEY)
  expect(await app.audit()).toEqual([])
})

test("one-api's channels with their account in two places arrive with both", async () => {
  const app = await testApp()
  const adc = '{"type":"service_account","project_id":"proj","private_key":"a"}'
  const report = await importInto(
    app,
    sourceFile('one-api', {
      users: [{ id: 1, username: 'root', password: 'x', role: 100, aff_code: 'a' }],
      channels: [
        {
          ...{ id: 11, type: 33, name: 'aws', key: 'AK|SK|us-east-1', models: 'claude-3-5-sonnet-20240620' },
          config: '{"region":"us-east-1","ak":"AK","sk":"SK"}',
        },
        {
          ...{ id: 12, type: 42, name: 'vertex', key: `us-central1|proj|${adc}`, models: 'gemini-pro' },
          config: JSON.stringify({ region: 'us-central1', vertex_ai_project_id: 'proj', vertex_ai_adc: adc }),
        },
        { id: 13, type: 37, name: 'cloudflare', key: 'k', models: 'm', config: '{"user_id":"account"}' },
        {
          id: 14,
          type: 3,
          name: 'azure',
          key: 'k',
          models: 'gpt-4o',
          base_url: 'https://a.openai.azure.com',
          other: '',
        },
        { id: 15, type: 18, name: 'spark', key: 'id|secret|key', models: 'SparkDesk-v3.5', other: 'v3.5' },
      ],
    }),
  )
  expect(report).toMatch(/5 channels/)
  const root = await asRoot(app)
  for (const id of [11, 12, 13, 14, 15])
    expect((await root.get(`/api/channel/${id}`)).data).toMatchObject({ status: 1 })
  expect(JSON.parse((await root.get('/api/channel/12')).data.config)).toMatchObject({
    ...{ region: 'us-central1', vertex_ai_project_id: 'proj' },
  })
  expect((await root.get('/api/channel/14')).data.other).toBe('2024-03-01-preview')
})
