import { expect, test } from 'bun:test'
import { request } from 'node:http'
import { ENDPOINTS } from '@tollgate/contract'
import { relayFixture } from '../../testing/relay-fixture.ts'
import { meantCall } from './unknown-path.ts'

const GENERATE = 'models/gemini-3-pro:generateContent'

test.each([
  ['/chat/completions', '/v1/chat/completions'],
  ['/v1/v1/chat/completions', '/v1/chat/completions'],
  ['/v1//chat/completions', '/v1/chat/completions'],
  ['//v1/chat/completions', '/v1/chat/completions'],
  ['/v1/chat/completions/', '/v1/chat/completions'],
  ['/V1/chat/completions', '/v1/chat/completions'],
  ['/api/v1/chat/completions', '/v1/chat/completions'],
  ['/openai/chat/completions', '/v1/chat/completions'],
  ['/v1beta/openai/chat/completions', '/v1/chat/completions'],
  ['/openai/deployments/gpt-4o/chat/completions', '/v1/chat/completions'],
  ['/v1/chat/completions/chat/completions', '/v1/chat/completions'],
  ['/v1/engines/gpt-4o/completions', '/v1/completions'],
  ['/responses', '/v1/responses'],
  ['/v1/v1/messages', '/v1/messages'],
  ['/anthropic/v1/messages/count_tokens', '/v1/messages/count_tokens'],
  ['/embeddings', '/v1/embeddings'],
  [`/v1beta/v1beta/${GENERATE}`, `/v1beta/${GENERATE}`],
  [`/v1/v1beta/${GENERATE}`, `/v1beta/${GENERATE}`],
  [`/${GENERATE}`, `/v1beta/${GENERATE}`],
])('a call to %s is told the right path, in the format of its own API', async (path, near) => {
  const { app } = await relayFixture()
  const { status, body } = await posted(app.url, path)
  expect(status).toBe(404)
  const error = { message: expect.stringContaining(`${path}, did you mean ${near}?`) }
  expect(body).toMatchObject({ error })
  const shape = near.includes('/messages') ? 'request_id' : near.includes(':') ? 'error.status' : 'error.param'
  expect(body).toHaveProperty(shape)
})

test('a list of models at a wrong path is told the right one, and a path without a known end only that it is unknown', async () => {
  const { app, key } = await relayFixture()
  const messageAt = async (path: string) => {
    const answer = await fetch(app.url + path, { headers: { authorization: `Bearer ${key}` } })
    return (await answer.json()).error.message
  }
  for (const path of ['/v1/v1/models', '/v1/models/', '/models', '/models/']) {
    expect(await messageAt(path)).toContain(`${path}, did you mean /v1/models?`)
  }
  expect(await messageAt('/v1/threads')).toMatch(/check the base URL: GET \/v1\/threads \(/)
})

test('who asks for models without a key is a browser, and gets the console', async () => {
  const { app } = await relayFixture()
  const { status, headers } = await fetch(`${app.url}/models`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
})

test.each(['/v1/models', '/v1/models/gpt-4o', '/v1beta/models', '/v1/dashboard/billing/usage'])(
  '%s has headers without a body',
  async (path) => {
    const { app, key, channel } = await relayFixture()
    await channel('gpt-4o')
    const headers = { authorization: `Bearer ${key}` }
    const asked = (method: string) => fetch(app.url + path, { method, headers })
    const [head, whole] = await Promise.all([asked('HEAD'), asked('GET')])
    expect([head.status, head.headers.get('content-type')]).toEqual([200, whole.headers.get('content-type')])
    expect(await head.text()).toBe('')
  },
)

test('no endpoint of the management API is taken for a call', () => {
  expect(ENDPOINTS.map(({ endpoint }) => endpoint.path).filter((path) => meantCall(path) !== undefined)).toEqual([])
})

test('a long path costs nothing', () => {
  const startedAt = performance.now()
  for (let round = 0; round < 100; round++) meantCall('/a'.repeat(10_000))
  expect(performance.now() - startedAt).toBeLessThan(1000)
})

/** `fetch` would take two slashes at the beginning for another host. */
async function posted(url: string, path: string) {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: unknown }>()
  const sent = request({ hostname, port, path, method: 'POST', headers: { 'content-type': 'application/json' } })
  sent.on('error', reject)
  sent.on('response', async (answer) => {
    const chunks = await Array.fromAsync(answer)
    resolve({ status: answer.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) })
  })
  sent.end('{}')
  return promise
}
