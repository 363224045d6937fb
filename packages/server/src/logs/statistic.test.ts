import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { DAY, HOUR } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'
import { relayFixture } from '../testing/relay-fixture.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const START = 20_000 * DAY

test(`the statistic equals the sum of the log by hand, for every filter and range (seed ${SEED})`, async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app, { group: ' vip , default' })
  const other = await makeUser(app, { group: 'default,vip' })
  const groups = new Map([
    [user.id, 'vip'],
    [other.id, 'default'],
  ])
  const name = fc.constantFrom('', 'a', 'b')
  const time = fc.integer({ min: START, max: START + 4 * DAY })
  const row = fc.record({
    // Several users have had the name `a` and the name `b`, and the accounts of two of them are gone.
    user_id: fc.constantFrom(user.id, user.id, other.id, 900, 901),
    username: fc.constantFrom('a', 'b'),
    token_name: name,
    model_name: name,
    channel: fc.integer({ min: 0, max: 2 }),
    type: fc.constantFrom(2, 2, 2, 1, 3, 6),
    quota: fc.integer({ min: 0, max: 1000 }),
    created_at: fc.oneof(time, fc.constantFrom(START, START + 3600, START + DAY, START + DAY - 1)),
  })
  const rows = fc
    .sample(row, { seed: SEED, numRuns: 150 })
    .map((made) => (made.type === 6 ? { ...made, quota: 0 } : made))
  await makeLogs(app, ...rows)

  const filter = fc.record({
    type: fc.constantFrom(0, 0, 2, 1, 3, 6, 7),
    username: name,
    user_id: fc.constantFrom(0, 0, 0, user.id, 900),
    group: fc.constantFrom('', '', 'vip', 'default', 'nobody'),
    token_name: name,
    model_name: name,
    channel: fc.integer({ min: 0, max: 2 }),
    start_timestamp: fc.oneof(fc.constant(0), time, fc.constantFrom(START, START + DAY)),
    end_timestamp: fc.oneof(fc.constant(0), time, fc.constantFrom(START + DAY - 1, START + 2 * DAY)),
  })
  const inOrder = filter.filter(({ start_timestamp: from, end_timestamp: until }) => until === 0 || until >= from)
  const property = fc.asyncProperty(inOrder, async (asked) => {
    const fits = (made: (typeof rows)[number], own: boolean) =>
      made.type === (asked.type === 0 || asked.type === 7 ? 2 : asked.type) &&
      (own ? made.user_id === user.id : ['', made.username].includes(asked.username)) &&
      (own || [0, made.user_id].includes(asked.user_id)) &&
      (own || [0, made.channel].includes(asked.channel)) &&
      (own || ['', groups.get(made.user_id)].includes(asked.group)) &&
      ['', made.token_name].includes(asked.token_name) &&
      ['', made.model_name].includes(asked.model_name) &&
      made.created_at >= asked.start_timestamp &&
      (asked.end_timestamp === 0 || made.created_at <= asked.end_timestamp)
    const sum = (own: boolean) => rows.filter((made) => fits(made, own)).reduce((total, { quota }) => total + quota, 0)
    const query = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]))
    expect((await admin.get(`/api/log/stat?${query}`)).data).toEqual({ quota: sum(false), rounded: false })
    expect((await user.client.get(`/api/log/self/stat?${query}`)).data).toEqual({ quota: sum(true), rounded: false })
  })
  await fc.assert(property, { seed: SEED, numRuns: 120, endOnFailure: true })
}, 60_000)

const at = (hours: number, minutes = 0) => START + hours * HOUR + minutes * 60

/** A call of 100 at each of half past nine, a quarter to ten and half past ten; none of them is in the log. */
async function forgottenCalls() {
  const app = await testApp()
  const { client, id: user_id, username } = await makeAdmin(app)
  const call = { quota: 100, user_id, username, model_name: 'm' }
  await makeLogs(app, ...[at(9, 30), at(9, 45), at(10, 30)].map((created_at) => ({ ...call, created_at })))
  await app.db.deleteFrom('logs').where('created_at', '>=', START).execute()
  const ask = async (from: number, until: number, path = '/api/log/stat', more = '') =>
    (await client.get(`${path}?start_timestamp=${from}&end_timestamp=${until - 1}${more}`)).data
  return { app, call, ask }
}

test('if the log has not kept the calls of a partial hour, the whole hour is in the sum, and the answer says so', async () => {
  const { ask } = await forgottenCalls()
  for (const path of ['/api/log/stat', '/api/log/self/stat']) {
    expect(await ask(at(9), at(11), path)).toEqual({ quota: 300, rounded: false })
    expect(await ask(at(9, 40), at(11), path)).toEqual({ quota: 300, rounded: true })
    expect(await ask(at(9), at(10, 10), path)).toEqual({ quota: 300, rounded: true })
    // Two partial hours without a whole one between them, and a part of a single hour.
    expect(await ask(at(9, 50), at(10, 10), path)).toEqual({ quota: 300, rounded: true })
    expect(await ask(at(9, 31), at(9, 32), path)).toEqual({ quota: 200, rounded: true })
  }
})

test('a partial hour without calls, or without matching ones, rounds nothing', async () => {
  const { ask } = await forgottenCalls()
  expect(await ask(at(8, 30), at(11, 30))).toEqual({ quota: 300, rounded: false })
  expect(await ask(at(9, 40), at(10, 10), undefined, '&model_name=other')).toEqual({ quota: 0, rounded: false })
  expect(await ask(at(9, 40), at(10, 10), undefined, '&type=1')).toEqual({ quota: 0, rounded: false })
})

test('an hour that the log has kept partly counts as a whole; a complete one is exact beside it', async () => {
  const { app, call, ask } = await forgottenCalls()
  await makeLogs(
    app,
    { ...call, created_at: at(9, 50) },
    { ...call, created_at: at(12, 10) },
    { ...call, created_at: at(12, 50) },
  )
  expect(await ask(at(9, 48), at(12, 30))).toEqual({ quota: 300 + 100 + 100, rounded: true })
  expect(await ask(at(11), at(12, 30))).toEqual({ quota: 100, rounded: false })
})

test('a call made while consumption is not logged is charged and in every sum over its hour', async () => {
  const { app, channel, chat, payer, account, logs } = await relayFixture({ options: { LogConsumeEnabled: false } })
  await channel('gpt-4o-mini')
  await (await chat('gpt-4o-mini')).json()
  const { used_quota } = await account()
  expect(used_quota).toBeGreaterThan(0)
  expect((await logs()).filter(({ type }) => type === 2)).toEqual([])
  const now = Math.floor(app.clock.now() / 1000)
  const hour = now - (now % HOUR)
  const sum = async (query: string) => (await payer.client.get(`/api/log/self/stat?${query}`)).data
  expect(await sum('')).toEqual({ quota: used_quota, rounded: false })
  expect(await sum(`start_timestamp=${hour}`)).toEqual({ quota: used_quota, rounded: false })
  expect(await sum(`start_timestamp=${hour + 1}`)).toEqual({ quota: used_quota, rounded: true })
  expect(await sum(`start_timestamp=${hour + HOUR}`)).toEqual({ quota: 0, rounded: false })
})
