import { expect, setDefaultTimeout, test } from 'bun:test'
import { type AnalyticsRow, canCombine, DIMENSIONS, type Dimension, type Outcome } from '@tollgate/contract'
import { DAY } from '../common/time-units.ts'
import { transact } from '../database/client.ts'
import { addedBy } from '../ledger/stores/usage-figures.ts'
import { testApp } from '../testing/app.ts'
import { callLog } from '../testing/ledger-fixture.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'
import { seeded } from '../testing/seeded.ts'
import { addFigures } from './added-figures-repository.ts'

setDefaultTimeout(60_000)

const START = Date.parse('2027-01-10T00:00:00Z') / 1000
const PARTS = DIMENSIONS.filter((name) => name !== 'time')
const PAIRS = PARTS.flatMap((one) =>
  PARTS.filter((other) => canCombine(one, other)).map((other) => [one, other] as const),
)

/** Calls of three users in two groups, the last in both, with two keys each, spread over models, channels, days and outcomes. */
async function fixture() {
  const app = await testApp()
  const root = await asRoot(app)
  const users = [
    await makeUser(app, { group: 'default' }),
    await makeUser(app, { group: 'vip' }),
    await makeUser(app, { group: 'vip,default' }),
  ]
  const random = seeded(11)
  const outcomes: Outcome[] = ['success', 'success', 'success', 'canceled', 'upstream_error']
  const calls = Array.from({ length: 160 }, () => {
    const number = random(users.length)
    const user = users[number]
    const outcome = outcomes[random(outcomes.length)] ?? 'success'
    return {
      user_id: user?.id ?? 0,
      username: user?.username ?? '',
      group: number === 0 ? 'default' : 'vip',
      token_name: `key-${random(2)}`,
      model_name: `model-${random(4)}`,
      channel: 1 + random(3),
      created_at: START + random(2 * DAY),
      quota: outcome === 'upstream_error' ? 0 : 1 + random(50),
      prompt_tokens: outcome === 'upstream_error' ? 0 : random(1000),
      type: outcome === 'upstream_error' ? 6 : 2,
      outcome,
    }
  })
  await makeLogs(app, ...calls.map(({ group: _, ...row }) => row))
  const read = async (by: readonly Dimension[], more = '&top=100') =>
    (await root.get(`/api/analytics/?start=${START}&end=${START + 2 * DAY}&by=${by.join(',')}${more}`)).data
  return { app, root, users, calls, read }
}

type Called = Awaited<ReturnType<typeof fixture>>['calls'][number]

const NAME_OF: Record<(typeof PARTS)[number], (call: Called) => string> = {
  model: ({ model_name }) => model_name,
  channel: ({ channel }) => String(channel),
  user: ({ username }) => username,
  group: ({ group }) => group,
  key: ({ token_name, username }) => `${token_name} ${username}`,
  outcome: ({ outcome }) => outcome,
}
const shownName = (row: AnalyticsRow, by: (typeof PARTS)[number]) =>
  by === 'key' ? `${row.key} ${row.user}` : String(row[by])

test('every allowed pair of dimensions adds up like the calls themselves', async () => {
  const { calls, read } = await fixture()
  expect(PAIRS).toHaveLength(6 * 5 - 4)
  for (const [one, other] of PAIRS) {
    const expected = new Map<string, number[]>()
    for (const call of calls) {
      const name = `${NAME_OF[one](call)} | ${NAME_OF[other](call)}`
      const [count = 0, quota = 0] = expected.get(name) ?? []
      expected.set(name, [count + 1, quota + call.quota])
    }
    const { rows, totals } = await read([one, other])
    const found = new Map(
      rows.map((row: AnalyticsRow) => [
        ...[`${shownName(row, one)} | ${shownName(row, other)}`, [row.calls, row.quota ?? 0]],
      ]),
    )
    const byOutcome = one === 'outcome' || other === 'outcome'
    // The cost of calls with one outcome is not kept separately.
    const told = [...expected].map(([name, [count, quota]]) => [name, [count, byOutcome ? 0 : quota]])
    expect([one, other, Object.fromEntries(found)]).toEqual([one, other, Object.fromEntries(told)])
    expect(totals.calls).toBe(calls.length)
  }
})

test('the rest beyond the top is listed beside its first name, or at the end, and nothing is lost', async () => {
  const { calls, read } = await fixture()
  for (const [one, other] of PAIRS.filter((pair) => !pair.includes('outcome'))) {
    const { rows } = await read([one, other], '&top=1')
    const sum = (of: (row: AnalyticsRow) => number) => rows.reduce((all: number, row: AnalyticsRow) => all + of(row), 0)
    expect(sum((row) => row.calls)).toBe(calls.length)
    expect(sum((row) => row.quota ?? 0)).toBe(calls.reduce((all, { quota }) => all + quota, 0))
    expect(rows.length).toBeLessThanOrEqual(3)
    const last = rows.at(-1)
    expect([last.other, last[one]]).toEqual([true, undefined])
    const [first] = rows
    expect(first[one]).toBeDefined()
  }
})

test('an hour in which only a correction was posted counts below zero, also in the rest beyond the top', async () => {
  const { app, calls, users, read } = await fixture()
  const [user] = users
  // Of a day without any other call, by names of which each is beyond the top.
  const correction = {
    ...{ user_id: user?.id ?? 0, username: user?.username ?? '', token_name: 'few', model_name: 'few', channel: 9 },
    ...{ created_at: START + DAY, quota: -1_000_000 },
  }
  await transact(app.db, (tx) => addFigures(tx, [addedBy({ log: callLog(correction), as: 'rest' })]))
  const quota = calls.reduce((all, call) => all + call.quota, -1_000_000)
  const readings = [...PARTS.map((part) => ['time', part] as const), ...PAIRS].filter((by) => !by.includes('outcome'))
  for (const by of readings)
    for (const more of ['&top=1', '&top=1&step=hour', '&top=100']) {
      const { rows, totals } = await read(by, more)
      const sum = rows.reduce((all: number, row: AnalyticsRow) => all + (row.quota ?? 0), 0)
      expect([...by, more, sum, totals.quota]).toEqual([...by, more, quota, quota])
    }
})

const VALUES: Record<string, (call: Called) => number> = {
  quota: ({ quota }) => quota,
  calls: () => 1,
  failed: ({ outcome }) => Number(outcome === 'upstream_error'),
  tokens: ({ prompt_tokens }) => prompt_tokens,
}
const CANCELED = (call: Called) => Number(call.outcome === 'canceled')

test('the top rows are those with the most of what is asked for: cost, calls, failures, tokens, or an outcome', async () => {
  const { calls, read } = await fixture()
  const orders = Object.entries(VALUES).map(([order, value]) => [`&order=${order}`, value] as const)
  for (const [order, value] of [...orders, ['&outcome=canceled', CANCELED] as const])
    for (const part of PARTS.filter((name) => name !== 'outcome')) {
      const totals = new Map<string, number>()
      for (const call of calls) totals.set(NAME_OF[part](call), (totals.get(NAME_OF[part](call)) ?? 0) + value(call))
      const most = Math.max(...totals.values())
      for (const by of [[part], ['time', part]] as const) {
        const { rows } = await read(by, `&top=1${order}`)
        const named = rows.filter(({ other }: AnalyticsRow) => !other)
        const names = new Set(named.map((row: AnalyticsRow) => shownName(row, part)))
        expect([order, ...by, [...names].map((name) => totals.get(String(name)))]).toEqual([order, ...by, [most]])
      }
    }
})

test('a filter by the name of a row finds the calls of the row, whatever the dimension', async () => {
  const { app, users, read } = await fixture()
  await app.db
    .updateTable('users')
    .set({ group: '' })
    .where('id', '=', users[0]?.id ?? 0)
    .execute()
  for (const by of PARTS) {
    const { rows } = await read([by])
    expect(rows.length).toBeGreaterThan(1)
    for (const row of rows) {
      const name = encodeURIComponent(String(row[by]))
      const owner = by === 'key' ? `&user=${row.user}` : ''
      const { totals } = await read(['time'], `&${by}=${name}${owner}`)
      expect([by, name, totals.calls, totals.quota]).toEqual([by, name, row.calls, row.quota])
    }
  }
  expect((await read(['time'], '&group=vip,default')).totals.calls).toBe(0)
})

test('filters narrow a pair, and users see only pairs of their own calls', async () => {
  const { calls, read, users } = await fixture()
  const [user] = users
  const own = calls.filter(({ user_id }) => user_id === user?.id)
  const ofUser = await read(['model', 'channel'], `&user=${own[0]?.username}`)
  expect(ofUser.rows.reduce((all: number, row: AnalyticsRow) => all + row.calls, 0)).toBe(own.length)
  const range = `start=${START}&end=${START + 2 * DAY}`
  const seen = (await user?.client.get(`/api/analytics/self?${range}&by=key,model`))?.data
  expect(seen.rows.reduce((all: number, row: AnalyticsRow) => all + row.calls, 0)).toBe(own.length)
  for (const row of seen.rows) expect(row.user).toBeUndefined()
  for (const by of ['model,channel', 'user,model']) {
    const refused = await user?.client.get(`/api/analytics/self?${range}&by=${by}`)
    expect(refused).toMatchObject({ success: false })
  }
})
