import { expect, setDefaultTimeout, test } from 'bun:test'
import type { AnalyticsRow } from '@tollgate/contract'
import { DAY, HOUR } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot } from '../testing/makers.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(60_000)

const START = Date.parse('2027-03-01T00:00:00Z') / 1000
const USERS = 150

async function manyUsers() {
  const app = await testApp()
  const root = await asRoot(app)
  const calls = Array.from({ length: USERS }, (_, nth) => ({
    ...{ created_at: START + nth * 600, user_id: 100 + nth, username: `user-${nth}`, token_name: `key-${nth}` },
    ...{ type: 2, quota: 1000 - nth, model_name: 'm', channel: 1 },
  }))
  await makeLogs(app, ...calls)
  for (const { created_at, user_id } of calls)
    app.parts.tally.note({
      ...{ created_at, user_id, model_name: 'm', channel: 1, outcome: 'success', completion_tokens: 1, is_stream: 0 },
      ...{ first_byte_time: 100, elapsed_time: 200 },
    })
  const ask = (query: string) => root.get(`/api/analytics/?start=${START}&end=${START + 2 * DAY}&${query}`)
  return { calls, ask }
}

test('a file may ask for every name, and none is combined with others', async () => {
  const { calls, ask } = await manyUsers()
  for (const by of ['user', 'key']) {
    const { rows } = (await ask(`by=${by}&top=10000`)).data
    expect(rows.map((row: AnalyticsRow) => [row.user, row.quota, row.other])).toEqual(
      calls.map(({ username, quota }) => [username, quota, false]),
    )
  }
  const daily = (await ask('by=time,user&step=day&top=5000')).data.rows
  const hours = calls.map(({ created_at, username, quota }) => [created_at - (created_at % DAY), username, quota])
  expect(daily.map((row: AnalyticsRow) => [row.time, row.user, row.quota]).sort()).toEqual(hours.sort())
})

test('of more than a hundred users, the first hundred are timed', async () => {
  const { ask } = await manyUsers()
  const { rows } = (await ask('by=user&top=10000')).data
  expect(rows.map(({ elapsed_p50 }: AnalyticsRow) => elapsed_p50 !== null)).toEqual(
    Array.from({ length: USERS }, (_, nth) => nth < 100),
  )
})

test('an answer has at most ten thousand rows, or a hundred names: more are refused with the number', async () => {
  const app = await testApp()
  const root = await asRoot(app)
  const ask = (days: number, query: string) =>
    root.get(`/api/analytics/?start=${START}&end=${START + days * DAY}&${query}`)
  const refusedAt = async (days: number, by: string, max: number) => {
    expect((await ask(days, `${by}&top=${max}`)).success).toBe(true)
    expect(await ask(days, `${by}&top=${max + 1}`)).toMatchObject({
      ...{ success: false, message: `这样的统计最多列出 ${max} 个名称` },
    })
  }
  await refusedAt(20, 'by=time,user&step=day', 500)
  await refusedAt(20, 'by=time,model&step=hour', 100)
  await refusedAt(1, 'by=user,model', 100)
  await refusedAt(1, 'by=model,outcome', 1428)
  expect((await ask(400, 'by=key&top=10000')).success).toBe(true)
  expect((await ask(1, 'by=key&top=10001')).success).toBe(false)
})

test('with two hundred names by the hour, every hour is complete', async () => {
  const { calls, ask } = await manyUsers()
  const { rows } = (await ask('by=time,user&step=hour&top=200')).data
  const hours = calls.map(({ created_at, username, quota }) => [created_at - (created_at % HOUR), username, quota])
  expect(rows.map((row: AnalyticsRow) => [row.time, row.user, row.quota]).sort()).toEqual(hours.sort())
})
