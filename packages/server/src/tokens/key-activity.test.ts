import { expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { calendarPeriod } from '../common/calendar.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { TestApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { nowOf } from '../testing/token-makers.ts'

/** A gateway behind a proxy that sends the callers' addresses. */
const fixture = () => relayFixture({ config: { trustedProxies: [ipaddr.parseCIDR('127.0.0.0/8')] } })
const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

const used = (
  app: TestApp,
  hour: number,
  key: { user_id: number; token_name: string; username: string },
  calls: number,
) =>
  app.db
    .insertInto('key_usage')
    .values({ span: HOUR, start: hour - (hour % HOUR), ...key, ...NOTHING, request_count: calls })
    .execute()

const NOTHING = { request_count: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }

test('the owner sees the addresses of the last day, latest first, and the cost of each of seven days', async () => {
  const { app, payer, channel, chat } = await fixture()
  await channel('gpt-4o')
  const [token] = (await payer.client.get('/api/token/')).data
  const activity = async () => (await payer.client.get(`/api/token/activity?token_ids=${token.id}`)).data[0]
  expect(await activity()).toEqual({
    ...{ id: token.id, spend: [0, 0, 0, 0, 0, 0, 0], addresses: [], address_count: 0, unusual: null },
  })

  expect((await chat('gpt-4o', {}, from('198.51.100.7'))).status).toBe(200)
  app.clock.pass(DAY / 2)
  expect((await chat('gpt-4o', {}, from('2001:db8::1'))).status).toBe(200)
  expect((await chat('gpt-4o', {}, from('2001:db8::1'))).status).toBe(200)
  const first = await activity()
  const { used_quota } = (await payer.client.get(`/api/token/${token.id}`)).data
  expect(used_quota).toBeGreaterThan(0)
  expect(first.spend.reduce((sum: number, day: number) => sum + day, 0)).toBe(used_quota)
  expect(first.addresses).toEqual([
    { address: '2001:db8::1', last_at: nowOf(app) },
    { address: '198.51.100.7', last_at: nowOf(app) - DAY / 2 },
  ])
  expect(first).toMatchObject({ address_count: 2, unusual: null })

  app.clock.pass(DAY / 2 + 60)
  expect((await activity()).addresses.map(({ address }: { address: string }) => address)).toEqual(['2001:db8::1'])
  app.clock.pass(9 * DAY)
  await app.parts.seenAddresses.removeOld()
  expect(await app.db.selectFrom('key_addresses').selectAll().execute()).toEqual([])
})

test('the cost of each day is that of the reader’s zone, and the sum is that of Analytics', async () => {
  const { app, payer, root } = await fixture()
  // In New York the clock went back on the first of November: that day had 25 hours.
  app.clock.set(Date.parse('2026-11-03T15:20:00Z') / 1000 - nowOf(app))
  const [token] = (await payer.client.get('/api/token/')).data
  const hours = Array.from({ length: 9 * 24 }, (_, hour) => nowOf(app) - hour * HOUR)
  const call = { user_id: payer.id, username: payer.username, token_name: token.name, model_name: 'm' }
  await makeLogs(app, ...hours.map((created_at, hour) => ({ ...call, created_at, quota: 1 + (hour % 7) })))
  for (const zone of ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/New_York']) {
    const ofZone = `token_ids=${token.id}&zone=${zone}`
    const { spend } = (await payer.client.get(`/api/token/activity?${ofZone}`)).data[0]
    const first = calendarPeriod(zone, 'day', nowOf(app) - 6 * DAY).start
    const range = `start=${first}&end=${nowOf(app)}&zone=${zone}&by=time&step=day`
    const { rows } = (await payer.client.get(`/api/analytics/self?${range}`)).data
    expect([zone, spend]).toEqual([zone, rows.map(({ quota }: { quota: number }) => quota)])
    const listed = (await root.get(`/api/token/all?owner=${payer.id}&zone=${zone}`)).data[0]
    expect(listed.activity.spend).toEqual(spend)
  }
  const refused = await payer.client.get(`/api/token/activity?token_ids=${token.id}&zone=Europe/Nowhere`)
  expect(refused.success).toBe(false)
})

test('a call with a refused key is not a use of the key; one that fails later is', async () => {
  const { app, payer, chat } = await fixture()
  const [token] = (await payer.client.get('/api/token/')).data
  const addresses = async () => (await payer.client.get(`/api/token/activity?token_ids=${token.id}`)).data[0].addresses
  expect((await chat('no such model', {}, from('198.51.100.7'))).status).toBeGreaterThan(399)
  await payer.client.put('/api/token/?status_only=true', { id: token.id, status: 2 })
  expect((await chat('gpt-4o', {}, from('203.0.113.5'))).status).toBe(401)
  expect(await addresses()).toEqual([{ address: '198.51.100.7', last_at: nowOf(app) }])
})

test('a key used from a new network far more than usual is marked, and administrators see it too', async () => {
  const { app, payer, chat } = await fixture()
  const [token] = (await payer.client.get('/api/token/')).data
  const key = { user_id: payer.id, token_name: token.name, username: payer.username }
  const unusual = async () => (await payer.client.get(`/api/token/activity?token_ids=${token.id}`)).data[0].unusual
  // A refused call counts as well, as soon as it is written.
  const refused = async (address: string) => {
    await chat('none', {}, from(address))
    await app.parts.refusedCalls.flush()
  }
  await refused('198.51.100.7')
  await used(app, nowOf(app), key, 4)
  app.clock.pass(2 * DAY)
  await used(app, nowOf(app), key, 60)
  expect(await unusual()).toBeNull()
  await refused('203.0.113.9')
  const mark = { networks: ['203.0.113.0/24'], calls: 61, usual: 5 }
  expect(await unusual()).toEqual(mark)
  const listed = await (await asRoot(app)).get(`/api/token/all?owner=${payer.id}`)
  expect(listed.data[0].activity.unusual).toEqual(mark)

  app.clock.pass(DAY + HOUR)
  expect(await unusual()).toBeNull()
})

test('an address that was not used for a week is new again', async () => {
  const { app, payer, chat } = await fixture()
  const { id } = (await payer.client.get('/api/token/')).data[0]
  await chat('none', {}, from('203.0.113.9'))
  await app.parts.seenAddresses.flush()
  app.clock.pass(3 * DAY)
  await chat('none', {}, from('198.51.100.7'))
  await app.parts.seenAddresses.flush()
  app.clock.pass(5 * DAY)
  await chat('none', {}, from('198.51.100.7'))
  await chat('none', {}, from('203.0.113.9'))
  await app.parts.seenAddresses.flush()
  const rows = await app.db.selectFrom('key_addresses').selectAll().orderBy('address').execute()
  const now = nowOf(app)
  expect(rows).toEqual([
    { token_id: id, address: '198.51.100.7', first_at: now - 5 * DAY, last_at: now },
    { token_id: id, address: '203.0.113.9', first_at: now, last_at: now },
  ])
})

test('for a key used from everywhere 200 addresses are kept, 20 shown, and the others counted', async () => {
  const { app, payer } = await fixture()
  const { id } = (await payer.client.get('/api/token/')).data[0]
  for (let n = 0; n < 250; n++) {
    app.parts.seenAddresses.note(id, `10.0.${n}.1`)
    if (n % 40 === 39) await app.parts.seenAddresses.flush()
  }
  const { data } = await payer.client.get(`/api/token/activity?token_ids=${id}`)
  expect(data[0]).toMatchObject({ address_count: 200, unusual: null })
  expect(data[0].addresses).toHaveLength(20)
})

test('nobody can read the activity of another user’s key, and an invalid list of ids is refused', async () => {
  const { app, payer } = await fixture()
  const { id } = (await payer.client.get('/api/token/')).data[0]
  const other = await makeUser(app)
  expect((await other.client.get(`/api/token/activity?token_ids=${id},987654`)).data).toEqual([])
  for (const ids of ['', 'x', '1,', '1;2', '-1', Array.from({ length: 51 }, (_, n) => n + 1).join(',')]) {
    expect(await other.client.get(`/api/token/activity?token_ids=${ids}`)).toMatchObject({ success: false })
  }
})
