import { expect, test } from 'bun:test'
import { ENDPOINTS } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import type { Client } from '../testing/client.ts'
import { asRoot, makeAdmin, makeUser, signedIn } from '../testing/makers.ts'
import { makeCodes } from '../testing/redemption-makers.ts'

const KEY = { 'idempotency-key': 'b8f1c9e0-form-1' }

/** The request of each creation, and how many of its things exist. */
interface Creation {
  path: string
  body: Record<string, unknown>
  other: Record<string, unknown>
  made(app: TestApp): Promise<number>
}

const count = async (
  app: TestApp,
  table: 'tokens' | 'users' | 'channels' | 'redemptions' | 'budgets' | 'alert_rules' | 'alert_destinations',
) => (await app.db.selectFrom(table).select('id').execute()).length

const tokenFields = { remain_quota: 500, unlimited_quota: false }
const CREATIONS: Record<string, Creation> = {
  'tokens.create': {
    path: '/api/token/',
    body: { name: 'prod', ...tokenFields },
    other: { name: 'batch', ...tokenFields },
    made: (app) => count(app, 'tokens'),
  },
  'users.create': {
    path: '/api/user/',
    body: { username: 'alice', password: 'a-good-password' },
    other: { username: 'alicia', password: 'a-good-password' },
    made: (app) => count(app, 'users'),
  },
  'channels.create': {
    path: '/api/channel/',
    body: { name: 'main', type: 1, key: 'sk-1\nsk-2', models: 'gpt-4o', group: 'default' },
    other: { name: 'main', type: 1, key: 'sk-3', models: 'gpt-4o', group: 'default' },
    made: (app) => count(app, 'channels'),
  },
  'channels.copy': {
    path: '/api/channel/copy',
    // The channel of the fixture.
    body: { id: 1, name: 'a copy' },
    other: { id: 1, name: 'another copy' },
    made: (app) => count(app, 'channels'),
  },
  'redemptions.create': {
    path: '/api/redemption/',
    body: { name: 'spring', quota: 100, count: 3 },
    other: { name: 'spring', quota: 100, count: 4 },
    made: (app) => count(app, 'redemptions'),
  },
  'budgets.create': {
    path: '/api/budget/',
    body: { scope: 'group', target: 'default', quota: 5, period: 'day' },
    other: { scope: 'group', target: 'default', quota: 6, period: 'day' },
    made: (app) => count(app, 'budgets'),
  },
  'alerts.createDestination': {
    path: '/api/alert/destination/',
    body: { owner: 'gateway', way: 'slack', name: 'chat', address: 'https://hooks.slack.com/services/T/B/X' },
    other: { owner: 'gateway', way: 'slack', name: 'other', address: 'https://hooks.slack.com/services/T/B/X' },
    made: (app) => count(app, 'alert_destinations'),
  },
  'alerts.createRule': {
    path: '/api/alert/rule/',
    // The destination of the fixture.
    body: { owner: 'gateway', kind: 'books', threshold: 0, destinations: [1] },
    other: { owner: 'gateway', kind: 'node', threshold: 0, destinations: [1] },
    made: (app) => count(app, 'alert_rules'),
  },
  'users.topUp': {
    path: '/api/user/topup',
    // The codes of the fixture, in order of creation.
    body: { key: '{code 0}' },
    other: { key: '{code 1}' },
    made: async (app) => (await app.db.selectFrom('redemptions').select('id').where('status', '=', 3).execute()).length,
  },
  'users.adminTopUp': {
    path: '/api/topup',
    body: { user_id: 1, quota: 500, remark: 'refund' },
    other: { user_id: 1, quota: 600, remark: 'refund' },
    made: async (app) => (await app.db.selectFrom('ledger').select('id').where('kind', '=', 'topup').execute()).length,
  },
  'session.register': {
    path: '/api/user/register',
    body: { username: 'newcomer', password: 'a-good-password', password2: 'a-good-password' },
    other: { username: 'newcomer2', password: 'a-good-password', password2: 'a-good-password' },
    made: (app) => count(app, 'users'),
  },
}

async function fixture() {
  const app = await testApp()
  const admin = await makeAdmin(app)
  await makeChannel(admin.client)
  const codes = await makeCodes(admin.client, { count: 2 })
  const hook = { owner: 'gateway', way: 'slack', name: 'fixture', address: 'https://hooks.slack.com/services/T/B/X' }
  await admin.client.post('/api/alert/destination/', hook)
  const withCodes = (body: Record<string, unknown>): Record<string, unknown> =>
    JSON.parse(JSON.stringify(body).replace(/\{code (\d)\}/, (_, index) => codes[Number(index)] ?? ''))
  return { app, admin, withCodes }
}

test('every creation of the contract honours a key, and nothing else does', () => {
  const flagged = ENDPOINTS.filter(({ endpoint }) => endpoint.idempotent).map(({ name }) => name)
  expect(flagged.sort()).toEqual(Object.keys(CREATIONS).sort())
})

test.each(Object.entries(CREATIONS))(
  '%s: two identical requests at the same moment, on two nodes, create one',
  async (_, creation) => {
    const { app, admin, withCodes } = await fixture()
    const second = await testApp({ location: app.location })
    const elsewhere = await signedIn(second, admin.id)
    const before = await creation.made(app)
    const send = (client: Client) => client.post(creation.path, withCodes(creation.body), KEY)
    const answers = await Promise.all([send(admin.client), send(admin.client), send(elsewhere), send(elsewhere)])
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body ?? {})
    expect(answers.every(({ success }) => success)).toBe(true)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(3)

    const once = await creation.made(app)
    expect(once).toBeGreaterThan(before)
    const later = await send(admin.client)
    expect([later.body, await creation.made(app)]).toEqual([answers[0]?.body ?? {}, once])
    expect(await app.audit()).toEqual([])
  },
)

test.each(Object.entries(CREATIONS))('%s: another body under the same key is refused', async (_, creation) => {
  const { app, admin, withCodes } = await fixture()
  expect((await admin.client.post(creation.path, withCodes(creation.body), KEY)).success).toBe(true)
  const made = await creation.made(app)
  const other = await admin.client.post(creation.path, withCodes(creation.other), { ...KEY, 'accept-language': 'en' })
  expect([other.status, other.message]).toEqual([422, 'This Idempotency-Key was already used for another request'])
  expect(await creation.made(app)).toBe(made)
})

test.each(Object.entries(CREATIONS))(
  '%s: a crash in between is reported, and never creates two',
  async (_, creation) => {
    const { app, admin, withCodes } = await fixture()
    await admin.client.post(creation.path, withCodes(creation.body), KEY)
    const made = await creation.made(app)
    // The process died after creating the thing and before storing its answer.
    await app.db.updateTable('idempotency_keys').set({ answer: null }).execute()
    app.clock.pass(31)
    const again = await admin.client.post(creation.path, withCodes(creation.body), { ...KEY, 'accept-language': 'en' })
    expect(again.status).toBe(409)
    expect(again.message).toContain('check the list before you submit it again')
    expect(await creation.made(app)).toBe(made)
  },
)

test('the same key of another user, or for another endpoint, is a different key', async () => {
  const { app, admin } = await fixture()
  const user = await makeUser(app)
  const body = { name: 'prod', remain_quota: 1 }
  const mine = await admin.client.post('/api/token/', body, KEY)
  const theirs = await user.client.post('/api/token/', body, KEY)
  expect(theirs.headers.get('idempotent-replayed')).toBeNull()
  expect(theirs.data.key).not.toBe(mine.data.key)
  expect((await admin.client.post('/api/redemption/', { name: 'prod' }, KEY)).success).toBe(true)
})

test('a refusal creates nothing and frees the key: the same form can be sent again', async () => {
  const { app, admin } = await fixture()
  const user = await makeUser(app, { username: 'taken' })
  const form = { username: 'taken', password: 'a-good-password' }
  expect((await admin.client.post('/api/user/', form, KEY)).success).toBe(false)
  expect((await admin.client.put('/api/user/', { id: user.id, username: 'moved' })).success).toBe(true)
  expect((await admin.client.post('/api/user/', form, KEY)).success).toBe(true)
})

test('without the header nothing is stored, and two identical requests create two', async () => {
  const { app, admin } = await fixture()
  for (const name of ['prod', 'prod']) await admin.client.post('/api/token/', { name })
  expect(await app.db.selectFrom('idempotency_keys').selectAll().execute()).toEqual([])
  expect(
    (await admin.client.get('/api/token/?p=0')).data.filter(({ name }: { name: string }) => name === 'prod'),
  ).toHaveLength(2)
})

test('the stored answer reveals neither codes nor passwords, and is removed after a day', async () => {
  const { app, admin } = await fixture()
  const { data: codes } = await admin.client.post('/api/redemption/', { name: 'spring', count: 2 }, KEY)
  await admin.client.post('/api/user/', { username: 'alice', password: 'a-good-password' }, KEY)
  const rows = JSON.stringify(await app.db.selectFrom('idempotency_keys').selectAll().execute())
  for (const secret of [...codes, 'a-good-password', Bun.SHA256.hash('a-good-password', 'hex')]) {
    expect(rows).not.toContain(secret)
  }
  const housekeeping = app.parts.jobs.find(({ name }) => name === 'housekeeping')
  app.clock.pass(23 * 3600)
  await housekeeping?.run()
  expect(await app.db.selectFrom('idempotency_keys').select('id').execute()).toHaveLength(2)
  app.clock.pass(2 * 3600)
  await housekeeping?.run()
  expect(await app.db.selectFrom('idempotency_keys').select('id').execute()).toEqual([])
})

test.each(['', 'x'.repeat(256), 'mit Leerzeichen'])('the key %p is refused as malformed', async (key) => {
  const root = await asRoot(await testApp())
  const { status } = await root.post('/api/token/', { name: 'prod' }, { 'idempotency-key': key })
  expect(status).toBe(400)
})
