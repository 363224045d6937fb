import { expect, setDefaultTimeout, test } from 'bun:test'
import { type AnalyticsQuery, type AnalyticsRow, canCombine, type Dimension } from '@tollgate/contract'
import fc from 'fast-check'
import { DAY, HOUR } from '../common/time-units.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeUser } from '../testing/makers.ts'
import { type Call, callAt, END, packedDaysFixture, START, stepOf } from '../testing/packed-days-fixture.ts'

setDefaultTimeout(120_000)

const PARTS = ['model', 'channel', 'user', 'group', 'key'] as const satisfies Dimension[]
type Part = (typeof PARTS)[number]

/** Clocks that differ from UTC by half an hour, or by other than eight hours, and that change within the range. */
const ZONES = ['UTC', 'Asia/Shanghai', 'Asia/Kolkata', 'America/New_York', 'America/St_Johns', 'Australia/Lord_Howe']

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })

const question = fc.record({
  parts: fc.oneof(
    fc.subarray([...PARTS], { minLength: 0, maxLength: 1 }),
    fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom(...PARTS)).filter(([one, other]) => canCombine(one, other)),
  ),
  step: maybe(fc.constantFrom('hour', 'day', 'week', 'month')),
  zone: fc.constantFrom(...ZONES),
  /** Hours from the start of the calls. */
  from: fc.integer({ min: -48, max: 60 * 24 }),
  hours: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 121, max: 70 * 24 })),
  seconds: fc.nat(3599),
  model: maybe(fc.constantFrom('model-0', 'model-1', 'none')),
  channel: maybe(fc.constantFrom(1, 2, 9)),
  user: maybe(fc.constantFrom('user-1', 'user-4')),
  group: maybe(fc.constantFrom('a', 'b', 'none')),
  key: maybe(fc.constantFrom('key-0', 'key-1')),
})

/** Of the users of the log the fourth has no account. Some days are packed, one has changed since, and the last ones are not packed. */
async function fixture() {
  const made = await packedDaysFixture()
  const groups = new Map([1, (await makeUser(made.app)).id, (await makeUser(made.app)).id].map((id) => [id, 'b']))
  groups.set(1, 'a')
  for (const [id, group] of groups) await made.app.db.updateTable('users').set({ group }).where('id', '=', id).execute()
  await made.packDays()
  const late = { ...callAt(START + 30 * DAY, () => 1), quota: 7000 }
  await makeLogs(made.app, late)
  return { ...made, calls: [...made.calls, late], groupOf: ({ user_id }: Call) => groups.get(user_id) ?? '' }
}

test('the answer to any question equals the sums of the log', async () => {
  const { calls, read, groupOf, packed } = await fixture()
  expect(await packed()).toHaveLength(15)
  const nameIn: Record<Part, (call: Call) => string> = {
    model: ({ model_name }) => model_name,
    channel: ({ channel }) => String(channel),
    user: ({ username }) => username,
    group: groupOf,
    key: ({ username, token_name }) => `${username} ${token_name}`,
  }
  const told: Record<Part, (row: AnalyticsRow) => string> = {
    model: ({ model }) => String(model),
    channel: ({ channel }) => String(channel),
    user: ({ user }) => String(user),
    group: ({ group }) => String(group),
    key: ({ user, key }) => `${user} ${key}`,
  }
  await fc.assert(
    fc.asyncProperty(question, async ({ parts, step, zone, from, hours, seconds, ...filter }) => {
      const start = START + from * HOUR + seconds
      const steps = step === 'hour' && hours > 900 ? 'day' : step
      // At most one dimension beside time.
      const byTime = parts.length === 0 || (steps !== undefined && parts.length === 1)
      const by: Dimension[] = byTime ? ['time', ...parts] : [...parts]
      const query: Partial<AnalyticsQuery> = { by, zone, start, end: start + hours * HOUR, ...filter }
      const answer = await read({ ...query, step: byTime ? (steps ?? 'day') : undefined })

      const { model, channel, user, group, key } = filter
      const chosen = calls
        .filter((call) => (model ?? call.model_name) === call.model_name && (channel ?? call.channel) === call.channel)
        .filter((call) => (user ?? call.username) === call.username && (key ?? call.token_name) === call.token_name)
        .filter((call) => (group ?? groupOf(call)) === groupOf(call))
      const between = (range: { start: number; end: number }) =>
        chosen.filter(({ created_at }) => created_at >= range.start && created_at < range.end)
      const timeOf = ({ created_at }: Call) =>
        answer.step === 'hour' ? created_at - (created_at % HOUR) : stepOf(created_at, answer.step ?? 'day', zone)
      const found = between(answer)
      const names = (call: Call) => [byTime ? timeOf(call) : '', ...parts.map((part) => nameIn[part](call))].join('\n')
      const sumsOf = (some: readonly Call[]) => [
        some.length,
        some.reduce((sum, call) => sum + call.quota, 0),
        some.reduce((sum, call) => sum + call.prompt_tokens, 0),
      ]
      const expected = [...Map.groupBy(found, names)].map(([name, some]) => [name, ...sumsOf(some)].join('\n'))
      const rows = answer.rows.map((row) =>
        [row.time ?? '', ...parts.map((part) => told[part](row)), row.calls, row.quota, row.prompt_tokens].join('\n'),
      )
      expect({ query, rows: rows.sort() }).toEqual({ query, rows: expected.sort() })
      for (const [totals, some] of [
        [answer.totals, found],
        [answer.previous, between(answer.previous)],
      ] as const) {
        expect([totals.calls, totals.quota, totals.prompt_tokens]).toEqual(sumsOf(some))
        expect([totals.active_users, totals.active_keys]).toEqual([
          new Set(some.map(({ user_id }) => user_id)).size,
          new Set(some.map(({ user_id, token_name }) => `${user_id} ${token_name}`)).size,
        ])
      }
    }),
    { numRuns: 250 },
  )
})

test('a service that has answered other questions gives the same answers as a new one', async () => {
  const { read, readAgain, packDays, app } = await packedDaysFixture()
  await packDays()
  const questions: Partial<AnalyticsQuery>[] = PARTS.flatMap((part) => [
    { by: [part] },
    { by: ['time', part], step: 'day', zone: 'Asia/Kolkata' },
    { by: [part], model: 'model-1' },
    { by: [part], start: END - 30 * DAY },
  ])
  for (const one of questions) expect(await readAgain(one)).toEqual(await read(one))
  await makeLogs(app, { ...callAt(START + 30 * DAY, () => 1), quota: 7000 })
  await packDays()
  // As after a few minutes, when what was read is checked again.
  for (const one of questions) expect(await readAgain(one, 6)).toEqual(await read(one))
})
