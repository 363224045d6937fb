import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { ENDPOINTS } from '@tollgate/contract'
import { type TestApp, testApp } from '../testing/app.ts'
import { makeUser } from '../testing/makers.ts'
import { refused } from '../testing/refused.ts'

/** Sends a request line unchanged, which `fetch` would normalise. Returns the status. */
async function rawStatus(app: TestApp, path: string, more = '') {
  const { hostname, port } = new URL(app.url)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const socket = connect(Number(port), hostname)
  socket.on('error', reject)
  socket.on('data', (chunk) => {
    socket.destroy()
    resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString())?.[1]))
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${more}Connection: close\r\n\r\n`)
  return promise
}

test('every call is served with and without a trailing slash, and to the same effect [R7.03]', async () => {
  const app = await testApp()
  const client = app.client()
  for (const { endpoint } of ENDPOINTS) {
    const path = endpoint.path.replaceAll(/:\w+/g, '1').replace(/\/$/, '')
    const body = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? undefined : {}
    const [plain, slashed] = [
      await client.send(endpoint.method, path, body),
      await client.send(endpoint.method, `${path}/`, body),
    ]
    expect(plain.status).not.toBe(404)
    expect(slashed.status).toBe(plain.status)
    expect(Object.keys(slashed.body)).toEqual(Object.keys(plain.body))
    expect(slashed.message).toBe(plain.message)
    expect(slashed.headers.get('location')).toBeNull()
  }
})

test('a request with two hosts is refused, whatever it asks for', async () => {
  const app = await testApp()
  for (const path of ['/api/status', '/v1/models', '/', '/healthz']) {
    expect([path, await rawStatus(app, path, 'Host: evil.test\r\n')]).toEqual([path, 400])
  }
})

test('the host of an absolute target is ignored: the Host header decides', async () => {
  const app = await testApp()
  const { host } = new URL(app.url)
  const { id } = await makeUser(app)
  const user = await app.parts.accounts.find(id)
  if (user === undefined) throw new Error('no user')
  const session = await app.parts.sessions.open(user, { ip: '127.0.0.1', userAgent: 'test' })
  const own = `Cookie: session=${session}\r\nAccept: application/json\r\n`
  const token = (target: string, referer: string) => rawStatus(app, target, `${own}Referer: ${referer}\r\n`)
  expect(await token('http://evil.test/api/user/token', 'http://evil.test/')).toBe(403)
  expect(await token(`http://${host}/api/user/token`, `http://${host}/`)).toBe(200)
})

test('an unknown path or method of the API is reported in the envelope', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  const unknown: [string, string][] = [
    ['GET', '/api'],
    ['GET', '/api/nonsense'],
    ['GET', '/api/user/self/nonsense'],
    ['PATCH', '/api/user/self'],
    ['POST', '/api/status'],
    ['DELETE', '/api/user/'],
  ]
  for (const [method, path] of unknown) {
    expect(await client.send(method, path)).toMatchObject(refused('http.not_found', { method, path }))
  }
  // Paths are case-sensitive: this is not an endpoint but a page of the console.
  expect((await client.get('/API/status')).headers.get('content-type')).toStartWith('text/html')
})

test('a path that hides another path is refused', async () => {
  const app = await testApp()
  for (const path of ['/api//status', '/api/user%2fself', '/api/user%2Fself', '/api/user%5cself']) {
    expect(await app.client().get(path)).toMatchObject(refused('input.bad_path'))
  }
  for (const path of ['//api/status', '//evil.example/api/status', '/x//y'])
    expect(await rawStatus(app, path)).toBe(400)
})

test('odd bytes in a path or query are answered and never cause a server error', async () => {
  const app = await testApp()
  const odd = [
    '/api/user/%ff',
    '/api/user/%',
    '/api/user/%zz',
    '/api/user/%00',
    '/api/verification?email=%ff%fe',
    '/api/verification?%',
    '/api/verification?email=a&email=b',
    '/api/../api/status',
    '/api/./status',
    '/%00',
    '/%ff',
    '/%',
    `/${'a'.repeat(5000)}`,
  ]
  for (const path of odd) expect(await rawStatus(app, path)).toBeLessThan(500)
  expect(app.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('health and readiness are answered without a session', async () => {
  const app = await testApp()
  expect(await app.client().get('/healthz')).toMatchObject({ status: 200, message: 'ok' })
  expect(await app.client().get('/readyz')).toMatchObject({ status: 200, message: 'ready' })
})

test('without its database the server is alive but not ready', async () => {
  const app = await testApp()
  const { client } = await makeUser(app)
  await app.db.schema.alterTable('meta').renameTo('meta_gone').execute()
  const ready = await client.get('/readyz')
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toBe('1')
  expect((await client.get('/healthz')).status).toBe(200)
  await app.db.schema.alterTable('meta_gone').renameTo('meta').execute()
})

test('an undecodable path is an unknown one, also where it names a model', async () => {
  const app = await testApp()
  const post = (path: string) => fetch(app.url + path, { method: 'POST', body: '{}' })
  expect((await post('/v1beta/models/%zz:generateContent')).status).toBe(404)
  const { client } = await makeUser(app)
  const key = (await client.get('/api/token/')).data[0].key
  const named = await fetch(`${app.url}/v1/models/%zz`, { headers: { authorization: `Bearer ${key}` } })
  expect(named.status).toBe(404)
})
