import { expect, setDefaultTimeout, test } from 'bun:test'
import { DAY, HOUR } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'
import { redisServer } from '../testing/outside/redis-server.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

async function fixture() {
  const app = await testApp()
  const root = await asRoot(app)
  return {
    app,
    root,
    now: Math.floor(app.clock.now() / 1000),
    look: async () => (await root.get('/api/analytics/attention')).data,
  }
}

test('a channel slower than usual needs attention; one with few calls, or always that slow, does not', async () => {
  const { app, root, now, look } = await fixture()
  const ids: number[] = []
  for (const name of ['slower', 'steady', 'rare']) ids.push((await makeChannel(root, { name, models: 'gpt-4o' })).id)
  const [slower = 0, steady = 0, rare = 0] = ids
  const note = (channel: number, at: number, first_byte_time: number, calls: number) => {
    for (let call = 0; call < calls; call++) {
      app.parts.tally.note({
        ...{ created_at: at, user_id: 1, model_name: 'gpt-4o', channel, outcome: 'success', is_stream: 0 },
        ...{ first_byte_time, elapsed_time: first_byte_time + 10, completion_tokens: 1 },
      })
    }
  }
  for (const channel of ids) note(channel, now - 2 * DAY, 500, 150)
  note(slower, now, 1500, 30)
  note(steady, now, 520, 30)
  note(rare, now, 9000, 5)
  const { channels, windows } = await look()
  expect(channels.map(({ name, reasons }: { name: string; reasons: string[] }) => [name, reasons])).toEqual([
    ['slower', ['slower']],
  ])
  expect(channels[0].slower).toMatchObject({ hour_calls: 30 })
  expect(channels[0].slower.hour_p95 / channels[0].slower.week_p95).toBeWithin(2.4, 3.7)
  expect(windows.week.end - windows.week.start).toBe(7 * DAY)
  expect(windows.hour.end).toBeGreaterThanOrEqual(now)
})

test('keys that expire within three days or are nearly used up are counted, for the site and for their user', async () => {
  const { app, root, now, look } = await fixture()
  const { client, id } = await makeUser(app)
  const other = await makeUser(app)
  const key = async (name: string, fields: object) => {
    const { data } = await client.post('/api/token/', { name, ...fields })
    return Number(data?.id ?? 0)
  }
  await key('soon', { expired_time: now + 2 * DAY, unlimited_quota: true })
  await key('later', { expired_time: now + 4 * DAY, unlimited_quota: true })
  await key('spent', { expired_time: -1, remain_quota: 5, unlimited_quota: false })
  await key('plenty', { expired_time: -1, remain_quota: 500, unlimited_quota: false })
  await key('disabled', { expired_time: now + HOUR, unlimited_quota: true })
  await app.db.updateTable('tokens').set({ used_quota: 100 }).where('user_id', '=', id).execute()
  await app.db.updateTable('tokens').set({ status: 2 }).where('name', '=', 'disabled').execute()
  const ending = {
    expiring: 1,
    used_up: 1,
    list: [
      { name: 'soon', reasons: ['expiring'] },
      { name: 'spent', reasons: ['used_up'] },
    ],
  }
  expect((await look()).keys).toMatchObject(ending)
  expect((await client.get('/api/analytics/self/attention')).data.keys).toMatchObject(ending)
  const { data: listed } = await root.get('/api/token/all?status=6')
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(['soon', 'spent'])
  expect((await other.client.get('/api/analytics/self/attention')).data.keys).toEqual({
    expiring: 0,
    used_up: 0,
    list: [],
  })
})

test('a user sees until when the balance lasts, after a day of usage and not before', async () => {
  const { app, now } = await fixture()
  const { client, id } = await makeUser(app, { quota: 4800 })
  const balance = async () => (await client.get('/api/analytics/self/attention')).data.balance
  expect(await balance()).toMatchObject({ quota: 4800, spent_per_hour: null, lasts_until: null })
  const call = { user_id: id, username: 'u', model_name: 'm' }
  await makeLogs(app, { ...call, created_at: now - 5 * HOUR, quota: 50 })
  expect(await balance()).toMatchObject({ spent_per_hour: null, lasts_until: null })
  await makeLogs(app, { ...call, created_at: now - 48 * HOUR, quota: 4750 }, { ...call, created_at: now, quota: 999 })
  const { spent_per_hour, lasts_until, window } = await balance()
  expect(spent_per_hour).toBe(100)
  expect(lasts_until).toBeWithin(now + 48 * HOUR, now + 48 * HOUR + 60)
  expect(window.end - window.start).toBe(48 * HOUR)
  await makeLogs(app, { ...call, created_at: now - 100 * DAY, quota: 1_000_000 })
  expect((await balance()).window).toMatchObject({ start: window.end - 7 * DAY })
  // At 4800 a week, a million millions would last beyond any calendar.
  await app.db.updateTable('users').set({ quota: 1_000_000_000_000 }).where('id', '=', id).execute()
  expect(await balance()).toMatchObject({ spent_per_hour: expect.any(Number), lasts_until: null })
})

test('a user sees which budgets are nearly used up, the fullest first, and not those of others', async () => {
  const { app, root } = await fixture()
  const [user, other] = [await makeUser(app), await makeUser(app)]
  const budget = async (fields: object, used: number) => {
    const whole = { scope: 'user', target: String(user.id), quota: 1000, period: 'forever', ...fields }
    const { data: id } = await root.post('/api/budget/', whole)
    await app.db.insertInto('budget_usage').values({ budget_id: id, slot: 0, used, held: 0 }).execute()
    return id
  }
  const nearly = await budget({}, 800)
  const usedUp = await budget({ model: 'm' }, 1000)
  await budget({ model: 'half' }, 500)
  await budget({ model: 'raised', raise_quota: 1000, raise_until: Math.floor(app.clock.now() / 1000) + HOUR }, 900)
  await budget({ target: String(other.id) }, 990)
  const { data } = await user.client.get('/api/analytics/self/attention')
  expect(data.budgets).toMatchObject([
    { id: usedUp, used: 1000, model: 'm' },
    { id: nearly, used: 800, scope: 'user' },
  ])
})

test('a Redis that does not answer is reported to administrators, with the reason, until it is back', async () => {
  const redis = await redisServer()
  const app = await testApp({ redisUrl: redis.url })
  const root = await asRoot(app)
  const trouble = async () => (await root.get('/api/analytics/attention')).data.redis_trouble
  await app.logged('Redis answers')
  expect(await trouble()).toBeNull()
  app.lines.length = 0
  await redis.stop()
  await app.logged('Redis does not answer')
  expect(await trouble()).toBeString()
  expect(await trouble()).not.toBe('')
  await redis.startAgain()
  await app.logged('Redis answers')
  expect(await trouble()).toBeNull()
})
