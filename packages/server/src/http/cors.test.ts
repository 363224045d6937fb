import { expect, test } from 'bun:test'
import ipaddr from 'ipaddr.js'
import { testApp } from '../testing/app.ts'
import { makeUser, PASSWORD } from '../testing/makers.ts'

const CONSOLE = 'https://console.example.com'
const allowHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control'))

test('no page of another origin may read an answer', async () => {
  const app = await testApp()
  for (const origin of ['https://evil.example', 'null', app.url, '*']) {
    const answer = await app.client().get('/api/status', { origin })
    expect(answer.success).toBe(true)
    expect(allowHeaders(answer.headers)).toEqual([])
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const asked = await app.client().send('OPTIONS', '/api/user/self', undefined, { origin })
    expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('the origin of a configured console may read and change [R1.16]', async () => {
  const app = await testApp({ consoleOrigins: [CONSOLE] })
  const { client } = await makeUser(app)
  const asked = await client.send('OPTIONS', '/api/user/self', undefined, { origin: CONSOLE })
  expect(asked.status).toBe(204)
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    'access-control-allow-origin': CONSOLE,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'content-type, accept-language, authorization, idempotency-key, x-tollgate-console',
    vary: 'origin',
  })
  const headers = { origin: CONSOLE, 'sec-fetch-site': 'cross-site' }
  const answer = await client.put('/api/user/self', { display_name: 'x' }, headers)
  expect(answer.success).toBe(true)
  expect(answer.headers.get('access-control-allow-origin')).toBe(CONSOLE)
  expect(answer.headers.get('access-control-expose-headers')).toContain('x-total-count')
  const refusedOne = await app.client().get('/api/user/self', { origin: CONSOLE })
  expect(refusedOne.headers.get('access-control-allow-origin')).toBe(CONSOLE)
})

test('an origin that only resembles the named one gets nothing', async () => {
  const app = await testApp({ consoleOrigins: [CONSOLE] })
  const { client } = await makeUser(app)
  for (const origin of [
    'http://console.example.com',
    'https://console.example.com.evil.net',
    'https://console.example.com:8443',
    'https://evil.example',
  ]) {
    const read = await client.get('/api/user/self', { origin })
    expect(allowHeaders(read.headers)).toEqual([])
    expect((await client.put('/api/user/self', { display_name: 'x' }, { origin })).status).toBe(403)
  }
})

test('for a console elsewhere the cookie may cross sites, on https only', async () => {
  const app = await testApp({ consoleOrigins: [CONSOLE], trustedProxies: [ipaddr.parseCIDR('127.0.0.0/8')] })
  const { username } = await makeUser(app)
  const login = async (headers: Record<string, string>) => {
    const answer = await app.client().post('/api/user/login', { username, password: PASSWORD }, headers)
    return answer.headers.getSetCookie()[0]
  }
  expect(await login({ origin: CONSOLE, 'x-forwarded-proto': 'https' })).toEndWith('SameSite=None; Secure')
  expect(await login({ origin: CONSOLE })).toEndWith('SameSite=Strict')
})
