import { expect, test } from 'bun:test'
import { type Access, providerOf, type TaskFollower } from '@tollgate/providers'
import { fakeVendor } from '../testing/fake-vendor.ts'
import { followTask } from './follow-task.ts'
import { createHttp } from './http.ts'
import { asReply } from './reply.ts'

const access: Access = { type: 46, baseUrl: '', key: 'k', other: '', config: {} }
const provider = providerOf(46) ?? { name: 'none', explain: () => expect.unreachable() }

/** A task that never ends, and can be taken back. */
const endless = (url: string, limitMs: number): TaskFollower => ({
  pauseMs: 1,
  limitMs,
  next: () => ({ method: 'GET', url: `${url}/ask`, headers: {} }),
  cancel: () => ({ method: 'POST', url: `${url}/cancel`, headers: {} }),
})

const follow = (follower: TaskFollower, signal = new AbortController().signal) =>
  followTask(createHttp(), { follower, access, provider, stream: false }, asReply(Response.json({})), signal)

test('a task without an end is given up in time and taken back; the pauses grow', async () => {
  const vendor = fakeVendor(() => Response.json({ status: 'processing' }))
  const failure = await follow(endless(vendor.url, 100)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { class: 'timeout', status: 504 } })
  await vendor.heard('POST', '/cancel')
  const asks = vendor.asked.filter(({ path }) => path === '/ask').length
  // 1 + 1.5 + 2.25 … reaches 100 after ten of them; without growth it would take a hundred.
  expect(asks).toBe(10)
})

test('a vendor that stays away is given up after three tries', async () => {
  const vendor = fakeVendor(({ path }) => new Response('', { status: path === '/ask' ? 500 : 200 }))
  const failure = await follow(endless(vendor.url, 1000)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { class: 'server' } })
  expect(vendor.asked.filter(({ path }) => path === '/ask')).toHaveLength(3)
  await vendor.heard('POST', '/cancel')
})

test('an answer that is no JSON is a failure of the vendor', async () => {
  const vendor = fakeVendor(() => new Response('<html>'))
  const failure = await follow(endless(vendor.url, 1000)).catch((error: unknown) => error)
  expect(failure).toMatchObject({ failure: { class: 'server', status: 502 } })
})

test('a pause ends at once when the caller leaves', async () => {
  const vendor = fakeVendor(() => Response.json({}))
  const caller = new AbortController()
  const following = follow({ ...endless(vendor.url, 10_000_000), pauseMs: 1_000_000 }, caller.signal)
  caller.abort(new Error('the caller left'))
  expect(await following.catch((error: Error) => error.message)).toBe('the caller left')
  await vendor.heard('POST', '/cancel')
  expect(vendor.asked).toHaveLength(1)
})
