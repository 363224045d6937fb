import { expect, setDefaultTimeout, test } from 'bun:test'
import { Role } from '@tollgate/contract'
import type { RoutableChannel } from '../catalog/routable-channel.ts'
import { buildSnapshot } from '../catalog/snapshot.ts'
import { storedChannel } from '../testing/channel-makers.ts'
import { makeAdmin, makeUser, setOptions } from '../testing/makers.ts'
import { booksOf, keyOf, type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'
import { makeToken, nowOf } from '../testing/token-makers.ts'
import { createHealth } from '../upstream/health.ts'
import { findCandidates } from './candidates.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

/* Which channel is chosen: the choice itself, with a seeded random source. */

const channelLike = (id: number, fields: Partial<RoutableChannel> = {}): RoutableChannel => ({
  ...{ id, name: `channel ${id}`, type: 8, status: 1, priority: 0, weight: 0, models: ['m'], groups: ['default'] },
  ...{ mapping: new Map(), systemPrompt: '', testModel: '', baseUrl: '', key: '', other: '', config: {} },
  ...fields,
})

/** Mulberry32: small, and the same on every machine. */
function seeded(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** All channels in the order in which one call would try them. */
function drawn(channels: RoutableChannel[], random: () => number, groups = ['default']) {
  const health = createHealth({ now: () => 0 })
  const wanted = { groups, model: 'm', suits: () => true }
  const candidates = findCandidates(buildSnapshot(channels), health, wanted, random)
  const order: number[] = []
  for (let next = candidates.next(); next !== undefined; next = candidates.next()) order.push(next.route.id)
  return order
}

/** How often each channel was first in this many calls. */
function firsts(channels: RoutableChannel[], calls: number) {
  const random = seeded(20_261_115)
  const counts = new Map<number, number>()
  for (let n = 0; n < calls; n++) {
    const [first = 0] = drawn(channels, random)
    counts.set(first, (counts.get(first) ?? 0) + 1)
  }
  return counts
}

/** Within four standard deviations of what the weights promise. */
function expectShare(count: number | undefined, calls: number, share: number) {
  const deviation = Math.sqrt(calls * share * (1 - share))
  expect(Math.abs((count ?? 0) - calls * share)).toBeLessThan(4 * deviation)
}

test('within a tier channels are chosen by weight [R1.08]', () => {
  const counts = firsts(
    [channelLike(1, { weight: 1 }), channelLike(2, { weight: 3 }), channelLike(3, { weight: 6 })],
    20_000,
  )
  expectShare(counts.get(1), 20_000, 0.1)
  expectShare(counts.get(2), 20_000, 0.3)
  expectShare(counts.get(3), 20_000, 0.6)
})

test('with all weights 0 each channel is equally likely [R1.08]', () => {
  const counts = firsts([channelLike(1), channelLike(2), channelLike(3), channelLike(4)], 20_000)
  for (const id of [1, 2, 3, 4]) expectShare(counts.get(id), 20_000, 0.25)
})

test('a weight of 0 beside positive ones comes after all of them [R1.08]', () => {
  const random = seeded(7)
  const channels = [channelLike(1), channelLike(2, { weight: 1 }), channelLike(3, { weight: 100 }), channelLike(4)]
  for (let n = 0; n < 500; n++) {
    const order = drawn(channels, random)
    expect(new Set(order.slice(0, 2))).toEqual(new Set([2, 3]))
    expect(new Set(order.slice(2))).toEqual(new Set([1, 4]))
  }
})

test('the rest of a tier comes before the next tier, and no channel is tried twice [R1.08] [R1.10]', () => {
  const random = seeded(11)
  const channels = [
    ...[1, 2, 3].map((id) => channelLike(id, { priority: 5, weight: id })),
    ...[4, 5].map((id) => channelLike(id, { priority: -1, groups: ['default', 'vip'] })),
    ...[6, 7].map((id) => channelLike(id, { priority: 9 })),
  ]
  for (let n = 0; n < 500; n++) {
    const order = drawn(channels, random, ['default', 'vip'])
    expect([...order.slice(0, 2)].sort()).toEqual([6, 7])
    expect([...order.slice(2, 5)].sort()).toEqual([1, 2, 3])
    expect([...order.slice(5)].sort()).toEqual([4, 5])
  }
})

/* The same through the whole gateway. */

const WHOLE = 'say/10'
const COST = 21

const attemptsOf = (detail: { attempts: { name: string }[] }) => detail.attempts.map(({ name }) => name)

test('the channel of the highest priority answers, and the next one only when it fails [R1.07] [R1.08]', async () => {
  const { channel, chat, logs } = await relayFixture({ options: { RetryTimes: 2 } })
  await channel(WHOLE, { name: 'low', priority: 1 })
  await channel(WHOLE, { name: 'high', priority: 3 })
  await channel('m', { name: 'broken', priority: 9, model_mapping: '{"m":"fault/server"}' })
  await channel('m', { name: 'working', priority: -2, model_mapping: `{"m":"${WHOLE}"}` })
  for (let n = 0; n < 5; n++) await chat(WHOLE)
  await chat('m')
  expect((await logs()).map(({ detail }) => attemptsOf(detail))).toEqual([
    ...Array(5).fill(['high']),
    ['broken', 'working'],
  ])
})

test('groups are tried in their order, and the ratio of the one that answered is billed [R1.09]', async () => {
  const { channel, chat, logs, charges } = await relayFixture({
    group: 'vip,default',
    options: { DefaultModelRatio: 1, RetryTimes: 1, GroupRatio: '{"default":1,"vip":3,"svip":7}' },
  })
  await channel(WHOLE, { name: 'of vip', group: 'vip', priority: -5 })
  await channel(`${WHOLE},only-default`, {
    name: 'of default',
    priority: 5,
    model_mapping: `{"only-default":"${WHOLE}"}`,
  })
  await channel('broken', { name: 'broken vip', group: 'vip', model_mapping: '{"broken":"fault/server"}' })
  await channel('broken', { name: 'whole default', model_mapping: `{"broken":"${WHOLE}"}` })
  await channel('secret', { name: 'of svip', group: 'svip', model_mapping: `{"secret":"${WHOLE}"}` })
  await chat(WHOLE)
  await chat('only-default')
  await chat('broken')
  expect((await logs()).map(({ detail }) => [attemptsOf(detail), detail.price.group, detail.price.factor])).toEqual([
    [['of vip'], 'vip', '3'],
    [['of default'], 'default', '1'],
    [['broken vip', 'whole default'], 'default', '1'],
  ])
  expect((await charges()).map(({ delta }) => -delta)).toEqual([3 * COST, COST, COST])
  const refused = await chat('secret')
  expect([refused.status, (await refused.json()).error.code]).toEqual([404, 'model_not_found'])
})

test('an administrator may pin the channel: it is that one and no other [R1.08]', async () => {
  const { app, channel, chat, upstream } = await relayFixture({ options: { RetryTimes: 3 } })
  const admin = await makeAdmin(app, { quota: 1_000_000 })
  const key = await keyOf(admin.client)
  const low = await channel(WHOLE, { name: 'low', priority: -9 })
  await channel(WHOLE, { name: 'high', priority: 9 })
  const broken = await channel(WHOLE, { name: 'broken', model_mapping: `{"${WHOLE}":"fault/server"}` })
  expect((await chat(WHOLE, {}, { key: `${key}-${low.id}` })).status).toBe(200)
  expect((await chat(WHOLE, {}, { key: `${key}-${broken.id}` })).status).toBe(503)
  const { logs } = booksOf(app, admin.id)
  expect((await logs()).map(({ detail }) => attemptsOf(detail))).toEqual([['low'], ['broken']])
  expect(upstream.journal).toHaveLength(2)
})

test('a pinned channel that is unknown, disabled or invalid is refused, and so is any pin by a user', async () => {
  const { app, root, channel, chat, key, upstream } = await relayFixture()
  const admin = await keyOf((await makeAdmin(app, { quota: 1_000_000 })).client)
  const { id } = await channel(WHOLE)
  await root.put('/api/channel/', { id, status: 2 })
  for (const choice of [id, 999, 'x', '', '0']) {
    const response = await chat(WHOLE, {}, { key: `${admin}-${choice}` })
    expect([response.status, (await response.json()).error.code]).toEqual([400, 'relay_pin_unknown'])
  }
  const response = await chat(WHOLE, {}, { key: `${key}-${id}` })
  expect([response.status, (await response.json()).error.code]).toEqual([403, 'relay_pin_refused'])
  expect(upstream.journal).toEqual([])
})

/** The answer with which one key is refused. */
async function refusalFor({ chat }: RelayFixture, key: string, model = WHOLE) {
  const response = await chat(model, {}, { key })
  const body = await response.json()
  return [response.status, body.error?.code]
}

test('a key that is unknown, disabled, expired, empty or deleted is refused', async () => {
  const fixture = await relayFixture()
  const { app, payer, channel, account, upstream } = fixture
  await channel(WHOLE)
  const make = (fields: object) => makeToken(payer.client, { unlimited_quota: true, ...fields })
  const disabled = await make({})
  await payer.client.put('/api/token/?status_only=true', { id: disabled.id, status: 2 })
  const expired = await make({ expired_time: nowOf(app) + 10 })
  app.clock.pass(10)
  const empty = await make({ unlimited_quota: false, remain_quota: 0 })
  const deleted = await make({})
  await payer.client.delete(`/api/token/${deleted.id}`)
  const refusals = []
  for (const key of ['', 'sk-unknown', `sk-${disabled.key}`, `sk-${expired.key}`, `sk-${empty.key}`]) {
    refusals.push(await refusalFor(fixture, key))
  }
  refusals.push(await refusalFor(fixture, `sk-${deleted.key}`))
  expect(refusals).toEqual([
    [401, 'relay_no_key'],
    [401, 'relay_bad_key'],
    [401, 'relay_key_disabled'],
    [401, 'relay_key_expired'],
    [429, 'insufficient_quota'],
    [401, 'relay_bad_key'],
  ])
  expect(upstream.journal).toEqual([])
  expect(await account()).toMatchObject({ held: 0, used_quota: 0 })
})

test.each([
  ['opencode/1.18.33 ai-sdk/provider-utils/4.0.23 runtime/bun/1.3.14', 402],
  ['QwenCode/0.24.4 (linux; x64)', 402],
  ['ai/6.0.326 ai-sdk/provider-utils/4.0.65 runtime/node.js/26', 402],
  ['OpenAI/JS 6.49.0', 429],
  ['not opencode/1', 429],
])('an empty balance has a status after which the program does not retry: %s', async (program, status) => {
  const { chat, channel } = await relayFixture({ quota: 0, options: { DefaultModelRatio: 1 } })
  await channel(WHOLE)
  const answer = await chat(WHOLE, {}, { headers: { 'user-agent': program } })
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([status, 'false'])
  expect((await answer.json()).error).toMatchObject({ code: 'insufficient_quota', type: 'insufficient_quota' })
})

test('a key allows only its own models and networks', async () => {
  const fixture = await relayFixture()
  const { payer, channel } = fixture
  await channel(`${WHOLE},say/5`)
  const models = await makeToken(payer.client, { unlimited_quota: true, models: 'say/5' })
  const elsewhere = await makeToken(payer.client, { unlimited_quota: true, subnet: '10.0.0.0/8,192.168.1.0/24' })
  const here = await makeToken(payer.client, { unlimited_quota: true, subnet: '10.0.0.0/8,127.0.0.0/8' })
  expect(await refusalFor(fixture, `sk-${models.key}`)).toEqual([403, 'relay_model_refused'])
  expect(await refusalFor(fixture, `sk-${models.key}`, 'say/5')).toEqual([200, undefined])
  expect(await refusalFor(fixture, `sk-${elsewhere.key}`)).toEqual([403, 'relay_wrong_address'])
  expect(await refusalFor(fixture, `sk-${here.key}`)).toEqual([200, undefined])
})

test('a key is exhausted when it has spent its quota, and works again when it is given more', async () => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { app, payer, channel, chat } = fixture
  await channel(WHOLE)
  const token = await makeToken(payer.client, { unlimited_quota: false, remain_quota: COST })
  const key = `sk-${token.key}`
  // The hold for a call may be more than its cost; with a limit it fits exactly.
  expect((await chat(WHOLE, { max_tokens: 9 }, { key })).status).toBe(200)
  app.clock.pass(1)
  expect(await refusalFor(fixture, key)).toEqual([429, 'insufficient_quota'])
  const { data } = await payer.client.get(`/api/token/${token.id}`)
  expect([data.status, data.remain_quota, data.used_quota]).toEqual([4, 0, COST])
  await payer.client.put('/api/token/', { id: token.id, remain_quota: 100 })
  app.clock.pass(1)
  expect((await chat(WHOLE, { max_tokens: 9 }, { key })).status).toBe(200)
})

test('a change of a key, its owner, a channel or an option takes effect with its answer', async () => {
  const fixture = await relayFixture({ options: { DefaultModelRatio: 1 } })
  const { app, root, payer, channel, chat, key, charges } = fixture
  const { id } = await channel(WHOLE)
  const asked = async (model = WHOLE) => (await chat(model)).status
  expect(await asked()).toBe(200)

  await root.put('/api/channel/', { id, models: 'say/5' })
  expect([await asked(), await asked('say/5')]).toEqual([404, 200])
  await root.put('/api/channel/', { id, models: WHOLE, status: 2 })
  expect(await asked()).toBe(404)
  await root.put('/api/channel/', { id, status: 1 })
  expect(await asked()).toBe(200)

  await setOptions(app, { DefaultModelRatio: 4 })
  expect(await asked()).toBe(200)
  expect((await charges()).at(-1)?.delta).toBe(-4 * COST)

  const [token] = (await payer.client.get('/api/token/')).data
  const setStatus = (status: number) => payer.client.put('/api/token/?status_only=true', { id: token.id, status })
  await setStatus(2)
  expect(await refusalFor(fixture, key)).toEqual([401, 'relay_key_disabled'])
  await setStatus(1)
  expect(await asked()).toBe(200)

  await root.post('/api/user/manage', { username: payer.username, action: 'disable' })
  expect(await refusalFor(fixture, key)).toEqual([403, 'relay_user_disabled'])
  await root.post('/api/user/manage', { username: payer.username, action: 'enable' })
  await root.delete(`/api/channel/${id}/`)
  expect(await asked()).toBe(404)
})

/* What happens to a channel that fails. */

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

/* Why this channel. */

test('a log row shows the candidates, those excluded and why, and the result of each attempt [R1.08]', async () => {
  const { channel, chat, logs } = await relayFixture({ options: { RetryTimes: 3 } })
  const limited = await channel('m', { name: 'limited', priority: 9, model_mapping: '{"m":"fault/rate"}' })
  const broken = await channel('m', { name: 'broken', priority: 5, weight: 2, model_mapping: '{"m":"fault/server"}' })
  const whole = await channel('m', { name: 'whole', model_mapping: `{"m":"${WHOLE}"}` })
  await chat('m')
  await chat('m')
  const [first, second] = await logs()
  expect(first).toMatchObject({ channel: whole.id, model_name: WHOLE, detail: { requested_model: 'm' } })
  expect(first?.detail.attempts).toEqual([
    { channel: limited.id, name: 'limited', status: 429, ms: expect.any(Number), error: 'Rate limit reached' },
    { channel: broken.id, name: 'broken', status: 503, ms: expect.any(Number), error: 'The engine is overloaded' },
    { channel: whole.id, name: 'whole', status: 200, ms: expect.any(Number) },
  ])
  expect(second?.detail.candidates).toEqual({
    considered: [
      { channel: limited.id, name: 'limited', group: 'default', priority: 9, weight: 0 },
      { channel: broken.id, name: 'broken', group: 'default', priority: 5, weight: 2 },
      { channel: whole.id, name: 'whole', group: 'default', priority: 0, weight: 0 },
    ],
    excluded: [{ channel: limited.id, name: 'limited', excluded: 'cooling down after a rate limit' }],
  })
  expect(attemptsOf(second?.detail)).toEqual(['broken', 'whole'])
})

test('the dry run reports the same without calling a vendor, and without using a channel’s probe', async () => {
  const { app, root, channel, chat, upstream } = await relayFixture()
  const limited = await channel('m', { name: 'limited', model_mapping: '{"m":"then/rate/say/5"}' })
  await channel('other', { name: 'other' })
  await chat('m')
  const explained = async () => (await root.get('/api/channel/explain?group=default&model=m')).data
  expect((await explained()).excluded).toContainEqual({
    ...{ channel: limited.id, name: 'limited', excluded: 'cooling down after a rate limit' },
  })
  app.clock.pass(8)
  for (let n = 0; n < 3; n++) {
    expect((await explained()).considered).toMatchObject([{ channel: limited.id, group: 'default', priority: 0 }])
  }
  expect(upstream.journal).toHaveLength(1)
  expect((await chat('m')).status).toBe(200)
})

test('a model called constructor or __proto__ is a model like any other', async () => {
  const { app, channel, chat, logs } = await relayFixture({ options: { DefaultModelRatio: 1 } })
  await channel('constructor,__proto__,toString')
  for (const model of ['constructor', '__proto__', 'toString']) expect((await chat(model)).status).toBe(200)
  expect((await logs()).map(({ model_name, quota }) => [model_name, quota])).toEqual([
    ['constructor', COST],
    ['__proto__', COST],
    ['toString', COST],
  ])
  expect((await chat('hasOwnProperty')).status).toBe(404)
  expect(await app.audit()).toEqual([])
})

test('a channel serves the groups it names and no other, whatever role calls [R1.07]', async () => {
  const { app, channel, chat } = await relayFixture()
  await channel(WHOLE, { group: 'vip' })
  const admin = await makeUser(app, { role: Role.admin, quota: 1_000_000 })
  expect((await chat(WHOLE, {}, { key: await keyOf(admin.client) })).status).toBe(404)
  const vip = await makeUser(app, { group: 'vip', quota: 1_000_000 })
  expect((await chat(WHOLE, {}, { key: await keyOf(vip.client) })).status).toBe(200)
})
