import { expect, test } from 'bun:test'
import { providerOf, type TaskFollower } from '@tollgate/providers'
import { routeOf } from '../catalog/snapshot.ts'
import { systemClock } from '../common/clock.ts'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { createCredentials } from './credentials.ts'
import { followTask } from './follow-task.ts'
import { createHttp } from './http.ts'
import { asReply } from './reply.ts'

const route = routeOf({
  ...{ id: 1, name: '', type: 46, status: 1, priority: 0, weight: 0, models: [], groups: [], mapping: new Map() },
  ...{ systemPrompt: '', testModel: '', baseUrl: '', key: 'k', other: '', config: {} },
})
const provider = providerOf(46) ?? { name: 'none', explain: () => expect.unreachable() }

/** A task that never ends, and can be cancelled. */
const endless = (url: string, limitMs: number): TaskFollower => ({
  pauseMs: 1,
  limitMs,
  next: () => ({ method: 'GET', url: `${url}/ask`, headers: {} }),
  cancel: () => ({ method: 'POST', url: `${url}/cancel`, headers: {} }),
})

const http = createHttp()
const needs = { http, clock: systemClock, credentials: createCredentials({ http, clock: systemClock }) }

const follow = (follower: TaskFollower, signal = new AbortController().signal) =>
  followTask(needs, { follower, route, provider, stream: false }, asReply(Response.json({})), signal)

test('a task without an end is given up in time and cancelled; the pauses grow', async () => {
  const vendor = fakeVendor(() => Response.json({ status: 'processing' }))
  const failure = await follow(endless(vendor.url, 100)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { class: 'timeout', status: 504 } })
  await vendor.received('POST', '/cancel')
  const asks = vendor.asked.filter(({ path }) => path === '/ask').length
  // 1 + 1.5 + 2.25 … reaches 100 after ten of them; without growth it would take a hundred.
  expect(asks).toBe(10)
})

test('a vendor that stays unreachable is given up after three attempts', async () => {
  const vendor = fakeVendor(({ path }) => new Response('', { status: path === '/ask' ? 500 : 200 }))
  const failure = await follow(endless(vendor.url, 1000)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { class: 'server' } })
  expect(vendor.asked.filter(({ path }) => path === '/ask')).toHaveLength(3)
  await vendor.received('POST', '/cancel')
})

test('a poll whose answer stops halfway times out, is repeated, and then given up', async () => {
  const half = () => new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"status":')) })
  const vendor = fakeVendor(({ path }) => new Response(path === '/ask' ? half() : '{}'))
  const task = { follower: endless(vendor.url, 1000), route, provider, stream: false }
  const hurried = { ...needs, pollMs: 50 }
  const following = followTask(hurried, task, asReply(Response.json({})), new AbortController().signal)
  expect(await following.catch((error: unknown) => error)).toMatchObject({ failure: { class: 'timeout' } })
  expect(vendor.asked.filter(({ path }) => path === '/ask')).toHaveLength(3)
  await vendor.received('POST', '/cancel')
})

test('a token that expires while a task runs is replaced, and polling continues', async () => {
  let minted = 0
  const tokens: (string | null)[] = []
  const vendor = fakeVendor(({ headers }) => {
    tokens.push(headers.get('authorization'))
    if (tokens.length === 2) return Response.json({ detail: 'expired' }, { status: 401 })
    return Response.json({ isDone: tokens.length === 3 })
  })
  const mint = async () => ({ token: `token ${++minted}`, expiresInSec: 3600 })
  const follower: TaskFollower = {
    pauseMs: 1,
    limitMs: 1000,
    next: (body, { key }) =>
      Object(body).isDone ? undefined : { method: 'GET', url: vendor.url, headers: { authorization: key } },
  }
  const task = { follower, route: { ...route, provider: { ...provider, mint } }, provider, stream: false }
  const outcome = await followTask(needs, task, asReply(Response.json({})), new AbortController().signal)
  expect(outcome).toEqual({ body: { isDone: true } })
  expect(tokens).toEqual(['token 1', 'token 1', 'token 2'])
})

test('a key that is refused while a task runs does not start a second task', async () => {
  let started = 0
  const vendor = fakeVendor(() => Response.json({ detail: 'no' }, { status: 401 }))
  const mint = async () => ({ token: 'a token', expiresInSec: 3600 })
  const follower: TaskFollower = {
    pauseMs: 1,
    limitMs: 1000,
    next: () => ({ method: 'GET', url: vendor.url, headers: {} }),
  }
  const task = { follower, route: { ...route, provider: { ...provider, mint } }, provider, stream: false }
  const begin = () =>
    needs.credentials.withAccess(task.route, () => {
      started++
      return followTask(needs, task, asReply(Response.json({})), new AbortController().signal)
    })
  // The second time there is an older token, which may be replaced once, while the task is polled.
  for (let n = 1; n <= 2; n++) {
    expect(await begin().catch((error: unknown) => error)).toMatchObject({ failure: { class: 'auth' } })
    expect(started).toBe(n)
  }
})

test('an answer that is not JSON is a failure of the vendor', async () => {
  const vendor = fakeVendor(() => new Response('<html>'))
  const failure = await follow(endless(vendor.url, 1000)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { class: 'server', status: 502 } })
})

test('a pause ends at once when the caller disconnects', async () => {
  const vendor = fakeVendor(() => Response.json({}))
  const caller = new AbortController()
  const following = follow({ ...endless(vendor.url, 10_000_000), pauseMs: 1_000_000 }, caller.signal)
  caller.abort(new Error('the caller left'))
  expect(await following.catch((error: Error) => error.message)).toBe('the caller left')
  await vendor.received('POST', '/cancel')
  expect(vendor.asked).toHaveLength(1)
})
