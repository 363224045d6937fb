import { expect, setDefaultTimeout, test } from 'bun:test'
import { Role } from '@tollgate/contract'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { booksOf, keyOf, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

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

test.each(['channel', 'group'])(
  'a caller waits for a channel that cools down, and not for the budget of another one to renew: %s',
  async (scope) => {
    const { root, channel, chat } = await relayFixture({
      group: 'vip,default',
      options: { DefaultModelRatio: 1, RetryTimes: 2 },
    })
    const spent = await channel('fault/rate', { priority: 1, group: 'vip' })
    await channel('fault/rate')
    const target = scope === 'group' ? 'vip' : String(spent.id)
    await root.post('/api/budget/', { scope, target, quota: 1, period: 'month' })
    // The vendor's own refusal first, and while the channel cools down ours.
    for (const status of [429, 503]) {
      const answer = await chat('fault/rate', { max_tokens: 10 })
      expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([status, null])
      expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 8)
    }
  },
)
