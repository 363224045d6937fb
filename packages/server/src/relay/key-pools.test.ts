import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import type { ReceivedRequest } from '../testing/fake-vendor.ts'
import {
  CHAT,
  dead,
  KEYS,
  type KeyShown,
  keysWhere,
  limited,
  pooled,
  refusal,
  until,
} from '../testing/key-pool-fixture.ts'
import { makeAdmin, setOptions } from '../testing/makers.ts'
import { type RelayFixture, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

test('round robin uses the keys in turn, in-order only the first', async () => {
  const fixture = await pooled()
  for (let n = 0; n < 6; n++) expect(await fixture.say()).toBe(200)
  expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3', 'aaa1', 'bbb2', 'ccc3'])
  await fixture.root.put('/api/channel/', { id: fixture.id, key_order: 'in_order' })
  fixture.vendor.asked.length = 0
  for (let n = 0; n < 3; n++) await fixture.say()
  expect(fixture.used()).toEqual(['aaa1', 'aaa1', 'aaa1'])
})

test('the routes page shows how many keys of a channel are usable', async () => {
  const { root, answers, say } = await pooled()
  answers.aaa1 = dead
  const keysShown = async () => {
    const { data } = await root.get('/api/route/?group=default&model=m')
    return data.levels[0].channels[0].keys
  }
  expect(await keysShown()).toBe(3)
  await say()
  expect(await keysShown()).toBe(2)
})

test('least busy gives a call the key with the fewest open ones', async () => {
  const fixture = await pooled({ key_order: 'least_busy' })
  const { promise: go, resolve: release } = Promise.withResolvers<void>()
  const slow = async () => {
    await go
    return Response.json(CHAT)
  }
  Object.assign(fixture.answers, { aaa1: slow, bbb2: slow })
  const open = [fixture.say(), fixture.say()]
  await until(
    async () => fixture.vendor.asked.length,
    (count) => count === 2,
  )
  for (let n = 0; n < 3; n++) await fixture.say()
  expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3', 'ccc3', 'ccc3'])
  release()
  expect(await Promise.all(open)).toEqual([200, 200])
})

test('a rate-limited key is not used for as long as the vendor asks, and then used again', async () => {
  const fixture = await pooled()
  fixture.answers.aaa1 = limited(30)
  expect(await fixture.say()).toBe(200)
  const now = Math.floor(fixture.app.clock.now() / 1000)
  const [first] = await keysWhere(fixture, ([key]) => (key?.cooldown_until ?? 0) > 0)
  expect(first).toMatchObject({ status: 1, last_error: '429 Slow down' })
  expect(first?.cooldown_until).toBeWithin(now + 25, now + 36)
  const { data: counts } = await fixture.root.get(`/api/channel/${fixture.id}/keys/counts`)
  expect(counts).toEqual({ enabled: 3, cooling: 1, paused: 0, set_aside: 0 })
  for (let n = 0; n < 4; n++) expect(await fixture.say()).toBe(200)
  expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3', 'bbb2', 'ccc3', 'bbb2'])
  delete fixture.answers.aaa1
  fixture.app.clock.pass(31)
  for (let n = 0; n < 3; n++) await fixture.say()
  expect(fixture.used().slice(-3).sort()).toEqual(['aaa1', 'bbb2', 'ccc3'])
})

test('while all keys cool down the channel cools down until the first is usable', async () => {
  const fixture = await pooled({}, { RetryTimes: 3, AutomaticDisableChannelEnabled: true })
  Object.assign(fixture.answers, { aaa1: limited(50), bbb2: limited(20), ccc3: limited(40) })
  const refused = await fixture.chat('m')
  expect([refused.status, fixture.used()]).toEqual([429, ['aaa1', 'bbb2', 'ccc3']])
  const resting = await fixture.chat('m')
  expect([resting.status, fixture.vendor.asked.length]).toEqual([503, 3])
  expect(Number(resting.headers.get('retry-after'))).toBeWithin(15, 21)
  const { data } = await fixture.root.get('/api/channel/explain?model=m')
  expect(data.excluded).toMatchObject([{ channel: fixture.id, excluded: 'all keys are cooling down' }])
  expect(await fixture.routeReason()).toBe('keys_cooling')
  delete fixture.answers.bbb2
  fixture.app.clock.pass(21)
  expect([await fixture.say(), fixture.used().at(-1)]).toEqual([200, 'bbb2'])
  expect(await fixture.channelNow()).toMatchObject({ status: 1 })
})

test('a key cools down for the model that reached the rate limit, and serves others meanwhile', async () => {
  const fixture = await pooled({ models: 'm,small', key_order: 'in_order' }, { RetryTimes: 0 })
  const modelOf = ({ body }: ReceivedRequest) => Object(body).model
  const limitedFor = (model: string) => (asked: ReceivedRequest) =>
    modelOf(asked) === model ? limited(60)() : Response.json(CHAT)
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = limitedFor('m')
  expect(await fixture.say()).toBe(429)
  expect([await fixture.say(), fixture.vendor.asked.length]).toEqual([503, 3])
  expect(await fixture.say({ model: 'small' })).toBe(200)
  expect(fixture.used().at(-1)).toBe('aaa1')
  // Both models of one key, within one write or two.
  fixture.answers.aaa1 = limited(30)
  expect(await fixture.say({ model: 'small' })).toBe(200)
  const [first, second] = await keysWhere(fixture, ([key]) => key?.cooldowns.length === 2)
  expect(first?.cooldowns.map(({ model }) => model)).toEqual(['m', 'small'])
  expect(first?.cooldown_until).toBe(first?.cooldowns[0]?.until)
  expect(second?.cooldowns.map(({ model }) => model)).toEqual(['m'])
  // A dead key is dead for every model.
  fixture.answers.bbb2 = dead
  expect([await fixture.say({ model: 'small' }), fixture.used().at(-1)]).toEqual([200, 'ccc3'])
  fixture.app.clock.pass(61)
  Object.assign(fixture.answers, { aaa1: limitedFor('small'), ccc3: limitedFor('small') })
  expect([await fixture.say(), fixture.used().at(-1)]).toEqual([200, 'aaa1'])
  expect(fixture.used().filter((hint) => hint === 'bbb2')).toHaveLength(3)
})

test('another channel answers while all keys of one cool down', async () => {
  const fixture = await pooled({ priority: 1 }, { RetryTimes: 1 })
  await fixture.channel('m', { type: 1, base_url: fixture.vendor.url, key: 'sk-of-another-channel-ddd4' })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = limited(60)
  expect(await fixture.say()).toBe(200)
  expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3', 'ddd4'])
  expect(await fixture.say()).toBe(200)
  expect(fixture.used().slice(4)).toEqual(['ddd4'])
})

test('a key whose account lacks the model leaves the call to the next ones, and stays enabled', async () => {
  const words = 'Your organization must be verified to use the model `m`. Please go to the settings.'
  for (const status of [403, 404]) {
    const fixture = await pooled()
    for (const hint of ['aaa1', 'bbb2']) fixture.answers[hint] = () => refusal(status, words)
    expect(await fixture.say()).toBe(200)
    expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3'])
    const { data: counts } = await fixture.root.get(`/api/channel/${fixture.id}/keys/counts`)
    expect(counts).toMatchObject({ enabled: 3, cooling: 0, set_aside: 0 })
    fixture.answers.ccc3 = () => refusal(status, words)
    for (let n = 0; n < 12; n++) expect(await fixture.say()).toBe(404)
    expect(await fixture.channelNow()).toMatchObject({ status: 1 })
  }
})

test('not all of a large pool is asked for a model', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `sk-of-a-large-pool-${index + 1000}`)
  const fixture = await pooled({ key: keys.join('\n') })
  for (const key of keys) fixture.answers[key.slice(-4)] = () => refusal(404, 'model: m')
  expect(await fixture.say()).toBe(404)
  expect(fixture.used()).toHaveLength(4)
})

test('keys count calls and spending with the charge, and add up to the channel’s', async () => {
  const fixture = await pooled()
  for (let n = 0; n < 5; n++) await fixture.say({ stream: n % 2 === 0 })
  const keys: KeyShown[] = await fixture.keys()
  expect(keys.map(({ calls }) => calls)).toEqual([2, 2, 1])
  const spent = keys.reduce((sum, { used_quota }) => sum + used_quota, 0)
  expect(spent).toBeGreaterThan(0)
  expect((await fixture.channelNow()).used_quota).toBe(spent)
  expect(keys.every(({ accessed_time }) => accessed_time > 0)).toBe(true)
  expect(await fixture.app.audit()).toEqual([])
  const [first] = keys
  await fixture.app.db
    .updateTable('channel_keys')
    .set({ used_quota: spent + 1 })
    .where('id', '=', first?.id ?? 0)
    .execute()
  expect(await fixture.app.audit()).toMatchObject([{ invariant: 'I15', subject: `channel ${fixture.id}` }])
})

test('a key that was its channel’s own keeps what was spent through it', async () => {
  const fixture = await pooled({ key: KEYS[0] })
  await fixture.say()
  const { used_quota: before } = await fixture.channelNow()
  await fixture.root.post(`/api/channel/${fixture.id}/keys`, { key: KEYS[1] })
  await fixture.say()
  await fixture.say()
  const keys: KeyShown[] = await fixture.keys()
  expect(keys.map(({ calls }) => calls)).toEqual([1, 1])
  expect(keys[0]?.used_quota).toBe(2 * before)
  expect((await fixture.channelNow()).used_quota).toBe(3 * before)
})

test('a call through a thousand keys takes not much longer than through three', async () => {
  const key = Array.from({ length: 1000 }, (_, n) => `sk-of-a-big-pool-${10_000 + n}`).join('\n')
  const fixtures = [await pooled({ key_order: 'least_busy' }), await pooled({ key_order: 'least_busy', key })]
  const times: number[][] = [[], []]
  // Alternating, so that other load on the machine slows both.
  for (let n = 0; n < 100; n++) {
    for (const [at, fixture] of fixtures.entries()) {
      const began = performance.now()
      expect(await fixture.say()).toBe(200)
      times[at]?.push(performance.now() - began)
    }
  }
  const [few = 0, many = 0] = times.map((all) => all.toSorted((one, other) => one - other)[all.length / 2])
  expect(many / few).toBeLessThan(3)
})

test('other nodes learn which key is set aside and which has to wait for which model', async () => {
  const fixture = await pooled({ models: 'm,small' })
  const other = await testApp({ location: fixture.app.location, listens: true })
  const sayThere = async (model = 'm') => {
    const answer = await fetch(`${other.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    await answer.text()
    return answer.status
  }
  expect(await sayThere()).toBe(200)
  Object.assign(fixture.answers, { aaa1: dead, bbb2: limited(500) })
  expect(await fixture.say()).toBe(200)
  await keysWhere(fixture, ([one, two]) => one?.status === 3 && (two?.cooldown_until ?? 0) > 0)
  // A node's cache is never older than a second.
  other.clock.pass(2)
  fixture.vendor.asked.length = 0
  for (let n = 0; n < 3; n++) expect(await sayThere()).toBe(200)
  expect(fixture.used()).toEqual(['ccc3', 'ccc3', 'ccc3'])
  // For another model the limited key may be used there too.
  delete fixture.answers.bbb2
  for (let n = 0; n < 2; n++) expect(await sayThere('small')).toBe(200)
  expect(fixture.used().slice(3).sort()).toEqual(['bbb2', 'ccc3'])
})

test('no key is ever in an answer, a log or an error, whatever its vendor repeats', async () => {
  const fixture = await pooled({}, { RetryTimes: 0 })
  const seen: string[] = []
  const note = async (answer: Response) => void seen.push(await answer.text())
  for (const [at, hint] of ['aaa1', 'bbb2', 'ccc3'].entries()) {
    fixture.answers[hint] = () => refusal(401, `The key ${KEYS[at]} is wrong`)
  }
  await note(await fixture.chat('m'))
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
  const { client } = await makeAdmin(fixture.app)
  const { id } = fixture
  const keys: KeyShown[] = await fixture.keys()
  const answers = [
    await client.get(`/api/channel/${id}`),
    await client.get(`/api/channel/${id}/keys`),
    await client.post(`/api/channel/${id}/keys`, { key: 'sk-canary-of-another-ddd4' }),
    await client.post(`/api/channel/${id}/keys/${keys[0]?.id}/test`, {}),
    await client.put(`/api/channel/${id}/keys`, { ids: [keys[0]?.id], status: 2 }),
    await client.get('/api/channel/attention'),
    await client.get('/api/log/'),
    await client.get('/api/audit'),
  ]
  seen.push(...answers.map(({ body }) => JSON.stringify(body)), ...fixture.app.lines)
  const rows = await fixture.app.db.selectFrom('channel_keys').selectAll().execute()
  seen.push(JSON.stringify(rows), JSON.stringify(await fixture.app.db.selectFrom('logs').selectAll().execute()))
  expect(seen.join('\n')).not.toContain('canary')
  expect(seen.join('\n')).toContain('aaa1')
})

test('a channel with one key never looks for others', async () => {
  const relay: RelayFixture = await relayFixture()
  await relay.channel('fixed/12/10')
  await setOptions(relay.app, { RetryTimes: 2 })
  await (await relay.chat('fixed/12/10')).text()
  const { detail } = await relay.onlyLog()
  expect(detail.attempts).toEqual([
    { channel: expect.any(Number), name: 'a channel', status: 200, ms: expect.any(Number) },
  ])
  expect(await relay.app.db.selectFrom('channel_keys').selectAll().execute()).toEqual([])
})

const TOGETHER = JSON.stringify([{ group: '*', model: '*', policy: 'in_order', affinity: true }])

test.each(['round_robin', 'least_busy', 'in_order'])(
  'a conversation stays with the key that has its prompt cached, whatever the order: %s',
  async (key_order) => {
    const { say, used } = await pooled({ key_order }, { RoutingPolicies: TOGETHER })
    for (let turn = 0; turn < 4; turn++) {
      for (const prompt_cache_key of ['one', 'two']) expect(await say({ prompt_cache_key })).toBe(200)
    }
    const [ofOne, ofTwo] = [used().filter((_, at) => at % 2 === 0), used().filter((_, at) => at % 2 === 1)]
    expect(new Set(ofOne).size).toBe(1)
    expect(new Set(ofTwo).size).toBe(1)
    // The other calls do not use the same key because of it.
    expect(ofOne[0] === ofTwo[0]).toBe(key_order === 'in_order')
  },
)

test('a conversation leaves its key when that has to wait or is refused, and stays with the one that answered', async () => {
  const { say, used, answers, app } = await pooled({ key_order: 'round_robin' }, { RoutingPolicies: TOGETHER })
  const turn = async () => {
    expect(await say({ prompt_cache_key: 'one' })).toBe(200)
    return used().at(-1) ?? ''
  }
  const first = await turn()
  answers[first] = limited(600)
  const second = await turn()
  expect(second).not.toBe(first)
  expect([await turn(), await turn()]).toEqual([second, second])
  answers[second] = dead
  const third = await turn()
  expect([first, second]).not.toContain(third)
  expect([await turn(), await turn()]).toEqual([third, third])
  expect(await app.audit()).toEqual([])
})

test('without a rule for it, keys are used in order whatever the conversation', async () => {
  const { say, used } = await pooled({ key_order: 'round_robin' })
  for (let turn = 0; turn < 3; turn++) await say({ prompt_cache_key: 'one' })
  expect(new Set(used()).size).toBe(3)
})

test('when the time for retries is over, no further key is tried either', async () => {
  const { app, answers, say, used } = await pooled({}, { RetrySeconds: 10 })
  const slow = () => {
    app.clock.pass(6)
    return refusal(401, 'Incorrect API key provided')
  }
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) answers[hint] = slow
  expect(await say()).not.toBe(200)
  expect(used()).toEqual(['aaa1', 'bbb2'])
})
