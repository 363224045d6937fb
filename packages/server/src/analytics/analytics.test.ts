import { expect, setDefaultTimeout, test } from 'bun:test'
import { DAY, HOUR } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'

// Each test starts a server and a database, possibly on a busy machine.
setDefaultTimeout(30_000)

const at = (text: string) => Date.parse(text) / 1000

const asked = (path: string, query: Record<string, string | number>) =>
  `${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`

async function fixture() {
  const app = await testApp()
  const root = await asRoot(app)
  return {
    app,
    root,
    read: async (query: Record<string, string | number>) => (await root.get(asked('/api/analytics/', query))).data,
    refused: async (query: Record<string, string | number>) => {
      const { data, ...answer } = await root.get(asked('/api/analytics/', query))
      expect(answer).toMatchObject({ success: false })
      return answer.message
    },
  }
}

test('usage is split by each dimension, and its rows add up to the totals', async () => {
  const { app, read } = await fixture()
  const start = at('2027-01-10T00:00:00Z')
  const call = {
    user_id: 1,
    username: 'root',
    token_name: 'k',
    channel: 3,
    quota: 5,
    prompt_tokens: 2,
    completion_tokens: 1,
  }
  await makeLogs(
    app,
    { ...call, created_at: start + 10, model_name: 'a' },
    { ...call, created_at: start + 10, model_name: 'a', token_name: 'other' },
    { ...call, created_at: start + 5 * HOUR, model_name: 'b', channel: 4, username: 'eve', user_id: 2 },
    { ...call, created_at: start + 30 * HOUR, model_name: 'a', outcome: 'canceled' },
    { ...call, created_at: start + 31 * HOUR, model_name: 'b', quota: 0, type: 6, outcome: 'timeout' },
    { ...call, created_at: start - 1, model_name: 'before', quota: 100 },
  )
  const range = { start, end: start + 2 * DAY }
  const by = async (dimension: string) => {
    const { rows, totals } = await read({ ...range, by: dimension })
    expect(totals).toMatchObject({ calls: 5, failed: 1, quota: 20, prompt_tokens: 8, active_users: 2, active_keys: 3 })
    return rows.map((row: Record<string, unknown>) => [
      row.time ?? row.model ?? row.channel ?? row.group ?? row.outcome ?? [row.user, row.key].filter(Boolean).join(' '),
      row.calls,
      row.quota,
    ])
  }
  expect(await by('model')).toEqual([
    ['a', 3, 15],
    ['b', 2, 5],
  ])
  expect(await by('channel')).toEqual([
    [3, 4, 15],
    [4, 1, 5],
  ])
  expect(await by('user')).toEqual([
    ['root', 4, 15],
    ['eve', 1, 5],
  ])
  expect(await by('key')).toEqual([
    ['root k', 3, 10],
    ['eve k', 1, 5],
    ['root other', 1, 5],
  ])
  expect(await by('outcome')).toEqual([
    ['success', 3, null],
    ['timeout', 1, null],
    ['canceled', 1, null],
  ])
  const { rows, step, times, previous } = await read({ ...range, by: 'time,model', step: 'day', top: 1 })
  expect({ step, times, quota: previous.quota }).toEqual({ step: 'day', times: [start, start + DAY], quota: 100 })
  expect(rows.map(({ time, model, other, calls }: Record<string, unknown>) => [time, model, other, calls])).toEqual([
    [start, 'a', false, 2],
    [start, undefined, true, 1],
    [start + DAY, 'a', false, 1],
    [start + DAY, undefined, true, 1],
  ])
  const users = await read({ ...range, by: 'time,user', step: 'day', top: 1 })
  expect(users.rows.map(({ time, user, other, calls }: Record<string, unknown>) => [time, user, other, calls])).toEqual(
    [
      [start, 'root', false, 2],
      [start, undefined, true, 1],
      [start + DAY, 'root', false, 2],
    ],
  )
  const filtered = await read({ ...range, by: 'model', user: 'root', key: 'k', channel: 3 })
  expect(filtered.totals).toMatchObject({ calls: 3, quota: 10, outcomes: { success: 1, canceled: 1, timeout: 1 } })
  expect((await read({ ...range, user: 'nobody' })).totals.calls).toBe(0)
  expect((await read({ ...range, by: 'user', model: 'b' })).rows.map(({ user }: { user: string }) => user)).toEqual([
    'eve',
    'root',
  ])
})

test('days follow the local clock of the zone, also when it changes', async () => {
  const { app, read } = await fixture()
  const call = { model_name: 'a', quota: 1 }
  // In Berlin the clock went forward on the 29th of March: that day had 23 hours.
  const hours = Array.from({ length: 72 }, (_, hour) => at('2026-03-27T23:00:00Z') + hour * HOUR)
  await makeLogs(app, ...hours.map((created_at) => ({ ...call, created_at })))
  const range = { start: at('2026-03-27T23:00:00Z'), end: at('2026-03-30T23:00:00Z') }
  const counts = async (query: Record<string, string | number>) => {
    const { rows } = await read({ ...range, by: 'time', ...query })
    return rows.map(({ time, calls }: { time: number; calls: number }) => [new Date(time * 1000).toISOString(), calls])
  }
  expect(await counts({ zone: 'Europe/Berlin', step: 'day' })).toEqual([
    ['2026-03-27T23:00:00.000Z', 24],
    ['2026-03-28T23:00:00.000Z', 23],
    ['2026-03-29T22:00:00.000Z', 24],
    ['2026-03-30T22:00:00.000Z', 1],
  ])
  expect(await counts({ zone: 'Europe/Berlin', step: 'week' })).toEqual([
    ['2026-03-22T23:00:00.000Z', 47],
    ['2026-03-29T22:00:00.000Z', 25],
  ])
  expect(await counts({ zone: 'Asia/Shanghai', step: 'month' })).toEqual([['2026-02-28T16:00:00.000Z', 72]])
  expect(await counts({ zone: 'Asia/Kolkata', step: 'day' })).toHaveLength(4)
  expect(await counts({ zone: 'UTC', step: 'hour' })).toHaveLength(72)
})

test('days that begin within an hour have whole hours, each of them in one day, and no other day beside them', async () => {
  const { app, read } = await fixture()
  const call = { model_name: 'a', quota: 1 }
  const hours = Array.from({ length: 80 }, (_, hour) => at('2026-03-27T12:10:00Z') + hour * HOUR)
  await makeLogs(app, ...hours.map((created_at) => ({ ...call, created_at })))
  const [zone, midnight] = ['Asia/Kolkata', at('2026-03-27T18:30:00Z')]
  const day = (number: number) => ({ start: midnight + number * DAY, end: midnight + (number + 1) * DAY })
  const { rows, totals, ...range } = await read({
    start: midnight,
    end: midnight + 3 * DAY,
    by: 'time',
    step: 'day',
    zone,
  })
  expect([range.start, range.end, totals.calls]).toEqual([midnight + 1800, midnight + 3 * DAY + 1800, 72])
  expect(rows.map(({ time, calls }: { time: number; calls: number }) => [time, calls])).toEqual(
    [0, 1, 2].map((number) => [day(number).start, 24]),
  )
  for (const number of [0, 1, 2]) expect((await read({ ...day(number), zone })).totals.calls).toBe(24)
  // The first minutes of a day are still in the hour of the day before.
  expect((await read({ start: midnight, end: midnight + 600, zone })).totals.calls).toBe(1)
})

test('days are compared with as many days before them, the last one up to the same hour', async () => {
  const { app, read } = await fixture()
  await makeLogs(
    app,
    { created_at: at('2026-11-17T15:59:59Z'), quota: 1 },
    { created_at: at('2026-11-17T16:00:00Z'), quota: 10 },
    { created_at: at('2026-11-18T10:00:00Z'), quota: 100 },
  )
  const before = async (zone: string, start: string, end: string) => {
    const { previous } = await read({ start: at(start), end: at(end), zone, by: 'time', step: 'day' })
    const { times } = await read({ start: previous.start, end: previous.end, zone, by: 'time', step: 'day' })
    const [from, until] = [previous.start, previous.end].map((time) => new Date(time * 1000).toISOString().slice(0, 16))
    return [from, until, times.length]
  }
  // Half of today with the same half of yesterday, also where the clock was changed in between.
  expect(await before('UTC', '2026-11-18T00:00Z', '2026-11-18T16:00Z')).toEqual([
    ...['2026-11-17T00:00', '2026-11-17T16:00', 1],
  ])
  expect(await before('Europe/Berlin', '2026-10-25T23:00Z', '2026-10-26T09:00Z')).toEqual([
    ...['2026-10-24T22:00', '2026-10-25T09:00', 1],
  ])
  // A week up to now with the same weekdays, and one in which the clock was changed.
  expect(await before('Asia/Shanghai', '2026-11-11T16:00Z', '2026-11-18T08:00Z')).toEqual([
    ...['2026-11-04T16:00', '2026-11-11T08:00', 7],
  ])
  expect(await before('America/New_York', '2026-10-29T04:00Z', '2026-11-05T05:00Z')).toEqual([
    ...['2026-10-22T04:00', '2026-10-29T04:00', 7],
  ])
  // Days that begin within an hour begin with the next one.
  expect(await before('Asia/Kolkata', '2026-11-16T18:30Z', '2026-11-18T18:30Z')).toEqual([
    ...['2026-11-14T19:00', '2026-11-16T19:00', 2],
  ])
  // No days: what precedes it.
  expect(await before('UTC', '2026-11-18T03:00Z', '2026-11-18T05:00Z')).toEqual([
    ...['2026-11-18T01:00', '2026-11-18T03:00', 1],
  ])
  const { totals, previous } = await read({ start: at('2026-11-18T00:00Z'), end: at('2026-11-18T16:00Z') })
  expect([totals.quota, previous.quota]).toEqual([100, 1])
})

test('what cannot be answered is refused by a sentence, before anything is read', async () => {
  const { refused } = await fixture()
  const range = { start: 1_800_000_000, end: 1_800_086_400 }
  expect(await refused({ start: range.end, end: range.start })).toBe('结束时间必须晚于开始时间')
  expect(await refused({ start: 0, end: 86_400_000_000 })).toBe('时间范围最长 400 天')
  expect(await refused({ start: 0, end: 400 * DAY, step: 'hour' })).toContain('时间点过多')
  expect(await refused({ ...range, zone: 'Europe/Nowhere' })).toContain('时区名称无效，例如 Asia/Shanghai')
  expect(await refused({ ...range, by: 'colour' })).toContain('只能是以下之一')
  for (const by of ['group,model', 'channel,group', 'time,time', 'time,model,key'])
    expect(await refused({ ...range, by })).toContain('分组不能与模型或渠道组合')
  expect(await refused({ ...range, by: 'user,model', top: 101 })).toBe('这样的统计最多列出 100 个名称')
  expect(await refused({ ...range, by: 'user', top: 10_001 })).toContain('不能大于 10000')
  expect(await refused({ ...range, outcome: 'fine' })).toContain('只能是以下之一')
  expect(await refused({ end: 5 })).toContain('开始时间')
})

test('users see only their own usage, and get an error when they request more', async () => {
  const { app } = await fixture()
  const { client, id } = await makeUser(app)
  const start = at('2027-01-10T00:00:00Z')
  await makeLogs(
    app,
    { user_id: id, username: 'me', created_at: start, model_name: 'a', quota: 1 },
    { user_id: 1, username: 'root', created_at: start, model_name: 'secret', quota: 9 },
  )
  const read = (query: object) => client.get(asked('/api/analytics/self', { start, end: start + DAY, ...query }))
  const { data } = await read({ by: 'model' })
  expect(data.rows).toMatchObject([{ model: 'a', calls: 1, quota: 1 }])
  expect(data.totals).toMatchObject({ quota: 1, active_users: null, active_keys: 1 })
  expect((await read({ by: 'model', model: 'secret' })).data.totals.calls).toBe(0)
  for (const query of [
    { by: 'user' },
    { by: 'time,channel' },
    { by: 'group' },
    { user: 'root' },
    { channel: 1 },
    { group: 'x' },
  ]) {
    const { success, message } = await read(query)
    expect([success, message.includes('这里只有您自己的用量')]).toEqual([false, true])
  }
  expect(await client.get(asked('/api/analytics/', { start, end: start + DAY }))).toMatchObject({ success: false })
})
