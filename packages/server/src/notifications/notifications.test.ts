import { expect, onTestFinished, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { createFaults } from '../testing/failing-database.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { linkIn, withMail } from '../testing/mailbox.ts'
import { asRoot, makeUser, setOptions } from '../testing/makers.ts'
import { fakePusher } from '../testing/outside/fake-pusher.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

test('a balance that falls below the threshold by an edit causes one mail [R2.66]', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  await setOptions(app, {
    QuotaRemindThreshold: 1000,
    DisplayInCurrencyEnabled: false,
    ServerAddress: 'https://gateway.example.com',
  })
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna', email: 'anna@example.com', quota: 5000 })
  const set = (quota: number) => root.put('/api/user/', { id, quota })

  await set(1000) // at the threshold is not below it
  await set(999)
  const low = await mail.waitForMail('anna@example.com')
  expect(low.headers.subject).toBe('【Tollgate】额度即将用尽')
  expect(low.text).toContain('anna，您好！您的额度即将用尽，当前剩余 999 点额度')
  expect(linkIn(low).href).toBe('https://gateway.example.com/topup')

  await set(500) // below already
  await set(0)
  expect((await mail.waitForMail('anna@example.com')).headers.subject).toBe('【Tollgate】额度已用尽')
  await set(5000)
  await set(10)
  expect((await mail.waitForMail('anna@example.com')).text).toContain('当前剩余 10 点额度')
  expect(mail.received).toHaveLength(3)
})

test('an account without an address, and a site without a mail server, get none; a failed mail is logged', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const { id } = await makeUser(app, { email: 'anna@example.com', quota: 5000 })
  const silent = await makeUser(app, { quota: 5000 })
  expect((await root.put('/api/user/', { id, quota: 1 })).success).toBe(true)
  const mail = await withMail(app)
  expect((await root.put('/api/user/', { id: silent.id, quota: 1 })).success).toBe(true)
  expect(app.lines.filter((line) => line.includes('"error"'))).toEqual([])
  await mail.stop()
  await root.put('/api/user/', { id, quota: 5000 })
  expect((await root.put('/api/user/', { id, quota: 1 })).success).toBe(true)
  await app.logged('A quota reminder could not be sent')
  expect(mail.received).toEqual([])
})

const notice = { title: 'Title', description: 'Short', content: 'Line 1\n<b>Line 2</b>' }

test('a notice for the operator uses the message pusher [R2.75]', async () => {
  const pusher = fakePusher()
  onTestFinished(() => pusher.stop())
  const app = await testApp()
  await setOptions(app, { MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token })
  await app.parts.notifications.tellRoot(notice)
  expect(pusher.pushed).toEqual([notice])
})

test('without a pusher, or when it refuses, the notice goes to root by mail', async () => {
  const pusher = fakePusher()
  onTestFinished(() => pusher.stop())
  const app = await testApp()
  const mail = await withMail(app)
  await app.db.updateTable('users').set({ email: 'root@example.com' }).where('id', '=', 1).execute()
  await app.parts.notifications.tellRoot(notice)
  const received = await mail.waitForMail('root@example.com')
  expect(received.headers.subject).toBe('Title')
  expect(received.text.split(/\r?\n/)).toEqual(['Line 1', '<b>Line 2</b>'])
  expect(received.html).toMatch(/^<div style="white-space:pre-wrap">Line 1\r?\n&lt;b&gt;Line 2&lt;\/b&gt;<\/div>$/)

  await setOptions(app, { MessagePusherAddress: pusher.address, MessagePusherToken: 'wrong' })
  await app.parts.notifications.tellRoot(notice)
  await mail.waitForMail('root@example.com')
  expect(pusher.pushed).toEqual([])
  expect(await app.logged('The message pusher failed')).not.toContain('wrong')
})

test('a notice during an outage of the database does not fail what caused it', async () => {
  const faults = createFaults()
  const app = await testApp({ faults })
  faults.failAt(1)
  await app.parts.notifications.usageAnomaly({ channel: { id: 1, name: 'one' }, model: 'm', requestId: 'r' })
  await app.logged('A notice could not be sent')
})

test('a notice that cannot be delivered in any way does not fail what caused it', async () => {
  const app = await testApp()
  await app.parts.notifications.tellRoot(notice)
  await app.db.updateTable('users').set({ email: 'root@example.com' }).where('id', '=', 1).execute()
  await app.parts.notifications.tellRoot(notice)
  await app.logged('A notice could not be sent')
})

test('the daily audit notifies root of a ledger that does not add up, and only then', async () => {
  const pusher = fakePusher()
  onTestFinished(() => pusher.stop())
  const app = await testApp()
  await setOptions(app, { MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token })
  const audit = async () => {
    for (const job of app.parts.jobs) if (job.name === 'audit') await job.run()
  }
  await audit()
  expect(pusher.pushed).toEqual([])
  const { id } = await makeUser(app, { quota: 5 })
  await app.db.updateTable('users').set({ quota: 6 }).where('id', '=', id).execute()
  await audit()
  expect(pusher.pushed).toMatchObject([{ content: expect.stringContaining('I3') }])
})

test('unsolicited mails are in the language of the site', async () => {
  const app = await testApp()
  const mail = await withMail(app)
  await setOptions(app, { QuotaRemindThreshold: 1000, DefaultLocale: 'en' })
  const root = await asRoot(app)
  const { id } = await makeUser(app, { username: 'anna', email: 'anna@example.com', quota: 5000 })
  await root.put('/api/user/', { id, quota: 999 })
  const { text } = await mail.waitForMail('anna@example.com')
  expect(text).toContain('$0.001998 of quota')
  expect(text).not.toMatch(/[\u4e00-\u9fff]/)
})

test('implausible usage is reported to the operator, once an hour for each channel', async () => {
  const pusher = fakePusher()
  onTestFinished(() => pusher.stop())
  const options = { MessagePusherAddress: pusher.address, MessagePusherToken: pusher.token, DefaultLocale: 'en' }
  const { app, chat, channel, logs } = await relayFixture({ options })
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 200_000_000, completion_tokens: 1 }
  const vendor = fakeVendor(() => Response.json({ id: 'c', choices, usage }))
  await channel('m', { base_url: vendor.url, name: 'lighthouse' })
  for (const secondsLater of [0, 3500, 200]) {
    app.clock.pass(secondsLater)
    expect((await chat('m')).status).toBe(200)
  }
  const rows = await logs()
  expect(rows.map(({ detail }) => detail.source)).toEqual(Array(3).fill('usage_anomaly'))
  while (pusher.pushed.length < 2) await Bun.sleep(5)
  const [first, second] = pusher.pushed
  expect(first?.title).toContain('"lighthouse"')
  expect(first?.content).toContain(`Request ID: ${rows[0]?.request_id}`)
  expect(second?.content).toContain(`Request ID: ${rows[2]?.request_id}`)
  expect(await app.audit()).toEqual([])
})
