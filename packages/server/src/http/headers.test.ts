import { expect, test } from 'bun:test'
import { testApp } from '../testing/app.ts'
import { makeUser } from '../testing/makers.ts'

const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

test('answers of the API are never cached, framed or sniffed, refusals included', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const answers = [
    await client.get('/api/user/self'),
    await client.get('/api/user/'),
    await app.client().get('/api/user/self'),
    await app.client().get('/api/nonsense'),
    await app.client().get('/api//status'),
    await app.client().send('POST', '/api/user/login', '{'),
    await client.get('/api/openapi.json'),
    await client.get('/healthz'),
    await client.get('/readyz'),
  ]
  for (const { headers } of answers) {
    expect(Object.fromEntries(headers)).toMatchObject({
      ...everywhere,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers.get('server') ?? headers.get('x-powered-by')).toBeNull()
  }
  expect(answers[0]?.headers.get('content-type')).toBe('application/json; charset=utf-8')
})

test('every answer has a unique id, for the log', async () => {
  const app = await testApp()
  const id = async () => (await app.client().get('/api/status')).headers.get('x-request-id')
  expect(await id()).toMatch(/^[0-9a-f-]{36}$/)
  expect(await id()).not.toBe(await id())
})

test('pages load scripts only from here, and cannot be framed', async () => {
  const app = await testApp()
  const { headers } = await app.client().get('/')
  expect(Object.fromEntries(headers)).toMatchObject({
    ...everywhere,
    'referrer-policy': 'same-origin',
    'cache-control': 'no-cache',
    'cross-origin-opener-policy': 'same-origin',
  })
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
  for (const rule of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) expect(policy).toContain(rule)
})

test('the documentation needs no script and no other host', async () => {
  const app = await testApp()
  const { headers, message: page } = await app.client().get('/docs')
  expect(Object.fromEntries(headers)).toMatchObject({
    ...everywhere,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  })
  expect(page).not.toMatch(/<script|https?:\/\//)
  for (const path of ['/api/user/login', '/api/token/', '/api/channel/:id']) expect(page).toContain(path)
})
