import { expect, test } from 'bun:test'
import { DAY } from '../common/time-units.ts'
import { testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { asRoot, makeUser } from '../testing/makers.ts'

test('the overview adds up one’s own consumption of the last seven days by day and model, as UTC days', async () => {
  const app = await testApp()
  // At noon, so that no day ends during the test.
  app.clock.pass(1.5 * DAY - ((app.clock.now() / 1000) % DAY))
  const { id, client } = await makeUser(app)
  const today = Math.floor(app.clock.now() / 1000 / DAY) * DAY
  const own = { user_id: id, model_name: 'gpt-4o', quota: 10, prompt_tokens: 3, completion_tokens: 4 }
  await makeLogs(
    app,
    { ...own, created_at: today - 7 * DAY + DAY - 1 },
    { ...own, created_at: today - 6 * DAY },
    { ...own, created_at: today - DAY },
    { ...own, created_at: today - 1 },
    { ...own, created_at: today },
    { ...own, created_at: today, model_name: 'claude' },
    { ...own, created_at: today, type: 1, quota: 9999 },
    { ...own, created_at: today, type: 6 },
    { ...own, created_at: today, user_id: 1 },
  )
  const day = (at: number) => new Date(at * 1000).toISOString().slice(0, 10)
  const once = { ModelName: 'gpt-4o', RequestCount: 1, Quota: 10, PromptTokens: 3, CompletionTokens: 4 }
  const twice = { ModelName: 'gpt-4o', RequestCount: 2, Quota: 20, PromptTokens: 6, CompletionTokens: 8 }
  const { success, data } = await client.get('/api/user/dashboard')
  expect(success).toBe(true)
  expect(data).toEqual([
    { Day: day(today - 6 * DAY), ...once },
    { Day: day(today - DAY), ...twice },
    { Day: day(today), ...once, ModelName: 'claude' },
    { Day: day(today), ...once },
  ])
  app.clock.pass(DAY)
  expect((await client.get('/api/user/dashboard')).data).toHaveLength(3)
  app.clock.pass(5 * DAY)
  expect((await client.get('/api/user/dashboard')).data).toHaveLength(2)
})

test('days follow the reader’s clock', async () => {
  const app = await testApp()
  app.clock.pass(1.5 * DAY - ((app.clock.now() / 1000) % DAY))
  const { id, client } = await makeUser(app)
  const HOUR = 3600
  const today = Math.floor(app.clock.now() / 1000 / DAY) * DAY
  const own = { user_id: id, model_name: 'gpt-4o', prompt_tokens: 1, completion_tokens: 1 }
  await makeLogs(
    app,
    { ...own, quota: 1, created_at: today - 6 * DAY - 9 * HOUR },
    { ...own, quota: 10, created_at: today - 6 * DAY - 8 * HOUR },
    { ...own, quota: 100, created_at: today - 8 * HOUR - 1 },
    { ...own, quota: 1000, created_at: today - 8 * HOUR },
    { ...own, quota: 10_000, created_at: today + 3 * HOUR - 1 },
    { ...own, quota: 100_000, created_at: today + 3 * HOUR },
  )
  const spent = async (query: string) => {
    const { data } = await client.get(`/api/user/dashboard${query}`)
    return data.map(({ Day, Quota }: { Day: string; Quota: number }) => [Day, Quota])
  }
  const day = (offset: number) => new Date((today + offset * DAY) * 1000).toISOString().slice(0, 10)
  expect(await spent('?utc_offset_minutes=480')).toEqual([
    [day(-6), 10],
    [day(-1), 100],
    [day(0), 111_000],
  ])
  expect(await spent('?utc_offset_minutes=-180')).toEqual([
    [day(-1), 11_100],
    [day(0), 100_000],
  ])
  expect(await spent('')).toEqual(await spent('?utc_offset_minutes=0'))
  // At noon of UTC it is tomorrow where the clock is fourteen hours ahead, and the week began a day later.
  expect(await spent('?utc_offset_minutes=840')).toEqual([[day(0), 111_100]])
})

test('an invalid offset is refused', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  for (const offset of ['841', '-721', '1.5', 'x', 'NaN', 'Infinity', '1e9']) {
    const { success } = await client.get(`/api/user/dashboard?utc_offset_minutes=${offset}`)
    expect(success).toBe(false)
  }
})

test('without any consumption the overview is an empty list', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  expect(await client.get('/api/user/dashboard')).toMatchObject({ status: 200, success: true, data: [] })
})

test('administrators see the same for all users together', async () => {
  const app = await testApp()
  app.clock.pass(1.5 * DAY - ((app.clock.now() / 1000) % DAY))
  const { id } = await makeUser(app)
  const today = Math.floor(app.clock.now() / 1000 / DAY) * DAY
  const call = { model_name: 'gpt-4o', quota: 10, prompt_tokens: 3, completion_tokens: 4, created_at: today }
  await makeLogs(app, { ...call, user_id: id }, { ...call, channel: 7 }, { ...call, created_at: today - 8 * DAY })
  const root = await asRoot(app)
  const sums = { ModelName: 'gpt-4o', RequestCount: 2, Quota: 20, PromptTokens: 6, CompletionTokens: 8 }
  const day = new Date(today * 1000).toISOString().slice(0, 10)
  expect((await root.get('/api/log/dashboard')).data).toEqual([{ Day: day, ...sums }])
})
