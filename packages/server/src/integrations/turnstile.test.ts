import { afterAll, expect, test } from 'bun:test'
import { fakeTurnstile } from '../testing/outside/fake-turnstile.ts'
import { recordingServer } from '../testing/outside/recording-server.ts'
import { refusal } from '../testing/outside/refusal.ts'
import { createHttp } from '../upstream/http.ts'
import { defaultAddresses } from './addresses.ts'
import { createTurnstile } from './turnstile.ts'

const remote = fakeTurnstile()
const broken = recordingServer(() => new Response('<html>', { status: 200 }))
afterAll(() => Promise.all([remote.stop(), broken.stop()]))

const turnstileAt = (turnstile: string) =>
  createTurnstile({ http: createHttp(), addresses: { ...defaultAddresses, turnstile } })
const turnstile = turnstileAt(remote.url)
const visitor = { secret: remote.secret, ip: '203.0.113.7' }

test('a solved challenge passes, once', async () => {
  const token = remote.solve()
  expect(await turnstile.verify({ ...visitor, token })).toBe(true)
  expect(await turnstile.verify({ ...visitor, token })).toBe(false)
  expect(remote.received.at(0)?.body).toContain('203.0.113.7')
})

test('an invented token and a wrong secret do not pass', async () => {
  expect(await turnstile.verify({ ...visitor, token: 'invented' })).toBe(false)
  expect(await turnstile.verify({ ...visitor, secret: 'wrong', token: remote.solve() })).toBe(false)
})

test('an empty or oversized token, or an empty secret, does not pass, and Cloudflare is not called', async () => {
  const before = remote.received.length
  expect(await turnstile.verify({ ...visitor, token: '' })).toBe(false)
  expect(await turnstile.verify({ ...visitor, token: 'x'.repeat(2049) })).toBe(false)
  expect(await turnstile.verify({ ...visitor, secret: '', token: remote.solve() })).toBe(false)
  expect(remote.received).toHaveLength(before)
})

test('nobody passes while Cloudflare cannot be reached', async () => {
  for (const address of ['http://127.0.0.1:1', broken.url])
    expect(await refusal(turnstileAt(address).verify({ ...visitor, token: 'any' }))).toMatchObject({
      code: 'outbound.failed',
    })
})
