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
import { fakeWebhook } from '../testing/outside/fake-alert-services.ts'
import { fakePusher } from '../testing/outside/fake-pusher.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

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

test('a failing channel, and the overall failure rate, are reported with figures', async () => {
  const { app, root, channel, chat } = await relayFixture()
  const hook = fakeWebhook()
  onTestFinished(() => hook.stop())
  const ways = { way: 'webhook', address: hook.address, secret: hook.secret, language: 'en' }
  const destinations = [await makeDestination(root, ways)]
  await makeRule(root, { kind: 'channel_failing', threshold: 50, minimum: 4, destinations })
  await makeRule(root, { kind: 'failures', threshold: 50, minimum: 4, destinations })
  await setOptions(app, { AutomaticDisableChannelEnabled: false, RetryTimes: 0 })
  const { id } = await channel('fault/server,say/5', { name: 'flaky' })
  for (let n = 0; n < 2; n++) await chat('fault/server')
  expect((await chat('say/5')).status).toBe(200)
  await look(app)
  expect(hook.events).toEqual([])
  app.clock.pass(30)
  for (let n = 0; n < 2; n++) await chat('fault/server')
  await look(app)
  expect(hook.events.splice(0)).toMatchObject([
    {
      kind: 'channel_failing',
      subject: `${id}`,
      title: `[Tollgate] Channel "flaky" (#${id}) is failing too often`,
      text: expect.stringMatching(
        /^4 of 5 attempts failed \(80\.0%, threshold 50%\)\nPeriod: .+ \(UTC\) to .+ \(UTC\)\n/,
      ),
    },
    { kind: 'failures', text: expect.stringContaining('4 of 5 calls failed (80.0%, threshold 50%)') },
  ])
  app.clock.pass(2 * DAY)
  await look(app)
  expect(hook.events.map(({ event, kind }) => `${event} ${kind}`)).toEqual(['over channel_failing', 'over failures'])
})

/** The cost of an hour of the site. */
const spend = (app: TestApp, start: number, quota: number) =>
  app.db
    .insertInto('total_usage')
    .values({ span: HOUR, start, request_count: 1, quota, prompt_tokens: 0, completion_tokens: 0 })
    .execute()

test('unusual spend compared with the same hour of previous days is reported, and nothing without a day of history', async () => {
  const { app, rule, delivered, look, hook } = await alertFixture()
  const now = seconds(app.clock)
  const hour = now - (now % HOUR)
  await rule('spend', { threshold: 3, minimum: 1000 })
  await spend(app, hour, 1_000_000)
  await look()
  expect(delivered()).toEqual([])
  // Two days of history, 200 and 400 at this hour: usually 300.
  await spend(app, hour - DAY, 200)
  await spend(app, hour - 2 * DAY, 400)
  await spend(app, hour - 2 * DAY - HOUR, 1)
  const costs = (quota: number) => app.db.updateTable('total_usage').set({ quota }).where('start', '=', hour).execute()
  await costs(900)
  await look()
  await costs(999)
  await look()
  expect(delivered()).toEqual([])
  await costs(1001)
  await look()
  expect(hook.events).toMatchObject([{ text: expect.stringContaining('the same hour usually costs $0.0006 of quota') }])
  expect(delivered()).toEqual(['alert: [Tollgate] Unusual hourly spend'])
  // It fires until a whole hour has passed without.
  app.clock.pass(HOUR)
  await look()
  expect(delivered()).toEqual([])
  app.clock.pass(HOUR)
  await look()
  expect(delivered()).toEqual(['over: [Tollgate] Resolved: Unusual hourly spend'])
})

test('a low vendor balance, a missing price, a wrong ledger and a lost node are reported, and so is their end', async () => {
  const { app, root, rule, delivered, look } = await alertFixture()
  for (const kind of ['price', 'books', 'node']) await rule(kind)
  await rule('channel_balance', { threshold: 5 })
  const { id } = await makeChannel(root, { name: 'azure', models: 'a-model-nobody-priced' })
  await look()
  expect(delivered()).toEqual([`alert: [Tollgate] Channel "azure" (#${id}) offers models without a price`])
  await app.db.updateTable('channels').set({ models: 'gpt-4o' }).execute()
  await look()
  expect(delivered()).toEqual([`over: [Tollgate] Resolved: Channel "azure" (#${id}) offers models without a price`])

  const balance = (dollars: number) =>
    app.db
      .updateTable('channels')
      .set({ balance: dollars, balance_updated_time: seconds(app.clock) })
      .execute()
  await balance(4.99)
  await look()
  expect(delivered()).toEqual([`alert: [Tollgate] Channel "azure" (#${id}) has a low balance`])
  await balance(5)
  await look()
  expect(delivered()).toEqual([`over: [Tollgate] Resolved: Channel "azure" (#${id}) has a low balance`])

  const user = await makeUser(app, { quota: 5 })
  const audit = async () => {
    for (const job of app.parts.jobs) if (job.name === 'audit') await job.run()
  }
  await app.db.updateTable('users').set({ quota: 6 }).where('id', '=', user.id).execute()
  await audit()
  await look()
  expect(delivered()).toEqual(['alert: [Tollgate] The ledger does not balance'])
  await app.db.updateTable('users').set({ quota: 5 }).where('id', '=', user.id).execute()
  app.clock.pass(1)
  await audit()
  await look()
  expect(delivered()).toEqual(['over: [Tollgate] Resolved: The ledger does not balance'])

  // A process that died without closing its epoch; the next one that starts finds it.
  await app.db.insertInto('owners').values({ epoch: 'dead', node: 'host:7', started_at: 1, closed_at: null }).execute()
  await testApp({ location: app.location })
  await look()
  expect(delivered()).toEqual(['alert: [Tollgate] Node host:7 is lost'])
  await look()
  expect(delivered()).toEqual(['over: [Tollgate] Resolved: Node host:7 is lost'])
  await look()
  expect(delivered()).toEqual([])
})

test('users are notified of their own balance, keys and budgets at the destinations they chose', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const hook = fakeWebhook()
  onTestFinished(() => hook.stop())
  const user = await makeUser(app, { username: 'anna', quota: 5000 })
  const other = await makeUser(app, { quota: 1 })
  const own = { owner: 'own', way: 'webhook', name: 'mine', address: hook.address, secret: hook.secret, language: 'en' }
  const { data: destination } = await user.client.post('/api/alert/destination/', own)
  // Only this test's server is local: root allows it for no other destination.
  await app.db.updateTable('alert_destinations').set({ private_allowed: 1 }).execute()
  const rule = (kind: string, threshold: number) =>
    makeRule(user.client, { owner: 'own', kind, threshold, destinations: [destination] })
  const delivered = async () => {
    await look(app)
    return hook.events.splice(0).map(({ event, title }) => `${event}: ${title}`)
  }
  await rule('balance', 1000)
  await rule('key', 100)
  await rule('key_expiry', 3)
  await rule('budget', 80)
  const expired_time = seconds(app.clock) + 4 * DAY
  const made = { name: 'agents', unlimited_quota: false, remain_quota: 100, expired_time }
  const { data: key } = await user.client.post('/api/token/', made)
  await other.client.post('/api/token/', { ...made, name: 'of the other', remain_quota: 1 })
  const budget = { scope: 'key', target: `${key.id}`, quota: 1000, period: 'forever' }
  const { data: budgetId } = await user.client.post('/api/budget/', budget)
  expect(await delivered()).toEqual([])

  await root.put('/api/user/', { id: user.id, quota: 999 })
  expect(await delivered()).toEqual(['alert: [Tollgate] Your balance is low'])
  await root.put('/api/user/', { id: user.id, quota: 1000 })
  expect(await delivered()).toEqual(['over: [Tollgate] Resolved: Your balance is low'])

  await app.db.updateTable('tokens').set({ remain_quota: 99 }).where('id', '=', key.id).execute()
  await app.db.insertInto('budget_usage').values({ budget_id: budgetId, slot: 0, used: 800, held: 0 }).execute()
  expect(await delivered()).toEqual([
    'alert: [Tollgate] Token "agents" is low on quota',
    'alert: [Tollgate] 80% used: the total budget of the key agents',
  ])
  app.clock.pass(DAY + 1)
  expect(await delivered()).toContain('alert: [Tollgate] Token "agents" is about to expire')
  await user.client.delete(`/api/token/${key.id}`)
  await user.client.delete(`/api/budget/${budgetId}`)
  expect((await delivered()).map((line) => line.split(':')[0])).toEqual(['over', 'over', 'over'])
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
