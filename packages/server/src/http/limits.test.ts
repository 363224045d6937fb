import { expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeUser, signedIn } from '../testing/makers.ts'
import { redisServer } from '../testing/outside/redis-server.ts'
import { refused } from '../testing/refused.ts'

const PROXY = [ipaddr.parseCIDR('127.0.0.0/8')]
const from = (ip: string) => ({ 'x-forwarded-for': ip })

/** How many of this many calls were accepted. */
async function letThrough(calls: number, call: () => Promise<{ status: number }>) {
  let passed = 0
  for (let count = 0; count < calls; count++) if ((await call()).status !== 429) passed++
  return passed
}

test('a caller who exceeds the limit gets an error with the time to wait', async () => {
  const app = await testApp({ limits: { api: 3 } })
  const client = app.client()
  expect(await letThrough(3, () => client.get('/api/status'))).toBe(3)
  const answer = await client.get('/api/status')
  expect(answer).toMatchObject(refused('http.too_many'))
  expect(answer.headers.get('retry-after')).toBe('60')
  app.clock.pass(59)
  expect((await client.get('/api/status')).status).toBe(429)
  app.clock.pass(1)
  expect(await letThrough(2, () => client.get('/api/status'))).toBe(1)
  app.clock.pass(180)
  expect(await letThrough(4, () => client.get('/api/status'))).toBe(3)
})

test('visitors are counted by address, signed-in users by account', async () => {
  const app = await testApp({ limits: { api: 3 }, trustedProxies: PROXY })
  const one = await makeUser(app)
  const other = await makeUser(app)
  const office = from('203.0.113.1')
  expect(await letThrough(4, () => app.client().get('/api/status', office))).toBe(3)
  expect(await letThrough(4, () => one.client.get('/api/status', office))).toBe(3)
  expect(await letThrough(4, () => other.client.get('/api/status', office))).toBe(3)
  // The limit belongs to the account, from whichever address and with whichever credentials it calls.
  const elsewhere = await signedIn(app, one.id)
  expect((await elsewhere.get('/api/status', from('203.0.113.2'))).status).toBe(429)
  expect(await letThrough(1, () => app.client().get('/api/status', from('203.0.113.2')))).toBe(1)
})

test('one IPv6 customer is one address', async () => {
  const app = await testApp({ limits: { api: 3 }, trustedProxies: PROXY })
  let host = 0
  const call = () => app.client().get('/api/status', from(`2001:db8:1:2::${++host}`))
  expect(await letThrough(6, call)).toBe(3)
  expect((await app.client().get('/api/status', from('2001:db8:1:3::1'))).status).toBe(200)
})

test('endpoints that can be used for guessing have stricter, separate limits', async () => {
  const app = await testApp({ limits: { critical: 2 } })
  const client = app.client()
  const attempt = (path: string) => client.post(path, {})
  expect(await letThrough(3, () => attempt('/api/user/reset'))).toBe(2)
  expect((await attempt('/api/user/reset/')).status).toBe(429)
  expect((await attempt('/api/user/reset')).headers.get('retry-after')).toBe('600')
  expect(await letThrough(3, () => attempt('/api/user/register'))).toBe(2)
  expect(await letThrough(3, () => client.get('/api/oauth/state'))).toBe(2)
  expect(await letThrough(3, () => client.get('/api/verification?email=a@example.com'))).toBe(2)
  expect(await letThrough(5, () => client.get('/api/status'))).toBe(5)
})

test('a limit of 0 is no limit', async () => {
  const app = await testApp({ limits: { api: 0, web: 0, critical: 0 } })
  expect(await letThrough(50, () => app.client().get('/api/oauth/state'))).toBe(50)
})

test('pages have a separate limit', async () => {
  const app = await testApp({ limits: { web: 2, api: 2 } })
  const client = app.client()
  expect(await letThrough(3, () => client.get('/'))).toBe(2)
  expect(await letThrough(3, () => client.get('/api/status'))).toBe(2)
  expect(await letThrough(3, () => client.get('/healthz'))).toBe(3)
})

/** Two nodes on one database and one Redis, both connected. */
async function twoNodes(redisUrl: string, limits: { api: number }) {
  const one = await testApp({ redisUrl, limits })
  const other = await testApp({ redisUrl, limits, location: one.location })
  await Promise.all([one.logged('Redis answers'), other.logged('Redis answers')])
  return [one, other] as const
}

const status = (app: TestApp) => () => app.client().get('/api/status')

test('with Redis the nodes count together', async () => {
  const redis = await redisServer()
  const [one, other] = await twoNodes(redis.url, { api: 4 })
  expect(await letThrough(2, status(one))).toBe(2)
  expect(await letThrough(3, status(other))).toBe(2)
  expect(await letThrough(1, status(one))).toBe(0)
})

test('without Redis each node counts alone, and together again when it is back', async () => {
  const redis = await redisServer()
  const [one, other] = await twoNodes(redis.url, { api: 2 })
  expect(await letThrough(3, status(one))).toBe(2)
  await redis.stop()
  expect(await letThrough(3, status(one))).toBe(2)
  expect(await letThrough(3, status(other))).toBe(2)
  expect(await one.logged('Redis does not answer')).toContain('"level":"warn"')

  one.lines.length = 0
  other.lines.length = 0
  await redis.startAgain()
  await Promise.all([one.logged('Redis answers'), other.logged('Redis answers')])
  expect(await letThrough(2, status(one))).toBe(2)
  expect(await letThrough(2, status(other))).toBe(0)
})

test('a Redis that hangs does not hang the node', async () => {
  const redis = await redisServer()
  const [one] = await twoNodes(redis.url, { api: 2 })
  redis.hang()
  expect(await letThrough(3, status(one))).toBe(2)
  await one.logged('no answer in 200 ms')
})
