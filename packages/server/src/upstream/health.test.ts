import { expect, test } from 'bun:test'
import { type FailureClass, failureOf } from '@tollgate/providers'
import { createHealth } from './health.ts'

const KEEP_ENABLED = { disable: false, reason: { zh: '', en: '' } }

const CHANNEL = 7
const MODEL = 'gpt-5'

/** A channel's health, and a clock that the test moves. */
const fixture = () => {
  let nowMs = 1_000_000
  const health = createHealth({ now: () => nowMs })
  return {
    health,
    take: () => health.take(CHANNEL, MODEL),
    isOpen: () => health.closedBecause(CHANNEL, MODEL) === undefined,
    pass: (seconds: number) => {
      nowMs += seconds * 1000
    },
    fail: (kind: FailureClass, retryAfterSec?: number) =>
      health.take(CHANNEL, MODEL).failed(failureOf(kind, 'no', retryAfterSec === undefined ? {} : { retryAfterSec })),
    succeed: () => health.take(CHANNEL, MODEL).succeeded(),
  }
}

test.each([
  ['the default, where the vendor names no time', 'rate', undefined, 10],
  ['what the vendor asks for', 'rate', 120, 120],
  ['ten minutes at most', 'rate', 86_400, 600],
  ['what a vendor that has broken down asks for', 'server', 30, 30],
] as const)('a channel cools down for %s', (_, kind, retryAfterSec, restsSec) => {
  const { fail, isOpen, pass } = fixture()
  expect(fail(kind, retryAfterSec)).toEqual(KEEP_ENABLED)
  pass(restsSec - 0.001)
  expect(isOpen()).toBe(false)
  pass(0.001)
  expect(isOpen()).toBe(true)
})

test('a rate limit is of the model that reached it, and what a vendor that has broken down asks for is of all models', () => {
  const { health, fail, isOpen, pass, succeed } = fixture()
  const isOtherOpen = () => health.closedBecause(CHANNEL, 'gpt-5-mini') === undefined
  fail('rate', 60)
  expect([isOpen(), isOtherOpen()]).toEqual([false, true])
  expect([...health.closed(MODEL).keys()]).toEqual([CHANNEL])
  expect(health.closed('gpt-5-mini').size).toBe(0)
  expect([health.closedForMs(CHANNEL, MODEL), health.closedForMs(CHANNEL, 'gpt-5-mini')]).toEqual([60_000, 0])
  // An answer of the other model says nothing about the limit of this one.
  health.take(CHANNEL, 'gpt-5-mini').succeeded()
  expect(isOpen()).toBe(false)
  fail('server', 30)
  expect(isOtherOpen()).toBe(false)
  expect(health.closedForMs(CHANNEL, 'gpt-5-mini')).toBe(30_000)
  pass(60)
  succeed()
  expect([isOpen(), isOtherOpen(), health.closed(MODEL).size]).toEqual([true, true, 0])
})

test('a channel that nobody calls for a limited model any more is forgotten among the closed ones, and others are not', () => {
  const { health, fail, pass, take } = fixture()
  fail('rate', 30)
  const none = createHealth({ now: () => 0 }).closed(MODEL)
  // Every answer is a map of its own for as long as there is something to look at.
  const isListed = () => health.closed('gpt-5-mini') !== none
  expect(isListed()).toBe(true)
  pass(31)
  const probe = take()
  pass(40)
  expect([health.closed(MODEL).size, isListed()]).toEqual([1, true])
  probe.release()
  pass(60)
  health.closed('gpt-5-mini')
  expect(isListed()).toBe(false)
  expect(health.closedBecause(CHANNEL, MODEL)).toBeUndefined()
  fail('rate', 600)
  pass(500)
  expect(health.closed(MODEL).size).toBe(1)
})

test('after the wait for a model its first call is the probe, and calls for other models are not kept back by it', () => {
  const { health, fail, take, isOpen, pass } = fixture()
  fail('rate', 60)
  pass(60)
  const probe = take()
  expect(isOpen()).toBe(false)
  expect(health.closedBecause(CHANNEL, 'gpt-5-mini')).toBeUndefined()
  probe.failed(failureOf('rate', 'still too many', { retryAfterSec: 20 }))
  expect(health.closedForMs(CHANNEL, MODEL)).toBe(20_000)
})

test('a wait outlives its call: neither an earlier success nor a shorter wait ends it', () => {
  const { take, fail, succeed, isOpen, pass } = fixture()
  const early = take()
  fail('rate', 120)
  early.succeeded()
  fail('rate')
  succeed()
  pass(119)
  expect(isOpen()).toBe(false)
  pass(1)
  expect(isOpen()).toBe(true)
})

test('a caller’s mistake says nothing about the channel', () => {
  const { fail, isOpen } = fixture()
  for (let n = 0; n < 30; n++) expect(fail('client', 60)).toEqual(KEEP_ENABLED)
  expect(isOpen()).toBe(true)
})

test('after a cooldown one call goes first, and others are held back until it has ended', () => {
  const { take, fail, isOpen, pass } = fixture()
  fail('rate')
  pass(10)
  const probe = take()
  expect(isOpen()).toBe(false)
  probe.succeeded()
  expect(isOpen()).toBe(true)
})

test.each(['release', 'client', 'server'] as const)(
  'a probe without a result (%s) leaves the probe to the next call',
  (end) => {
    const { take, fail, isOpen, pass } = fixture()
    fail('rate')
    pass(10)
    const probe = take()
    if (end === 'release') probe.release()
    else probe.failed(failureOf(end, 'no'))
    expect(isOpen()).toBe(true)
    // It still has to prove itself: the next call is a probe again.
    take()
    expect(isOpen()).toBe(false)
  },
)

test('a probe that never ends counts as released after a minute', () => {
  const { take, fail, isOpen, pass } = fixture()
  fail('rate')
  pass(10)
  take()
  pass(59.9)
  expect(isOpen()).toBe(false)
  pass(0.1)
  expect(isOpen()).toBe(true)
})

test('only the probe itself ends the probing: a call from before the cooldown does not', () => {
  const { take, fail, isOpen, pass } = fixture()
  const early = take()
  fail('rate')
  pass(10)
  const probe = take()
  early.release()
  expect(isOpen()).toBe(false)
  probe.release()
  expect(isOpen()).toBe(true)
})

test('a lease ends once: later reports change nothing', () => {
  const { take, fail, succeed, isOpen } = fixture()
  const lease = take()
  lease.release()
  expect(lease.failed(failureOf('auth', 'no'))).toEqual(KEEP_ENABLED)
  lease.failed(failureOf('rate', 'no'))
  expect(isOpen()).toBe(true)
  // Nor is it counted twice: nine failures are too few to judge by.
  for (let n = 0; n < 8; n++) fail('server')
  const ninth = take()
  for (let n = 0; n < 5; n++) expect(ninth.failed(failureOf('server', 'no')).disable).toBe(false)
  succeed()
})

test.each(['auth', 'quota'] as const)('one failure of class %s is reason enough to disable', (kind) => {
  expect(fixture().fail(kind)).toMatchObject({
    disable: true,
    reason: { zh: expect.stringContaining('no'), en: expect.stringContaining('no') },
  })
})

test('other failures are judged by their rate, over at least ten and at most the last twenty calls', () => {
  const { fail, succeed } = fixture()
  for (let n = 0; n < 9; n++) expect(fail('server').disable).toBe(false)
  expect(fail('timeout')).toEqual({
    disable: true,
    reason: { zh: '最近 10 次调用中有 10 次失败', en: '10 of the last 10 calls failed' },
  })
  for (let n = 0; n < 20; n++) succeed()
  // Eleven of the last twenty are not enough, twelve are.
  for (let n = 0; n < 11; n++) expect(fail('server').disable).toBe(false)
  expect(fail('server')).toMatchObject({ disable: true, reason: { en: '12 of the last 20 calls failed' } })
})

test('a channel that was reset is not judged by earlier calls, including those still running', () => {
  const { health, take, fail, isOpen } = fixture()
  const early = take()
  for (let n = 0; n < 9; n++) fail('server')
  fail('rate', 600)
  health.reset(CHANNEL)
  expect(isOpen()).toBe(true)
  expect(early.failed(failureOf('auth', 'an old key'))).toEqual(KEEP_ENABLED)
  expect(fail('server').disable).toBe(false)
})

test('setting the clock back keeps no channel closed for longer than the maximum', () => {
  const { take, fail, isOpen, pass } = fixture()
  fail('rate', 600)
  pass(-1)
  expect(isOpen()).toBe(true)
  take()
  pass(-3600)
  expect(isOpen()).toBe(true)
})

test('open calls are those that have not ended, also after the channel was reset', () => {
  const health = createHealth({ now: () => 0 })
  const [one, other] = [health.take(1, MODEL), health.take(1, MODEL)]
  expect(health.status(1, MODEL)).toEqual({ open: 2, closedUntil: undefined })
  one.succeeded()
  one.release()
  expect(health.status(1, MODEL).open).toBe(1)
  health.reset(1)
  expect(health.status(1, MODEL).open).toBe(1)
  const third = health.take(1, MODEL)
  expect(health.status(1, MODEL).open).toBe(2)
  other.release()
  third.failed(failureOf('rate', 'slow down'))
  expect(health.status(1, MODEL)).toEqual({ open: 0, closedUntil: 10_000 })
  expect(health.status(2, MODEL)).toEqual({ open: 0, closedUntil: undefined })
})
