import { expect, setDefaultTimeout, test } from 'bun:test'
import { storedChannel } from '../testing/channel-makers.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

async function statusOf({ app }: RelayFixture, id: number) {
  const { status, status_reason } = await storedChannel(app, id)
  return { status, reason: status_reason }
}

/** A failing channel is disabled in the background, after its caller has been answered. */
async function untilStatus(fixture: RelayFixture, id: number, wanted: number) {
  const deadline = Date.now() + 10_000
  for (;;) {
    const found = await statusOf(fixture, id)
    if (found.status === wanted) return found
    if (Date.now() > deadline) throw new Error(`Still ${found.status}`)
    await Bun.sleep(5)
  }
}

test.each(['fault/auth', 'fault/quota'])(
  '%s disables a channel at once, with the reason, if that is allowed [R3.24]',
  async (model) => {
    const fixture = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
    const { channel, chat, upstream } = fixture
    const { id } = await channel(model)
    await chat(model)
    const { reason } = await untilStatus(fixture, id, 3)
    expect(reason).toMatch(model === 'fault/auth' ? /Incorrect API key/ : /exceeded your current quota/)
    // At once, not only at the next check.
    expect((await chat(model)).status).toBe(503)
    expect(upstream.journal).toHaveLength(1)
  },
)

test('nothing is disabled automatically unless the operator allows it [R3.24]', async () => {
  const fixture = await relayFixture()
  const { channel, chat } = fixture
  const { id } = await channel('fault/auth,fault/server')
  for (let n = 0; n < 12; n++) await chat(n % 2 === 0 ? 'fault/auth' : 'fault/server')
  expect(await statusOf(fixture, id)).toEqual({ status: 1, reason: '' })
})

test('other failures disable a channel only by their rate, over enough calls [R3.24]', async () => {
  const fixture = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const { channel, chat } = fixture
  const mostly = await channel('fault/server,say/5', { name: 'mostly fine' })
  const broken = await channel('fault/bad-gateway', { name: 'broken' })
  for (let n = 0; n < 30; n++) await chat(n % 3 === 0 ? 'fault/server' : 'say/5')
  for (let n = 0; n < 9; n++) await chat('fault/bad-gateway')
  expect((await statusOf(fixture, broken.id)).status).toBe(1)
  await chat('fault/bad-gateway')
  expect((await untilStatus(fixture, broken.id, 3)).reason).toBe('最近 10 次调用中有 10 次失败')
  // Each reader sees it in their own language.
  expect((await storedChannel(fixture.app, broken.id)).status_reason_en).toBe('10 of the last 10 calls failed')
  expect((await statusOf(fixture, mostly.id)).status).toBe(1)
})

test('the caller’s own mistakes do not count against a channel [R3.24]', async () => {
  const fixture = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const { channel, chat } = fixture
  const { id } = await channel('fault/bad-request')
  for (let n = 0; n < 15; n++) await chat('fault/bad-request')
  expect(await statusOf(fixture, id)).toEqual({ status: 1, reason: '' })
})

test('answers that break off count as failures [R3.24]', async () => {
  const fixture = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const { channel, chat } = fixture
  const { id } = await channel('fault/error-mid')
  for (let n = 0; n < 10; n++) await (await chat('fault/error-mid', { stream: true })).text()
  await untilStatus(fixture, id, 3)
})

test('a channel that works again is enabled again, unless a person had disabled it [R3.24]', async () => {
  const fixture = await relayFixture({
    options: { AutomaticDisableChannelEnabled: true, AutomaticEnableChannelEnabled: true },
  })
  const { root, channel, chat } = fixture
  const recovering = await channel('then/auth/say/3', { name: 'recovering' })
  const byHand = await channel('say/4', { name: 'by hand' })
  await chat('then/auth/say/3')
  await untilStatus(fixture, recovering.id, 3)
  await root.put('/api/channel/', { id: byHand.id, status: 2 })
  await root.get('/api/channel/test?scope=disabled')
  await untilStatus(fixture, recovering.id, 1)
  const deadline = Date.now() + 10_000
  while ((await root.get('/api/channel/test_progress')).data.active && Date.now() < deadline) await Bun.sleep(5)
  expect((await statusOf(fixture, byHand.id)).status).toBe(2)
})

test('a manual disable is not overwritten by a late failure [R3.24]', async () => {
  const fixture = await relayFixture({ options: { AutomaticDisableChannelEnabled: true } })
  const { root, channel, chat, upstream } = fixture
  const { id } = await channel('fault/error-after-role')
  const active = await chat('fault/error-after-role', { stream: true })
  await root.put('/api/channel/', { id, status: 2 })
  upstream.release()
  await active.text()
  expect((await statusOf(fixture, id)).status).toBe(2)
})
