import { expect, setDefaultTimeout, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { eventStream, fakeVendor, type ReceivedRequest } from '../testing/fake-vendor.ts'
import { makeAdmin, setOptions } from '../testing/makers.ts'
import { type RelayFixture, readStream, relayFixture } from '../testing/relay-fixture.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const KEYS = ['sk-canary-of-the-pool-aaa1', 'sk-canary-of-the-pool-bbb2', 'sk-canary-of-the-pool-ccc3']

const CHAT = {
  id: 'x',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

const PIECES = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: CHAT.usage },
]

type Answers = Record<string, (asked: ReceivedRequest) => Response | Promise<Response>>

const refusal = (status: number, message: string, headers = {}) =>
  Response.json({ error: { message, type: 'x', code: null } }, { status, headers })

const dead = () => refusal(401, 'Incorrect API key provided')
const broke = () => refusal(402, 'Insufficient balance')
const limited = (seconds: number) => () => refusal(429, 'Slow down', { 'retry-after': String(seconds) })

const hintOf = ({ headers }: ReceivedRequest) => (headers.get('authorization') ?? '').slice(-4)

/** A channel with a pool, where each key is answered as the test says; by default with a chat. */
async function pooled(fields: object = {}, options = {}) {
  const relay = await relayFixture({ options })
  const answers: Answers = {}
  const vendor = fakeVendor((asked) => {
    const answer = answers[hintOf(asked)]
    if (answer !== undefined) return answer(asked)
    return isStream(asked) ? eventStream(...PIECES) : Response.json(CHAT)
  })
  const channel = await relay.channel('m', {
    ...{ type: 1, base_url: vendor.url, key: KEYS.join('\n'), key_pool: true },
    ...fields,
  })
  const keys = async () => (await relay.root.get(`/api/channel/${channel.id}/keys`)).data
  return {
    ...relay,
    ...{ answers, vendor, id: channel.id, keys },
    used: () => vendor.asked.map(hintOf),
    /** The reason on the routes page for skipping the channel. */
    routeReason: async () =>
      (await relay.root.get('/api/route/?group=default&model=m')).data.levels[0].channels[0].reason,
    say: async (fields: object = {}) => {
      const answer = await relay.chat('m', { max_tokens: 9, ...fields })
      await answer.text()
      return answer.status
    },
    channelNow: async () => (await relay.root.get(`/api/channel/${channel.id}`)).data,
  }
}

const isStream = ({ body }: ReceivedRequest) =>
  typeof body === 'object' && body !== null && 'stream' in body && body.stream === true

/** Background writes arrive after a moment. */
async function until<T>(read: () => Promise<T>, isSo: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const value = await read()
    if (isSo(value)) return value
    if (Date.now() > deadline) throw new Error(`It did not become so: ${JSON.stringify(value)}`)
    await Bun.sleep(10)
  }
}

const keysWhere = (fixture: Awaited<ReturnType<typeof pooled>>, isSo: (keys: KeyShown[]) => boolean) =>
  until<KeyShown[]>(fixture.keys, isSo)

interface KeyShown {
  id: number
  key_hint: string
  status: number
  status_reason: string
  cooldown_until: number
  cooldowns: { model: string; until: number }[]
  last_error: string
  used_quota: number
  calls: number
  accessed_time: number
}

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

test.each([
  ['refuses it', dead, false],
  ['forbids it', () => refusal(403, 'Your account is suspended'), false],
  ['says that its balance is spent', broke, true],
])('a key is set aside when its vendor %s, and the call continues with the next', async (_, answer, isStreamed) => {
  const fixture = await pooled({}, { RetryTimes: 0, AutomaticDisableChannelEnabled: true })
  fixture.answers.aaa1 = answer
  const response = await fixture.chat('m', { stream: isStreamed })
  expect(response.status).toBe(200)
  if (isStreamed) expect((await readStream(response)).events.length).toBeGreaterThan(0)
  else await response.text()
  const { detail } = await fixture.onlyLog()
  expect(detail.attempts).toMatchObject([
    { key: 'aaa1', passed: true, error: expect.any(String) },
    { key: 'bbb2', status: 200 },
  ])
  const [first, second] = await keysWhere(fixture, ([key]) => key?.status === 3)
  expect(first).toMatchObject({ status: 3, status_reason: expect.stringMatching(/^40[123] /), calls: 0 })
  expect(second).toMatchObject({ status: 1, calls: 1, status_reason: '' })
  // It has not failed: it is neither disabled nor listed as needing attention.
  for (let n = 0; n < 30; n++) expect(await fixture.say()).toBe(200)
  expect(fixture.used().filter((key) => key === 'aaa1')).toHaveLength(1)
  expect(await fixture.channelNow()).toMatchObject({ status: 1 })
  const { data } = await fixture.root.get('/api/channel/attention')
  expect(data.channels).toMatchObject([{ reasons: ['unpriced'], recent: { failed: 0, calls: 31 }, day: { failed: 0 } }])
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

test('when all keys are dead the channel is treated like one with a single dead key', async () => {
  const fixture = await pooled({}, { RetryTimes: 5, AutomaticDisableChannelEnabled: true })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  const answer = await fixture.chat('m')
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(fixture.used()).toEqual(['aaa1', 'bbb2', 'ccc3'])
  const channel = await until(fixture.channelNow, ({ status }) => status === 3)
  expect(channel.status_reason).toContain('Incorrect API key provided')
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
  expect((await fixture.account()).held).toBe(0)
})

test('if channels may not be disabled automatically, one without a usable key is skipped until a key is enabled', async () => {
  const fixture = await pooled()
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  await fixture.say()
  const keys = await keysWhere(fixture, (all) => all.every(({ status }) => status === 3))
  expect(await fixture.channelNow()).toMatchObject({ status: 1 })
  expect(await fixture.say()).toBe(503)
  expect(fixture.vendor.asked).toHaveLength(3)
  expect(await fixture.routeReason()).toBe('keys_out')
  delete fixture.answers.bbb2
  const body = { ids: [keys[1]?.id], status: 1 }
  expect((await fixture.root.put(`/api/channel/${fixture.id}/keys`, body)).data).toBe(1)
  expect([await fixture.say(), fixture.used().at(-1)]).toEqual([200, 'bbb2'])
})

test('a full test that passes with a set-aside key restores it with its channel', async () => {
  const options = { AutomaticDisableChannelEnabled: true, AutomaticEnableChannelEnabled: true }
  const fixture = await pooled({ models: 'm,gpt-4o' }, options)
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  await fixture.say()
  await until(fixture.channelNow, ({ status }) => status === 3)
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
  delete fixture.answers.aaa1
  await fixture.root.get('/api/channel/test?scope=disabled')
  await until(fixture.channelNow, ({ status }) => status === 1)
  await keysWhere(fixture, (keys) => keys.map(({ status }) => status).join() === '1,3,3')
  fixture.app.clock.pass(2)
  expect(await fixture.say()).toBe(200)
})

test('a vendor that requires tokens instead of keys gets one for each key, and it is cached', async () => {
  const key = ['first-id.first-secret-aaa1', 'second-id.second-secret-bbb2'].join('\n')
  const fixture = await pooled({ type: 16, key })
  for (let n = 0; n < 6; n++) expect(await fixture.say()).toBe(200)
  const tokens = fixture.vendor.asked.map(({ headers }) => headers.get('authorization'))
  expect(new Set(tokens).size).toBe(2)
  expect(tokens[0]).toBe(tokens[4] ?? '')
})

test('concurrent calls find the dead keys together, and the channel ends with the last of them', async () => {
  const fixture = await pooled({}, { RetryTimes: 0, AutomaticDisableChannelEnabled: true })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) fixture.answers[hint] = dead
  await Promise.all(Array.from({ length: 12 }, () => fixture.say()))
  await until(fixture.channelNow, ({ status }) => status === 3)
  await keysWhere(fixture, (keys) => keys.every(({ status }) => status === 3))
})

test('a prompt that the vendor refuses with 403 for its content costs no key and not the channel', async () => {
  const fixture = await pooled({}, { RetryTimes: 2, AutomaticDisableChannelEnabled: true })
  for (const hint of ['aaa1', 'bbb2', 'ccc3']) {
    fixture.answers[hint] = () => refusal(403, 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO')
  }
  expect(await fixture.say()).toBe(400)
  expect(fixture.used()).toEqual(['aaa1'])
  fixture.answers.bbb2 = () => Response.json(CHAT)
  expect(await fixture.say()).toBe(200)
  expect((await fixture.keys()).map(({ status }: KeyShown) => status)).toEqual([1, 1, 1])
  expect((await fixture.channelNow()).status).toBe(1)
})

test('a server error is the fault of the channel and not of a key', async () => {
  const fixture = await pooled({}, { RetryTimes: 0 })
  fixture.answers.aaa1 = () => refusal(500, 'Out of order')
  expect(await fixture.say()).toBeGreaterThanOrEqual(500)
  expect(fixture.used()).toEqual(['aaa1'])
  const [first] = await keysWhere(fixture, ([key]) => key?.last_error !== '')
  expect(first).toMatchObject({ status: 1, last_error: '500 Out of order', cooldown_until: 0 })
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

test('a channel whose keys have all reached their limits is skipped, and the log says so', async () => {
  const fixture = await pooled({ priority: 1 })
  const other = await fixture.channel('m', { type: 1, base_url: fixture.vendor.url, key: 'sk-of-another-channel-ddd4' })
  const ids = (await fixture.keys()).map(({ id }: { id: number }) => id)
  await fixture.root.put(`/api/channel/${fixture.id}/keys`, { ids, rate_limits: { rpm: 1 } })
  for (let call = 0; call < 4; call++) expect(await fixture.say()).toBe(200)
  expect(fixture.used().at(-1)).toBe('ddd4')
  const [entry] = (await fixture.root.get('/api/log/')).data
  expect(entry).toMatchObject({ channel: other.id })
  expect(entry.detail.candidates.excluded).toMatchObject([{ channel: fixture.id, excluded: 'no key can be used now' }])
})

test('a caller learns when the first key is below its own limits again, in each dialect', async () => {
  const fixture = await pooled()
  const ids = (await fixture.keys()).map(({ id }: { id: number }) => id)
  const limit = (rate_limits: object) => fixture.root.put(`/api/channel/${fixture.id}/keys`, { ids, rate_limits })
  await limit({ rpm: 2 })
  for (let call = 0; call < 6; call++) expect(await fixture.say()).toBe(200)
  const messages = [{ role: 'user', content: 'Hello' }]
  const paths: [path: string, body: object][] = [
    ['/v1/chat/completions', { model: 'm', messages }],
    ['/v1/messages', { model: 'm', max_tokens: 9, messages }],
    ['/v1beta/models/m:generateContent', { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] }],
  ]
  for (const [path, body] of paths) {
    const answer = await fixture.post(path, body)
    expect([path, answer.status]).toEqual([path, 429])
    // Half a minute for each of two requests, less the time that the calls took.
    expect(Number(answer.headers.get('retry-after'))).toBeWithin(1, 31)
  }
})

test('a key’s own limits send calls to the next key, and to none when all are reached', async () => {
  const fixture = await pooled({ key_order: 'in_order' })
  const path = `/api/channel/${fixture.id}/keys`
  const keys: KeyShown[] = await fixture.keys()
  const limits = (at: number, rate_limits: object) => fixture.root.put(path, { ids: [keys[at]?.id], rate_limits })
  await limits(0, { rpm: 2 })
  await limits(1, { tpm: 40 })
  for (let n = 0; n < 5; n++) expect(await fixture.say()).toBe(200)
  expect(fixture.used()).toEqual(['aaa1', 'aaa1', 'bbb2', 'bbb2', 'ccc3'])
  await limits(2, { concurrency: 1 })
  const { promise: go, resolve: release } = Promise.withResolvers<void>()
  fixture.answers.ccc3 = async () => {
    await go
    return Response.json(CHAT)
  }
  const open = fixture.say()
  await until(
    async () => fixture.vendor.asked.length,
    (count) => count === 6,
  )
  expect(await fixture.say()).toBe(429)
  release()
  expect(await open).toBe(200)
  expect((await fixture.account()).held).toBe(0)
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
