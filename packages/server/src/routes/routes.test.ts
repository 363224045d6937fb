import { expect, onTestFinished, setDefaultTimeout, test } from 'bun:test'
import { DRAWS_MAX } from '@tollgate/contract'
import type { TestApp } from '../testing/app.ts'
import { storedChannel } from '../testing/channel-makers.ts'
import { makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'
import { named, viewOf } from '../testing/route-views.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const WHOLE = 'say/5'

/** A vendor for which time passes while it answers. */
function slowVendor(app: TestApp, status: number, seconds = 0) {
  let takes = seconds
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      app.clock.pass(takes)
      if (status !== 200) return Response.json({ error: { message: 'no' } }, { status })
      const message = { role: 'assistant', content: 'hi' }
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
      return Response.json({
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      })
    },
  })
  onTestFinished(() => server.stop(true))
  return {
    url: `http://127.0.0.1:${server.port}`,
    takes(next: number) {
      takes = next
    },
  }
}

test('a route shows its levels from top to bottom, shares by weight, and excluded channels with the reason', async () => {
  const { root, channel } = await relayFixture({ options: { RetryTimes: 2, RetrySeconds: 30 } })
  await channel(WHOLE, { name: 'low' })
  await channel(WHOLE, { name: 'one', priority: 9, weight: 1 })
  await channel(WHOLE, { name: 'three', priority: 9, weight: 3 })
  await channel(WHOLE, { name: 'spare', priority: 9, weight: 0 })
  await channel(WHOLE, { name: 'vips', group: 'vip' })
  const off = await channel(WHOLE, { name: 'off' })
  await root.put('/api/channel/', { id: off.id, status: 2 })
  await channel('another', { name: 'other' })
  const view = await viewOf(root)
  expect(named(view.levels)).toEqual([
    [
      ['one', 0.25],
      ['three', 0.75],
      ['spare', 0],
    ],
    [['low', 1]],
  ])
  expect(view.levels.map(({ group, priority }: { group: string; priority: number }) => [group, priority])).toEqual([
    ['default', 9],
    ['default', 0],
  ])
  expect(view.left_out).toMatchObject([
    { name: 'vips', reason: 'other_group', groups: ['vip'] },
    { name: 'off', reason: 'disabled' },
  ])
  expect(view).toMatchObject({ others: 1, retries: 2, retry_seconds: 30, fallbacks: [], model: WHOLE })
})

test('two groups follow each other, and a channel in both is listed where it is tried first', async () => {
  const { root, channel } = await relayFixture()
  await channel(WHOLE, { name: 'both', group: 'default,vip' })
  await channel(WHOLE, { name: 'plain' })
  const { levels } = await viewOf(root, 'vip,default')
  expect(named(levels)).toEqual([[['both', 1]], [['plain', 1]]])
})

test('an alias shows the channels of the model behind it', async () => {
  const { root, channel } = await relayFixture({ options: { ModelAliases: `{"best":"${WHOLE}"}` } })
  await channel(WHOLE, { name: 'it' })
  const view = await viewOf(root, 'default', 'best')
  expect(view.model).toBe(WHOLE)
  expect(named(view.levels)).toEqual([[['it', 1]]])
})

test('a channel that cools down keeps its place, shows until when, and the others get its share', async () => {
  const { root, channel, chat, app } = await relayFixture({ options: { RetryTimes: 2 } })
  await channel('m', { name: 'limited', weight: 9, priority: 5, model_mapping: '{"m":"then/rate/say/5"}' })
  await channel('m', { name: 'spare', weight: 0, priority: 5, model_mapping: `{"m":"${WHOLE}"}` })
  expect((await chat('m')).status).toBe(200)
  const { levels } = await viewOf(root, 'default', 'm')
  expect(named(levels)).toEqual([
    [
      ['limited', 0],
      ['spare', 1],
    ],
  ])
  const [limited, spare] = levels[0].channels
  expect(limited).toMatchObject({ reason: 'rate_limited', health: { recent: { failed: 1, calls: 1 }, open: 0 } })
  expect(limited.health.closed_until).toBeGreaterThan(app.clock.now() / 1000)
  expect(spare).toMatchObject({ reason: null, health: { recent: { failed: 0, calls: 1 }, closed_until: null } })
})

test('a channel whose budget is used up is skipped, on the page, in a dry run and by calls', async () => {
  const { root, channel, chat, logs } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const spent = await channel(WHOLE, { name: 'spent', priority: 5 })
  const other = await channel(WHOLE, { name: 'other' })
  const amounts = { quota: 1_000_000, period: 'day' }
  const { data: id } = await root.post('/api/budget/', { scope: 'channel', target: String(spent.id), ...amounts })
  await chat(WHOLE)
  const { used } = (await root.get(`/api/budget/${id}`)).data
  expect(used).toBeGreaterThan(0)
  expect((await viewOf(root)).levels[0].channels).toMatchObject([
    { name: 'spent', reason: null, share: 1, budget: { left: 1_000_000 - used, quota: 1_000_000 } },
  ])

  await root.put('/api/budget/', { id, ...amounts, quota: used })
  expect((await viewOf(root)).levels[0].channels).toMatchObject([{ reason: 'budget_spent', share: 0, budget: null }])
  const { data } = await root.post('/api/route/dry_run', { group: 'default', model: WHOLE })
  expect(data.order).toMatchObject([{ channel: other.id }])
  expect(data.firsts).toMatchObject([{ channel: other.id, count: DRAWS_MAX }])
  await chat(WHOLE)
  expect((await logs()).at(-1)).toMatchObject({
    channel: other.id,
    detail: { candidates: { excluded: [{ channel: spent.id, excluded: 'its budget is used up' }] } },
  })
})

test('where the budget of a group is used up, the page and a dry run go on with the next group, as calls do', async () => {
  const { root, channel, chat, logs } = await relayFixture({
    ...{ group: 'vip,default', quota: 10_000_000, options: { DefaultModelRatio: 1 } },
  })
  const onlyVip = await channel(WHOLE, { name: 'only vip', group: 'vip', priority: 5 })
  const both = await channel(WHOLE, { name: 'both', group: 'vip,default' })
  const amounts = { quota: 1, period: 'day', zone: 'UTC' }
  const { data: id } = await root.post('/api/budget/', { scope: 'group', target: 'vip', ...amounts, quota: 1_000_000 })
  expect(await viewOf(root, 'vip,default')).toMatchObject({ spent_groups: [] })
  await chat(WHOLE)
  const { used } = (await root.get(`/api/budget/${id}`)).data
  expect(await viewOf(root, 'vip,default')).toMatchObject({
    group_budgets: [{ group: 'vip', left: 1_000_000 - used, quota: 1_000_000 }],
  })

  await root.put('/api/budget/', { id, ...amounts, quota: used })
  const view = await viewOf(root, 'vip,default')
  const { renews_at } = (await root.get(`/api/budget/${id}`)).data
  expect(view).toMatchObject({
    spent_groups: [{ group: 'vip', renews_at, rolling: false }],
    group_budgets: [],
    levels: [
      {
        group: 'vip',
        channels: [{ channel: onlyVip.id, reason: 'group_budget_spent', renewal: { renews_at }, share: 0 }],
      },
      { group: 'default', channels: [{ channel: both.id, reason: null, renewal: null, share: 1 }] },
    ],
  })
  expect(view.levels.flatMap(({ channels }: { channels: unknown[] }) => channels)).toHaveLength(2)
  const dry = await root.post('/api/route/dry_run', { group: 'vip,default', model: WHOLE })
  expect(dry.data.order).toMatchObject([{ channel: both.id, group: 'default' }])
  const { data: explained } = await root.get(`/api/channel/explain?group=vip,default&model=${WHOLE}`)
  expect(explained).toMatchObject({
    considered: [{ channel: both.id, group: 'default' }],
    excluded: [{ channel: onlyVip.id, excluded: 'the budget of its group is used up' }],
  })
  await chat(WHOLE)
  expect((await logs()).at(-1)).toMatchObject({
    channel: both.id,
    detail: { candidates: { excluded: [{ channel: onlyVip.id, excluded: 'the budget of its group is used up' }] } },
  })
})

test('of several budgets of a channel the one with the least left is shown, and a raise counts', async () => {
  const { app, root, channel } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { id } = await channel(WHOLE)
  const budget = { scope: 'channel', target: String(id), period: 'day' }
  const shown = async () => (await viewOf(root)).levels[0].channels[0].budget
  expect(await shown()).toBe(null)
  await root.post('/api/budget/', { ...budget, quota: 900 })
  const { data: less } = await root.post('/api/budget/', { ...budget, model: WHOLE, quota: 300 })
  await root.post('/api/budget/', { ...budget, model: 'another-model', quota: 10 })
  expect(await shown()).toEqual({ left: 300, quota: 300 })
  const raise_until = Math.floor(app.clock.now() / 1000) + 3600
  await root.put('/api/budget/', { id: less, quota: 300, period: 'day', raise_quota: 200, raise_until })
  expect(await shown()).toEqual({ left: 500, quota: 500 })
})

test.each([
  [{ period: 'forever' }, { renews_at: 0, rolling: false }],
  [
    { period: 'week', rolling: true },
    { renews_at: 0, rolling: true },
  ],
  [
    { period: 'month', zone: 'Asia/Shanghai' },
    { renews_at: expect.any(Number), rolling: false },
  ],
])('a spent budget says when it has room again: %p', async (calendar, renewal) => {
  const { root, channel, chat } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { id: target } = await channel(WHOLE)
  // The one that takes longest decides.
  const calendars = [{ period: 'day' }, calendar]
  const ids = await Promise.all(
    calendars.map(async (each) => {
      const budget = { scope: 'channel', target: String(target), quota: 1000, ...each }
      return (await root.post('/api/budget/', budget)).data
    }),
  )
  expect((await chat(WHOLE, { max_tokens: 10 })).status).toBe(200)
  for (const [index, id] of ids.entries())
    expect(await root.put('/api/budget/', { id, quota: 1, ...calendars[index] })).toMatchObject({ success: true })
  const [level] = (await viewOf(root)).levels
  expect(level.channels[0]).toMatchObject({ reason: 'budget_spent', renewal })
  expect((await viewOf(root)).spent_groups).toEqual([])
})

test('a kind of call excludes channels that cannot answer it', async () => {
  const { root, channel } = await relayFixture()
  await channel(WHOLE, { name: 'chats' })
  await channel(WHOLE, { name: 'translator', type: 38, base_url: '' })
  const { levels } = await viewOf(root, 'default', WHOLE, '&path=/v1/embeddings')
  expect(levels[0].channels).toMatchObject([
    { name: 'chats', reason: null, share: 1 },
    { name: 'translator', reason: 'unsuited', share: 0 },
  ])
})

test('a dry run chooses like calls do, also with unsaved changes, and calls no vendor', async () => {
  const { app, root, channel, upstream, account } = await relayFixture({ options: { RetryTimes: 1 } })
  const one = await channel(WHOLE, { name: 'one', weight: 1 })
  const other = await channel(WHOLE, { name: 'other', weight: 3 })
  const before = await account()
  const run = async (more: object = {}) =>
    (await root.post('/api/route/dry_run', { group: 'default', model: WHOLE, ...more })).data
  const plain = await run()
  expect(plain).toMatchObject({ tries: 2, draws: DRAWS_MAX })
  expect(plain.order.map(({ channel: id }: { channel: number }) => id).sort()).toEqual([one.id, other.id])
  const share = plain.firsts.find(({ name }: { name: string }) => name === 'other').count / DRAWS_MAX
  expect(Math.abs(share - 0.75)).toBeLessThan(0.07)
  const changed = await run({ draws: 50, changes: [{ id: one.id, priority: 1, weight: 1 }] })
  expect(changed.order.map(({ name }: { name: string }) => name)).toEqual(['one', 'other'])
  expect(changed.firsts).toEqual([{ channel: one.id, name: 'one', count: 50 }])
  expect((await run({ model: 'nobody has it' })).firsts).toEqual([])
  expect(upstream.journal).toHaveLength(0)
  expect(await account()).toEqual(before)
  expect(await storedChannel(app, one.id)).toMatchObject({ priority: 0, weight: 1 })
})

test('the recent choices show which channels were tried, in which order, and which were skipped', async () => {
  const { app, root, channel, chat } = await relayFixture({ options: { RetryTimes: 2 } })
  const limited = await channel('m', { name: 'limited', priority: 5, model_mapping: '{"m":"then/rate/say/5"}' })
  const whole = await channel('m', { name: 'whole', model_mapping: `{"m":"${WHOLE}"}` })
  await channel(WHOLE, { name: 'another model', priority: 9 })
  await chat('m')
  await chat('m')
  await chat(WHOLE)
  const { data } = await root.get('/api/route/choices?group=default&model=m')
  expect(data).toHaveLength(2)
  const [second, first] = data
  expect(first).toMatchObject({
    ...{ outcome: 'success', channel: whole.id, considered: 2, excluded: [] },
    attempts: [
      { channel: limited.id, status: 429 },
      { channel: whole.id, status: 200 },
    ],
  })
  expect(second).toMatchObject({
    attempts: [{ channel: whole.id, name: 'whole' }],
    excluded: [{ channel: limited.id, excluded: 'cooling down after a rate limit' }],
  })
  expect((await root.get('/api/route/choices?group=vip&model=m')).data).toEqual([])
  // Users must not see which channels their calls used.
  const { client } = await makeUser(app)
  expect(await client.get('/api/route/choices?group=default&model=m')).toMatchObject({ success: false })
})

test('another channel is tried only within the time that retries may take', async () => {
  const { app, channel, chat, upstream, logs } = await relayFixture({ options: { RetryTimes: 3, RetrySeconds: 5 } })
  const vendor = slowVendor(app, 500)
  await channel('m', { name: 'slow', priority: 5, base_url: vendor.url })
  await channel('m', { name: 'whole' })
  vendor.takes(4)
  expect((await chat('m')).status).toBe(200)
  vendor.takes(6)
  expect((await chat('m')).status).toBe(500)
  expect(upstream.journal).toHaveLength(1)
  expect((await logs()).map(({ detail }) => detail.stopped)).toEqual([undefined, 'time'])
})

test('a call without an answer shows why no other channel was tried', async () => {
  const { channel, chat, onlyLog, app } = await relayFixture({ options: { RetryTimes: 1 } })
  for (const name of ['one', 'two', 'three']) await channel('m', { name, model_mapping: '{"m":"fault/server"}' })
  await chat('m')
  expect((await onlyLog()).detail).toMatchObject({ stopped: 'retries', attempts: [{}, {}] })
  await channel('wrong', { model_mapping: '{"wrong":"fault/bad-request"}' })
  await chat('wrong')
  const rows = await app.db.selectFrom('logs').select('detail').orderBy('id', 'desc').limit(1).execute()
  expect(JSON.parse(rows[0]?.detail ?? '')).toMatchObject({ stopped: 'request' })
})

test('open calls are counted while they run, and times by the calls that were answered', async () => {
  const { app, root, channel, chat, upstream, atRest } = await relayFixture()
  await channel('m', { name: 'quick', base_url: slowVendor(app, 200, 0.5).url })
  await chat('m')
  const stateOf = async (model: string) => (await viewOf(root, 'default', model)).levels[0].channels[0].health
  const { first_byte_p50, first_byte_p95, open } = await stateOf('m')
  expect(Math.abs(first_byte_p50 - 500)).toBeLessThan(60)
  expect(first_byte_p95).toBe(first_byte_p50)
  expect(open).toBe(0)
  await channel('fault/hang', { name: 'hanging' })
  const leave = new AbortController()
  const hanging = chat('fault/hang', {}, { signal: leave.signal }).catch(() => undefined)
  await upstream.received(1)
  expect((await stateOf('fault/hang')).open).toBe(1)
  leave.abort()
  await hanging
  await atRest()
  expect((await stateOf('fault/hang')).open).toBe(0)
})
