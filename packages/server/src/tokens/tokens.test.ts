import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeUser } from '../testing/makers.ts'

test('a new account starts with one unlimited token named default [R9.12]', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const { data, headers } = await client.get('/api/token/?p=0')
  expect(data).toMatchObject([{ name: 'default', unlimited_quota: true, expired_time: -1, status: 1 }])
  expect(headers.get('x-total-count')).toBe('1')
})
