import { expect, onTestFinished, test } from 'bun:test'
import { ChannelStatus } from '@tollgate/contract'
import { seconds } from '../common/clock.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Job } from '../jobs/job.ts'
import { createJobLocks } from '../jobs/job-locks.ts'
import { locksOf } from '../ledger/stores/locks.ts'
import { alertFixture, look, makeDestination, makeRule } from '../testing/alert-fixture.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { engine } from '../testing/database.ts'
import { withMail } from '../testing/mailbox.ts'
import { asRoot, makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import { fakePusher } from '../testing/outside/fake-pusher.ts'
import { nowOf } from '../testing/token-makers.ts'

const setStatus = (app: TestApp, id: number, status: number) =>
  app.db
    .updateTable('channels')
    .set({ status, status_reason: '密钥失效', status_reason_en: 'The key is not valid' })
    .where('id', '=', id)
    .execute()

test('a disabled channel is reported once within the quiet time, again after it, and when it is over', async () => {
  const { app, root, rule, delivered, look, hook } = await alertFixture()
  await setOptions(app, { ServerAddress: 'https://gateway.example.com' })
  const { id } = await makeChannel(root, { name: 'azure' })
  const ruleId = await rule('channel_disabled', { quiet_minutes: 60 })
  await look()
  expect(delivered()).toEqual([])

  await setStatus(app, id, ChannelStatus.autoDisabled)
  await look()
  expect(hook.events).toMatchObject([
    {
      event: 'alert',
      kind: 'channel_disabled',
      subject: `${id}`,
      text: 'Reason: The key is not valid',
      link: `https://gateway.example.com/channel/edit/${id}`,
    },
  ])
  const title = `[Tollgate] Channel "azure" (#${id}) was disabled automatically`
  expect(delivered()).toEqual([`alert: ${title}`])
  expect((await root.get('/api/alert/rule/?owner=gateway')).data).toMatchObject([
    {
      id: ruleId,
      firing: 1,
      firing_now: [{ title: { zh: `渠道「azure」（#${id}）已被自动禁用` }, since: seconds(app.clock) }],
    },
  ])
  app.clock.pass(59 * 60)
  await look()
  expect(delivered()).toEqual([])
  app.clock.pass(60)
  await look()
  expect(delivered()).toEqual([`alert: ${title}`])

  await setStatus(app, id, ChannelStatus.enabled)
  await look()
  await look()
  expect(delivered()).toEqual([`over: [Tollgate] Resolved: Channel "azure" (#${id}) was disabled automatically`])

  // Firing again within the quiet time is not reported, and neither is its end; it is reported if it lasts.
  await setStatus(app, id, ChannelStatus.autoDisabled)
  await look()
  await setStatus(app, id, ChannelStatus.enabled)
  await look()
  expect(delivered()).toEqual([])
  await setStatus(app, id, ChannelStatus.autoDisabled)
  await look()
  app.clock.pass(HOUR)
  await look()
  expect(delivered()).toEqual([`alert: ${title}`])
})

test('only one of two nodes reports, and a restart forgets nothing', async () => {
  const { app, root, rule, delivered } = await alertFixture()
  const { id } = await makeChannel(root, { name: 'azure' })
  await rule('channel_disabled')
  await setStatus(app, id, ChannelStatus.autoDisabled)
  const second = await testApp({ location: app.location })
  // As the two schedulers would: both at once, then one after the other.
  const turns = [app, second].map((node) => ({
    take: createJobLocks(node.db, locksOf(engine, node.location), node.clock),
    jobs: node.parts.jobs.filter(({ name }) => name === 'alerts'),
  }))
  await Promise.all(turns.flatMap(({ take, jobs }) => jobs.map(take)))
  await look(second)
  await look(app)
  expect(delivered()).toHaveLength(1)
  const third = await testApp({ location: app.location })
  await look(third)
  expect(delivered()).toEqual([])
})

test('a message that is not accepted is retried from the database, six times within about an hour', async () => {
  const { app, root, rule, delivered, hook, failWith } = await alertFixture()
  const { id } = await makeChannel(root)
  await rule('channel_disabled')
  await setStatus(app, id, ChannelStatus.autoDisabled)
  failWith(() => new Response('', { status: 503 }))
  await look(app)
  const newest = async () => (await (await asRoot(app)).get('/api/alert/delivery/?owner=gateway')).data[0]
  expect(await newest()).toMatchObject({ state: 'pending', attempts: 1, error: 'HTTP 503' })
  await look(app)
  expect(hook.received).toHaveLength(1)

  // Another process continues where this one stopped.
  const second = await testApp({ location: app.location })
  second.clock.pass(60)
  failWith(undefined)
  await look(second)
  expect(delivered()).toHaveLength(1)
  expect(await newest()).toMatchObject({ state: 'sent', attempts: 2, error: '' })
  const ids = hook.received.map(({ headers }) => headers.get('x-tollgate-delivery'))
  expect(new Set(ids).size).toBe(1)

  await setStatus(app, id, ChannelStatus.enabled)
  failWith(() => new Response('', { status: 500 }))
  for (const pause of [0, 60, 180, 600, 1200, 1800, 3600]) {
    app.clock.pass(pause)
    await look(app)
  }
  expect(await newest()).toMatchObject({ state: 'failed', attempts: 6, error: 'HTTP 500', next_at: 0 })
  expect(hook.received).toHaveLength(2 + 6)

  // A permanent failure is not retried.
  await setStatus(app, id, ChannelStatus.autoDisabled)
  failWith(() => new Response('', { status: 410 }))
  app.clock.pass(DAY)
  await look(app)
  app.clock.pass(HOUR)
  await look(app)
  expect(await newest()).toMatchObject({ state: 'failed', attempts: 1, error: 'HTTP 410' })
})

test('a destination that is away, with many messages waiting, delays no other destination', async () => {
  const { app, root, destination, hook, delivered } = await alertFixture()
  const away = await makeDestination(root, { way: 'webhook', address: 'http://127.0.0.1:1/', secret: 'a' })
  const waiting = await waitingMessages(app, away, 120)
  await waitingMessages(app, destination, 3)
  await look(app)
  expect(delivered()).toHaveLength(3)
  expect(hook.received).toHaveLength(3)
  const ofAway = await app.db
    .selectFrom('alert_deliveries')
    .select(['attempts', 'state'])
    .where('destination_id', '=', away)
    .execute()
  expect(ofAway.filter(({ state }) => state === 'pending')).toHaveLength(waiting)
  expect(ofAway.filter(({ attempts }) => attempts > 0)).toHaveLength(1)
})

test('a process that dies while sending leaves a counted attempt, and the next process makes the next one', async () => {
  const { app, root, rule, delivered, failWith } = await alertFixture()
  const { id } = await makeChannel(root)
  await rule('channel_disabled')
  await setStatus(app, id, ChannelStatus.autoDisabled)
  failWith(() => new Response('', { status: 503 }))
  await look(app)
  // The state after a kill between claiming the second attempt and its answer.
  const now = seconds(app.clock)
  await app.db
    .updateTable('alert_deliveries')
    .set({ attempts: 2, tried_at: now, next_at: now + 180 })
    .execute()
  failWith(undefined)
  const second = await testApp({ location: app.location })
  await look(second)
  expect(delivered()).toEqual([])
  second.clock.pass(181)
  await look(second)
  expect(delivered()).toHaveLength(1)

  // If even the last attempt was interrupted, the delivery is given up.
  await app.db.updateTable('alert_deliveries').set({ attempts: 6, state: 'pending', next_at: now }).execute()
  await look(second)
  expect(delivered()).toEqual([])
  const [row] = await app.db.selectFrom('alert_deliveries').select(['state', 'attempts', 'error']).execute()
  expect(row).toEqual({ state: 'failed', attempts: 6, error: 'Every try was interrupted' })
})

test('an address encrypted with another master key is reported as unreadable, and can be entered again', async () => {
  const { app, root, hook, destination, delivered } = await alertFixture()
  await app.db.updateTable('alert_destinations').set({ target_sealed: 'v1.0123.x.y' }).execute()
  const test = async () => (await root.post(`/api/alert/destination/test/${destination}`)).data
  expect(await test()).toEqual({
    sent: false,
    error: 'The address cannot be decrypted with the current master key: enter it again',
  })
  const edit = { id: destination, name: 'hook', private_allowed: true, language: 'en' }
  expect((await root.put('/api/alert/destination/', { ...edit, secret: hook.secret })).body.field).toBe('address')
  expect((await root.put('/api/alert/destination/', edit)).success).toBe(true)
  await root.put('/api/alert/destination/', { ...edit, address: hook.address, secret: hook.secret })
  expect(await test()).toEqual({ sent: true, error: '' })
  expect(delivered()).toEqual(['test: [Tollgate] Test alert'])
})

test('what a rule covers is reported by the rule alone; without a rule, the settings apply', async () => {
  const { app, root, rule, delivered, look } = await alertFixture()
  const pusher = fakePusher()
  onTestFinished(() => pusher.stop())
  const mail = await withMail(app)
  await setOptions(app, {
    ...{ MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token, QuotaRemindThreshold: 1000 },
  })
  const change = { channel: { id: 1, name: 'azure' }, change: 'disabled', reason: { zh: '', en: '' } } as const
  const { channelChanged, booksDiffer } = app.parts.notifications
  const notice = { title: 't', description: 'd', content: 'c' }
  await channelChanged(change)
  await booksDiffer(notice)
  expect(pusher.pushed).toHaveLength(2)
  const disabledRule = await rule('channel_disabled')
  await rule('books')
  await channelChanged(change)
  await booksDiffer(notice)
  expect(pusher.pushed).toHaveLength(2)
  const off = { id: disabledRule, threshold: 0, enabled: false, destinations: [1] }
  expect((await root.put('/api/alert/rule/', off)).success).toBe(true)
  await channelChanged(change)
  expect(pusher.pushed).toHaveLength(3)

  const user = await makeUser(app, { email: 'anna@example.com', quota: 5000 })
  const { data: id } = await user.client.post('/api/alert/destination/', { owner: 'own', way: 'email', name: 'mail' })
  await makeRule(user.client, { owner: 'own', kind: 'balance', threshold: 2000, destinations: [id] })
  await root.put('/api/user/', { id: user.id, quota: 900 })
  await look()
  expect((await mail.waitForMail('anna@example.com')).text).toContain('阈值')
  expect(mail.received).toHaveLength(1)
  expect(delivered()).toEqual([])
})

test('an edit changes what is sent, and what somebody else changed meanwhile stays', async () => {
  const { root, rule, destination } = await alertFixture()
  const id = await rule('failures')
  const listed = async (noun: string, one: number) =>
    (await root.get(`/api/alert/${noun}/?owner=gateway`)).data.find((row: { id: number }) => row.id === one)
  for (const [noun, one, edits] of [
    ['rule', id, [{ threshold: 42 }, { minimum: 7 }, { quiet_minutes: 15 }, { enabled: false }, {}]],
    ['destination', destination, [{ name: 'night' }, { language: 'en' }, { zone: 'Asia/Kolkata' }, {}]],
  ] as const) {
    for (const edit of edits) {
      const before = await listed(noun, one)
      expect((await root.put(`/api/alert/${noun}/`, { id: one, ...edit })).data).toEqual({ ...before, ...edit })
      expect(await listed(noun, one)).toEqual({ ...before, ...edit })
    }
  }
})

test('nobody can see or use the rules, destinations and deliveries of another user', async () => {
  const { app, root, rule, destination } = await alertFixture()
  const ruleId = await rule('books')
  const admin = await makeAdmin(app)
  const [user, other] = [await makeUser(app), await makeUser(app)]
  const own = { owner: 'own', way: 'slack', name: 'mine', address: 'https://hooks.slack.com/services/T/B/X' }
  const { data: mine } = await user.client.post('/api/alert/destination/', own)
  const myRule = await makeRule(user.client, { owner: 'own', kind: 'balance', threshold: 5, destinations: [mine] })

  for (const noun of ['rule', 'destination', 'delivery']) {
    expect((await user.client.get(`/api/alert/${noun}/?owner=gateway`)).success).toBe(false)
    for (const client of [other.client, admin.client, root]) {
      expect((await client.get(`/api/alert/${noun}/?owner=own`)).data).toEqual([])
    }
  }
  const refused = async (client: typeof root, id: number, rowOfRule: number) => {
    const edit = { id, name: 'taken', address: 'https://example.com/' }
    const rule = { id: rowOfRule, threshold: 1, destinations: [id] }
    for (const answer of [
      await client.put('/api/alert/destination/', edit),
      await client.delete(`/api/alert/destination/${id}`),
      await client.post(`/api/alert/destination/test/${id}`),
      await client.put('/api/alert/rule/', rule),
      await client.delete(`/api/alert/rule/${rowOfRule}`),
      await client.post('/api/alert/rule/', { owner: 'own', kind: 'balance', threshold: 1, destinations: [id] }),
    ])
      expect(answer.success).toBe(false)
  }
  for (const client of [other.client, admin.client, root]) await refused(client, mine, myRule)
  await refused(user.client, destination, ruleId)
  // A user cannot create gateway rules, and the gateway has no user rules.
  const kinds = { threshold: 1, destinations: [mine] }
  expect((await user.client.post('/api/alert/rule/', { owner: 'own', kind: 'books', ...kinds })).success).toBe(false)
  const wrong = { owner: 'gateway', kind: 'balance', threshold: 1, destinations: [destination] }
  expect((await root.post('/api/alert/rule/', wrong)).body.field).toBe('kind')
  for (const fields of [{ threshold: -1 }, { quiet_minutes: 4 }, { destinations: [] }, { minimum: 1.5 }]) {
    const rule = { owner: 'own', kind: 'balance', ...kinds, ...fields }
    expect((await user.client.post('/api/alert/rule/', rule)).body.field).toBe(Object.keys(fields)[0])
  }
})

test('a removed destination is dropped from its rules and pending deliveries; a rule that fails to evaluate does not stop others', async () => {
  const { app, root, rule, delivered, look, destination, failWith } = await alertFixture()
  const { id } = await makeChannel(root)
  await rule('channel_disabled')
  await setStatus(app, id, ChannelStatus.autoDisabled)
  failWith(() => new Response('', { status: 503 }))
  await look()
  expect((await root.delete(`/api/alert/destination/${destination}`)).success).toBe(true)
  expect((await root.get('/api/alert/rule/?owner=gateway')).data).toMatchObject([{ destinations: [] }])
  // A rule without destinations does not suppress the notice to root.
  const pusher = fakePusher()
  onTestFinished(() => pusher.stop())
  await setOptions(app, { MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token })
  const change = { channel: { id, name: 'azure' }, change: 'disabled', reason: { zh: '', en: '' } } as const
  await app.parts.notifications.channelChanged(change)
  expect(pusher.pushed).toHaveLength(1)
  const [delivery] = (await root.get('/api/alert/delivery/?owner=gateway')).data
  expect(delivery).toMatchObject({ state: 'failed', error: 'The destination was removed' })

  failWith(undefined)
  await app.db.updateTable('alert_rules').set({ kind: 'unheard of', destinations: '[7]' }).execute()
  const fresh = await alertFixture({ location: app.location })
  await fresh.rule('channel_disabled')
  await fresh.look()
  expect(fresh.delivered()).toHaveLength(1)
  await fresh.app.logged('An alert rule could not be looked at')
  expect(delivered()).toEqual([])
})

test('deliveries older than a month are removed, and a firing state is kept', async () => {
  const { app, root, rule, look } = await alertFixture()
  const { id } = await makeChannel(root)
  await rule('channel_disabled', { quiet_minutes: 43_200 })
  await setStatus(app, id, ChannelStatus.autoDisabled)
  await look()
  app.clock.pass(31 * DAY)
  for (const job of app.parts.jobs) if (job.name === 'housekeeping') await job.run()
  expect((await (await asRoot(app)).get('/api/alert/delivery/?owner=gateway')).data).toEqual([])
  expect(await app.db.selectFrom('alert_states').select('firing').execute()).toEqual([{ firing: 1 }])
})

test('a node without rules is idle, and creating a rule wakes it', async () => {
  const { app, rule, look } = await alertFixture()
  const jobs: readonly Job[] = app.parts.jobs
  const isIdle = () => jobs.find(({ name }) => name === 'alerts')?.isIdle?.()
  expect(isIdle()).toBe(false)
  await look()
  expect(isIdle()).toBe(true)
  // A rule that another node created is found after a while.
  app.clock.pass(600)
  expect(isIdle()).toBe(false)
  await look()
  await rule('books')
  expect(isIdle()).toBe(false)
  await look()
  expect(isIdle()).toBe(false)
})

/** Messages about an outage of many channels, due now. */
async function waitingMessages(app: TestApp, destination: number, count: number) {
  const at = nowOf(app) - count
  const message = {
    event: 'alert',
    kind: 'channel_disabled',
    subject: '1',
    title: 'Away',
    lines: [],
    link: '',
    language: 'en',
    at,
  }
  const row = {
    ...{
      owner_id: 0,
      rule_id: 0,
      destination_id: destination,
      kind: 'channel_disabled',
      title: 'Away',
      way: 'webhook',
    },
    ...{ destination_name: 'hook', message: JSON.stringify(message), state: 'pending' as const, attempts: 0 },
    ...{ created_time: at, tried_at: 0, next_at: at, error: '' },
  }
  await app.db
    .insertInto('alert_deliveries')
    .values(Array.from({ length: count }, () => row))
    .execute()
  return count
}
