import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeAdmin, makeUser } from '../testing/makers.ts'

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_115)
const DAY = 86_400
const START = 20_000 * DAY

test(`the statistic is what adding up the log by hand gives, for every filter and range (seed ${SEED})`, async () => {
  const app = await testApp()
  const { client: admin } = await makeAdmin(app)
  const user = await makeUser(app)
  const name = fc.constantFrom('', 'a', 'b')
  const time = fc.integer({ min: START, max: START + 4 * DAY })
  const row = fc.record({
    // Two users have had the name `a`, and one of them has had two names.
    user_id: fc.constantFrom(user.id, user.id, 900, 901),
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
    type: fc.constantFrom(0, 0, 2, 1, 3, 6),
    username: name,
    token_name: name,
    model_name: name,
    channel: fc.integer({ min: 0, max: 2 }),
    start_timestamp: fc.oneof(fc.constant(0), time, fc.constantFrom(START, START + DAY)),
    end_timestamp: fc.oneof(fc.constant(0), time, fc.constantFrom(START + DAY - 1, START + 2 * DAY)),
  })
  const property = fc.asyncProperty(filter, async (asked) => {
    const fits = (made: (typeof rows)[number], own: boolean) =>
      made.type === (asked.type === 0 ? 2 : asked.type) &&
      (own ? made.user_id === user.id : ['', made.username].includes(asked.username)) &&
      (own || [0, made.channel].includes(asked.channel)) &&
      ['', made.token_name].includes(asked.token_name) &&
      ['', made.model_name].includes(asked.model_name) &&
      made.created_at >= asked.start_timestamp &&
      (asked.end_timestamp === 0 || made.created_at <= asked.end_timestamp)
    const sum = (own: boolean) => rows.filter((made) => fits(made, own)).reduce((total, { quota }) => total + quota, 0)
    const query = new URLSearchParams(Object.entries(asked).map(([key, value]) => [key, String(value)]))
    expect((await admin.get(`/api/log/stat?${query}`)).data).toEqual({ quota: sum(false) })
    expect((await user.client.get(`/api/log/self/stat?${query}`)).data).toEqual({ quota: sum(true) })
  })
  await fc.assert(property, { seed: SEED, numRuns: 120, endOnFailure: true })
}, 60_000)
