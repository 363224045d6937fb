import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import type { Client } from '../testing/client.ts'
import { makeAdmin } from '../testing/makers.ts'

const PATH = '/api/option/'
const key = 'GroupRateLimits'
const limitsOf = (...groups: string[]) => JSON.stringify(Object.fromEntries(groups.map((group) => [group, { rpm: 9 }])))

const stored = async (client: Client, name = key) =>
  (await client.get(PATH)).data.find((option: { key: string }) => option.key === name).value

test('a setting that another administrator has saved meanwhile is not overwritten', async () => {
  const app = await testApp()
  const [{ client: one }, { client: two }] = [await makeAdmin(app), await makeAdmin(app)]
  const base = await stored(one)
  expect((await one.put(PATH, { key, value: limitsOf('vip'), base })).success).toBe(true)
  const refused = await two.put(PATH, { key, value: limitsOf('svip'), base }, { 'accept-language': 'en' })
  expect(refused).toMatchObject({ success: false, body: { field: key } })
  expect(refused.message).toContain('Another administrator has changed')
  expect(await stored(two)).toBe(limitsOf('vip'))
  // From what is stored now it is a change like any other, and without a base it is as it always was.
  const value = limitsOf('vip', 'svip')
  expect((await two.put(PATH, { key, value, base: limitsOf('vip') })).success).toBe(true)
  // The answer was lost, and the same is sent again.
  expect((await two.put(PATH, { key, value, base: limitsOf('vip') })).success).toBe(true)
  expect((await one.put(PATH, { key, value: '{}' })).success).toBe(true)
  expect(await stored(one)).toBe('{}')
})

test('of administrators who save the same setting at the same moment, one is told', async () => {
  const app = await testApp()
  const { client } = await makeAdmin(app)
  const base = await stored(client, 'Notice')
  const sent = ['a', 'b', 'c', 'd'].map((value) => client.put(PATH, { key: 'Notice', value, base }))
  const answers = await Promise.all(sent)
  expect(answers.filter(({ success }) => success)).toHaveLength(1)
  const winner = ['a', 'b', 'c', 'd'][answers.findIndex(({ success }) => success)]
  expect(await stored(client, 'Notice')).toBe(winner ?? '')
})
