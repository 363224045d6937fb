import { expect, onTestFinished, test } from 'bun:test'
import { seconds } from '../common/clock.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import { alertFixture, look, makeDestination, makeRule, pointAt } from '../testing/alert-fixture.ts'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeChannel } from '../testing/channel-makers.ts'
import { asRoot, makeUser, setOptions } from '../testing/makers.ts'
import { fakeWebhook } from '../testing/outside/fake-alert-services.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

/** The cost of an hour of the site. */
const spend = (app: TestApp, start: number, quota: number) =>
  app.db
    .insertInto('total_usage')
    .values({ span: HOUR, start, request_count: 1, quota, prompt_tokens: 0, completion_tokens: 0 })
    .execute()

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
  const own = { owner: 'own', way: 'webhook', name: 'mine', address: 'https://own.invalid/', secret: 'x'.repeat(9) }
  const { data: destination } = await user.client.post('/api/alert/destination/', { ...own, language: 'en' })
  await pointAt(app, destination, hook)
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
