import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeLogs } from '../testing/log-makers.ts'
import { makeUser } from '../testing/makers.ts'

const DAY = 86_400

test('the overview adds up the own consumption of the last seven days by day and model, as days of UTC', async () => {
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

test('without any consumption the overview is an empty list', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  expect(await client.get('/api/user/dashboard')).toMatchObject({ status: 200, success: true, data: [] })
})
