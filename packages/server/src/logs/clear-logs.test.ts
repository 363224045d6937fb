import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'

test('clearing removes entries older than the given second, returns how many, and is recorded [R7.36]', async () => {
  const app = await testApp()
  const { client, username } = await makeAdmin(app)
  await makeLogs(app, { created_at: 100 }, { created_at: 199 }, { created_at: 200 }, { created_at: 300 })
  const { status, success, data } = await client.delete('/api/log/?target_timestamp=200')
  expect({ status, success, data }).toEqual({ status: 200, success: true, data: 2 })
  const left = (await client.get('/api/log/')).data.map(({ created_at }: { created_at: number }) => created_at)
  expect(left).toEqual([300, 200])
  expect((await client.delete('/api/log?target_timestamp=200')).data).toBe(0)

  const events = (await client.get('/api/audit?target=log')).data
  expect(events).toMatchObject([
    { action: 'log.clear', actor_name: username, after: { before: 200, removed: 0 } },
    { action: 'log.clear', actor_name: username, after: { before: 200, removed: 2 } },
  ])
})

test('clearing continues when the caller has disconnected, in steps beside other calls, and its result is recorded', async () => {
  const app = await testApp()
  const { client, username } = await makeAdmin(app)
  await makeLogs(app, { created_at: 100, quota: 5 }, { created_at: 300, content: 'kept' })
  await multiply(app, 100, 14)
  const leaves = new AbortController()
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const call = fetch(`${app.url}/api/log/?target_timestamp=200`, {
    ...{ method: 'DELETE', headers: { cookie }, signal: leaves.signal },
  })
  // Some are gone, and most still exist: the server answers others while it deletes.
  const before = await countLogs(app)
  while ((await countLogs(app)) === before) await new Promise((resolve) => setImmediate(resolve))
  leaves.abort()
  await expect(call).rejects.toThrow()
  expect((await client.get('/api/log/?type=2')).success).toBe(true)
  expect(JSON.parse(await app.logged('The log was cleared'))).toMatchObject({
    before: 200,
    removed: 16_384,
    by: username,
  })
  expect(await countLogs(app)).toBe(1)
  const stat = (await client.get('/api/log/stat')).data
  expect(stat).toEqual({ quota: 5, rounded: false })
  expect((await client.get('/api/audit?target=log')).data).toMatchObject([{ after: { before: 200, removed: 16_384 } }])
}, 30_000)

test('clearing without a valid time removes nothing and says what is missing [R7.36]', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  await makeLogs(app, { created_at: 100 })
  // Older forms send a cleared field as 0 or NaN.
  for (const query of [
    '',
    '?target_timestamp=',
    '?target_timestamp=0',
    '?target_timestamp=NaN',
    '?target_timestamp=-5',
  ]) {
    const refused = await client.delete(`/api/log/${query}`)
    expect(refused).toMatchObject({ status: 200, success: false })
    expect(refused.message).toContain('请指定清理的目标时间')
  }
  for (const value of ['1.5', 'tomorrow', '99999999999999999999', '1e300']) {
    expect((await client.delete(`/api/log/?target_timestamp=${value}`)).success).toBe(false)
  }
  expect((await client.get('/api/log/')).data).toHaveLength(1)
  const user = await makeUser(app)
  expect((await user.client.delete('/api/log/?target_timestamp=999')).success).toBe(false)
  expect((await client.get('/api/log/')).data).toHaveLength(1)
})

test('entries older than the retention are removed automatically, however many; the figures stay, and 0 keeps everything', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const now = Math.floor(app.clock.now() / 1000)
  const old = now - 7 * 86_400 - 1
  await makeLogs(app, { created_at: old, quota: 5 }, { created_at: old + 1, quota: 7, content: 'kept' })
  await multiply(app, old, 11)
  const total = async () => (await client.get('/api/log/')).headers.get('x-total-count')
  const retention = app.parts.jobs.find(({ name }) => name === 'log retention')
  await retention?.run()
  expect(await total()).toBe('2049')
  await client.put('/api/option/', { key: 'LogRetentionDays', value: '7' })
  await retention?.run()
  const left = (await client.get('/api/log/?type=2')).data.map(({ content }: { content: string }) => content)
  expect(left).toEqual(['kept'])
  expect((await client.get('/api/log/stat')).data).toEqual({ quota: 12, rounded: false })
}, 30_000)

/** Doubles the entries of a second this many times. The figures do not include the copies. */
async function multiply(app: TestApp, created_at: number, times: number) {
  for (let doubled = 0; doubled < times; doubled++) {
    await app.db
      .insertInto('logs')
      .columns(COLUMNS)
      .expression((query) => query.selectFrom('logs').select(COLUMNS).where('created_at', '=', created_at))
      .execute()
  }
}

async function countLogs(app: TestApp) {
  const consumed = app.db.selectFrom('logs').where('type', '=', 2)
  const { count } = await consumed.select((column) => column.fn.countAll().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

const COLUMNS = [
  ...(['user_id', 'created_at', 'type', 'channel', 'username', 'token_name', 'model_name'] as const),
  ...(['prompt_tokens', 'completion_tokens', 'quota', 'content', 'content_en'] as const),
]
