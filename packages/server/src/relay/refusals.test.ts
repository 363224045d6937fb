import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { parseDetail } from '../logs/call-detail.ts'
import type { TestApp } from '../testing/app.ts'
import { createFaults } from '../testing/failing-database.ts'
import { atOnce, setLimits } from '../testing/limit-makers.ts'
import { makeUser } from '../testing/makers.ts'
import { keyOf, MESSAGES, relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf } from '../testing/token-makers.ts'

/** The entries of calls without a channel, oldest first. */
const refusedRows = async ({ db, parts }: TestApp) => {
  await parts.refusedCalls.flush()
  const rows = await db
    .selectFrom('logs')
    .selectAll()
    .where('type', '=', 6)
    .where('channel', '=', 0)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, detail: parseDetail(row.detail) }))
}

const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''

const messageIn = async (response: Response) =>
  String((await response.json()).error.message).replace(/ \(request id.*/, '')

test('a call for an unknown model is logged under its request id, with the caller’s error', async () => {
  const { app, chat, payer, root, account } = await relayFixture()
  const before = await account()
  const response = await chat('no-such-model', { stream: true })
  expect(response.status).toBe(404)
  const [row] = await refusedRows(app)
  expect(row).toMatchObject({
    ...{ user_id: payer.id, username: payer.username, token_name: 'default', model_name: 'no-such-model' },
    ...{ type: 6, channel: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0, is_stream: 1, outcome: 'client_error' },
    ...{ request_id: idOf(response), content_en: await messageIn(response) },
    detail: { status: 404, code: 'relay.unknown_model' },
  })
  expect(row?.content).toContain('模型 no-such-model 不存在')
  for (const [client, path] of [
    [root, '/api/log/'],
    [payer.client, '/api/log/self'],
  ] as const) {
    const { data } = await client.get(`${path}?request_id=${idOf(response)}`)
    expect(data).toMatchObject([{ type: 6, quota: 0, channel: 0, model_name: 'no-such-model' }])
  }
  expect(await account()).toEqual(before)
  const { data: sum } = await root.get('/api/log/stat')
  expect(sum.quota).toBe(0)
  const { data: usage } = await payer.client.get('/api/user/dashboard')
  expect(usage).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('refused calls are counted in the figures each time, and invented names are not counted as models', async () => {
  const { app, chat, channel, payer, root } = await relayFixture({ quota: 0 })
  await channel('a-model')
  for (let call = 0; call < 3; call++) expect((await chat('a-model')).status).toBe(429)
  for (let call = 0; call < 30; call++) expect((await chat(`made-up-${call}`)).status).toBe(404)
  await refusedRows(app)
  // The same again: the entry exists, and only its count grows.
  expect((await chat('a-model')).status).toBe(429)
  const rows = await refusedRows(app)
  expect(rows.reduce((sum, { detail }) => sum + (detail.count ?? 1), 0)).toBe(34)

  const now = nowOf(app)
  const usage = async (by: string) => {
    const range = `start=${now - (now % 86_400)}&end=${now - (now % 86_400) + 86_400}`
    return (await root.get(`/api/analytics/?${range}&by=${by}`)).data
  }
  const { totals } = await usage('model')
  expect(totals).toMatchObject({
    calls: 34,
    failed: 34,
    quota: 0,
    outcomes: { access: 4, client_error: 30, success: 0 },
  })
  for (const table of ['usage_days', 'site_usage'] as const) {
    const { rows: names } = await sql<{
      name: string
    }>`SELECT DISTINCT model_name AS name FROM ${sql.table(table)}`.execute(app.db)
    expect(names.map(({ name }) => name).sort()).toEqual(['', 'a-model'])
  }
  const { data: own } = await payer.client.get('/api/user/dashboard')
  expect(own).toEqual([])
  expect(await app.audit()).toEqual([])
})

test('whatever a call with a known key is refused for, it is logged', async () => {
  const { app, chat, channel, payer, post, root } = await relayFixture({ quota: 0 })
  await channel('a-model')
  const key = async (fields: object) => `sk-${(await makeToken(payer.client, { ...fields })).key}`
  const unlimited = { unlimited_quota: true }
  const expired = await key({ ...unlimited, name: 'expired', expired_time: nowOf(app) + 1 })
  const used = await key({ name: 'used up', remain_quota: 0 })
  const elsewhere = await key({ ...unlimited, name: 'elsewhere', subnet: '10.0.0.0/8' })
  const narrow = await key({ ...unlimited, name: 'narrow', models: 'another-model' })
  const off = await makeToken(payer.client, { ...unlimited, name: 'off' })
  await payer.client.put('/api/token/?status_only=true', { id: off.id, status: 2 })
  const banned = await makeUser(app)
  const ofBanned = await keyOf(banned.client)
  await root.post('/api/user/manage', { username: banned.username, action: 'disable' })
  app.clock.pass(10)

  const refuse = async (answered: Promise<Response>) => (await answered).status
  const statuses = [
    await refuse(chat('a-model')),
    await refuse(chat('a-model', {}, { key: expired })),
    await refuse(chat('a-model', {}, { key: used })),
    await refuse(chat('a-model', {}, { key: elsewhere })),
    await refuse(chat('a-model', {}, { key: narrow })),
    await refuse(chat('a-model', {}, { key: `sk-${off.key}` })),
    await refuse(chat('a-model', {}, { key: ofBanned })),
    await refuse(post('/v1/chat/completions', { model: 'a-model', messages: MESSAGES, n: -1 })),
  ]
  const rows = await refusedRows(app)
  expect(
    rows.map(({ token_name, model_name, detail, outcome }) => [
      detail.code,
      detail.status,
      outcome,
      token_name,
      model_name,
    ]),
  ).toEqual([
    ['quota.user', 429, 'access', 'default', 'a-model'],
    ['relay.key_expired', 401, 'access', 'expired', ''],
    ['relay.key_exhausted', 429, 'access', 'used up', ''],
    ['relay.wrong_address', 403, 'access', 'elsewhere', ''],
    ['relay.model_refused', 403, 'access', 'narrow', 'a-model'],
    ['relay.key_disabled', 401, 'access', 'off', ''],
    ['relay.user_disabled', 403, 'access', 'default', ''],
    ['relay.bad_body', 400, 'client_error', 'default', ''],
  ])
  expect(rows.map(({ detail }) => detail.status)).toEqual(statuses)
})

test('if all channels cool down, the log says why each was skipped', async () => {
  const { app, chat, channel } = await relayFixture()
  await channel('fault/rate', { name: 'weak' })
  await chat('fault/rate')
  const response = await chat('fault/rate')
  expect(response.status).toBe(503)
  const [row] = await refusedRows(app)
  expect(row?.detail).toMatchObject({
    code: 'relay.channels_resting',
    candidates: { considered: [{ name: 'weak' }], excluded: [{ name: 'weak', excluded: expect.any(String) }] },
  })
})

test('identical refusals within a minute are one entry with a count, found by the id of each', async () => {
  const { app, chat, payer } = await relayFixture()
  const first = await chat('gone')
  expect((await refusedRows(app)).map(({ detail }) => detail.count)).toEqual([undefined])
  const second = await chat('gone')
  await chat('gone')
  await chat('other')
  const rows = await refusedRows(app)
  expect(rows.map(({ request_id, model_name, detail }) => [request_id, model_name, detail.count])).toEqual([
    [idOf(first), 'gone', 3],
    [expect.any(String), 'other', undefined],
  ])
  const { data } = await payer.client.get(`/api/log/self?request_id=${idOf(second)}`)
  expect(data).toMatchObject([{ request_id: idOf(first), detail: { count: 3 } }])
  const stranger = await makeUser(app)
  expect((await stranger.client.get(`/api/log/self?request_id=${idOf(second)}`)).data).toEqual([])

  app.clock.pass(61)
  const later = await chat('gone')
  expect((await refusedRows(app)).at(-1)).toMatchObject({ request_id: idOf(later), model_name: 'gone' })
})

test('a flood beyond a rate limit is one entry, with the limit as its reason', async () => {
  const fixture = await relayFixture()
  await fixture.channel('say/3')
  await setLimits(fixture, { key: { rpm: 1 } })
  expect(await atOnce(30, () => fixture.chat('say/3'))).toEqual({ 200: 1, 429: 29 })
  expect(await refusedRows(fixture.app)).toMatchObject([
    { model_name: 'say/3', outcome: 'rate_limited', detail: { status: 429, count: 29 } },
  ])
  expect(await fixture.logs()).toHaveLength(1)
})

test('a caller who invents model names gets few entries, and the rest of the refusals share one', async () => {
  const { app, chat } = await relayFixture()
  for (let index = 0; index < 50; index++) await chat(`made-up-${index}`)
  const rows = await refusedRows(app)
  expect(rows).toHaveLength(21)
  expect(rows.at(-1)).toMatchObject({ model_name: '', detail: { count: 30 } })
})

test('an unknown path is logged for the owner of the key', async () => {
  const { app, post, payer } = await relayFixture()
  const response = await post('/v1/v1/chat/completions', { model: 'a-model' })
  expect(response.status).toBe(404)
  // The key is looked up after the answer has been sent.
  while ((await refusedRows(app)).length === 0) await Bun.sleep(5)
  expect(await refusedRows(app)).toMatchObject([
    { user_id: payer.id, request_id: idOf(response), detail: { status: 404, code: 'relay.not_found' } },
  ])
})

test('callers without a valid key are counted by address, shown to administrators alone, and not in the log', async () => {
  const { app, chat, payer, root } = await relayFixture()
  for (let calls = 0; calls < 3; calls++) {
    expect((await chat('a-model', {}, { key: 'sk-nobody' })).status).toBe(401)
    app.clock.pass(1)
  }
  await fetch(`${app.url}/v1/models`)
  expect(await refusedRows(app)).toEqual([])
  const { data } = await root.get('/api/log/unknown_callers')
  expect(data.callers).toEqual([{ address: '127.0.0.1', count: 4, first_at: nowOf(app) - 3, last_at: nowOf(app) }])
  expect(data.since).toBeLessThanOrEqual(nowOf(app))
  expect(await payer.client.get('/api/log/unknown_callers')).toMatchObject({ success: false })
})

test('refused calls are not attempts at a channel, and a call that failed at a channel has a single entry', async () => {
  const { app, chat, channel, logs, root } = await relayFixture()
  await channel('fault/rate')
  await chat('fault/rate')
  await chat('no-such-model')
  expect(await refusedRows(app)).toHaveLength(1)
  expect(await logs()).toMatchObject([{ detail: { status: 429 } }])
  const { data } = await root.get('/api/channel/attention')
  expect(JSON.stringify(data)).not.toContain('no-such-model')
})

test('pending entries are written when the process stops', async () => {
  const { app, chat } = await relayFixture()
  await chat('gone')
  await chat('gone')
  await app.parts.refusedCalls.close()
  const { detail } = await app.db
    .selectFrom('logs')
    .select('detail')
    .where('model_name', '=', 'gone')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(detail)).toMatchObject({ count: 2 })
  await chat('gone')
})

test('whichever statement fails while refused calls are written, each has its entry later and is counted once', async () => {
  for (let statement = 1; statement <= 6; statement++) {
    const faults = createFaults()
    const { app, chat, root } = await relayFixture({ faults })
    const id = idOf(await chat('made-up'))
    const flush = () => app.parts.refusedCalls.flush()
    faults.failAt(statement)
    await flush()
    idOf(await chat('made-up'))
    app.clock.pass(70)
    faults.failAt(statement)
    await flush()
    faults.failAt(0)
    await flush()
    const rows = await refusedRows(app)
    expect(rows.map(({ request_id, detail }) => [statement, request_id, detail.count])).toEqual([[statement, id, 2]])
    const now = nowOf(app)
    const { data } = await root.get(`/api/analytics/?start=${now - 7200}&end=${now + 3600}&by=outcome`)
    expect([statement, data.totals.calls]).toEqual([statement, 2])
  }
})

test('calls that are refused while earlier ones are written are counted too', async () => {
  const { app, chat, root } = await relayFixture()
  await chat('made-up')
  const writing = app.parts.refusedCalls.flush()
  await Promise.all(Array.from({ length: 20 }, () => chat('made-up')))
  await writing
  const [row] = await refusedRows(app)
  expect(row?.detail.count).toBe(21)
  const now = nowOf(app)
  const { data } = await root.get(`/api/analytics/?start=${now - 7200}&end=${now + 3600}&by=outcome`)
  expect(data.totals.calls).toBe(21)
})
