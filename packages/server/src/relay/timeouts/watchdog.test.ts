import { expect, test } from 'bun:test'
import { startDeadline } from './deadline.ts'
import { createWatchdog } from './watchdog.ts'

function fixture() {
  let now = 1_000_000
  const clock = { now: () => now }
  const watchdog = createWatchdog(clock, { openingMs: 300, silenceMs: 60, totalMs: 900 })
  watchdog.stop()
  const pass = (ms: number) => {
    now += ms
    watchdog.check()
  }
  /** The wall clock differs, and the next check is the usual time after the last. */
  const leap = (ms: number) => {
    now += ms + 15
    watchdog.tick()
  }
  return {
    watchdog,
    pass,
    leap,
    startDeadline: (client = new AbortController().signal, firstByteMs?: number) =>
      startDeadline(watchdog, client, { startedAt: clock.now(), firstByteMs }),
  }
}

test('a vendor may think before it answers, and then must not fall silent', () => {
  const { startDeadline, pass, watchdog } = fixture()
  const deadline = startDeadline()
  pass(300)
  expect(deadline.signal.aborted).toBe(false)
  deadline.extend()
  pass(60)
  expect(deadline.signal.aborted).toBe(false)
  pass(1)
  expect(deadline.signal.aborted).toBe(true)
  deadline.abort()
  expect(watchdog.running()).toBe(0)
})

test('a channel’s own first-byte timeout applies until then, and no longer', () => {
  const { startDeadline, pass } = fixture()
  const client = new AbortController().signal
  const [silent, speaking, thinking] = [startDeadline(client, 20), startDeadline(client, 20), startDeadline(client, 20)]
  pass(20)
  expect(silent.signal.aborted).toBe(false)
  speaking.extend()
  thinking.reopen()
  pass(1)
  expect([silent, speaking, thinking].map(({ signal }) => signal.aborted)).toEqual([true, false, false])
  pass(60)
  expect([speaking, thinking].map(({ signal }) => signal.aborted)).toEqual([true, false])
  const patient = startDeadline(client, 600)
  pass(301)
  expect(patient.signal.aborted).toBe(false)
})

test('a vendor that never answers is given up', () => {
  const { startDeadline, pass } = fixture()
  const deadline = startDeadline()
  pass(301)
  expect(deadline.signal.aborted).toBe(true)
})

test('while the client has to read, the vendor’s silence does not count', () => {
  const { startDeadline, pass } = fixture()
  const deadline = startDeadline()
  deadline.extend()
  deadline.pause()
  pass(500)
  expect(deadline.signal.aborted).toBe(false)
  deadline.extend()
  pass(61)
  expect(deadline.signal.aborted).toBe(true)
})

test('an endless trickle ends at the total timeout', () => {
  const { startDeadline, pass } = fixture()
  const deadline = startDeadline()
  for (let turn = 0; turn < 90; turn++) {
    deadline.extend()
    pass(10)
  }
  expect(deadline.signal.aborted).toBe(false)
  deadline.extend()
  pass(1)
  expect(deadline.signal.aborted).toBe(true)
})

test('several attempts of one call share its total timeout', () => {
  let now = 0
  const watchdog = createWatchdog({ now: () => now }, { openingMs: 300, silenceMs: 60, totalMs: 900 })
  watchdog.stop()
  const client = new AbortController().signal
  now = 800
  const second = startDeadline(watchdog, client, { startedAt: 0 })
  now = 901
  watchdog.check()
  expect(second.signal.aborted).toBe(true)
})

test('a client that disconnects ends the deadline, also one that had disconnected before', () => {
  const { startDeadline } = fixture()
  const client = new AbortController()
  const deadline = startDeadline(client.signal)
  client.abort()
  expect(deadline.signal.aborted).toBe(true)
  expect(startDeadline(client.signal).signal.aborted).toBe(true)
})

test('a cleared deadline is no longer watched, and does not listen to its client', () => {
  const { startDeadline, watchdog } = fixture()
  const client = new AbortController()
  const deadline = startDeadline(client.signal)
  expect(watchdog.running()).toBe(1)
  deadline.abort()
  client.abort()
  expect(watchdog.running()).toBe(0)
})

test.each([3_600_000, -3_600_000])('setting the clock by %d ms ends no call, and hides no silence', (ms) => {
  const { startDeadline, pass, leap } = fixture()
  const answering = startDeadline()
  answering.extend()
  const opening = startDeadline()
  leap(ms)
  expect([answering.signal.aborted, opening.signal.aborted]).toEqual([false, false])
  const later = startDeadline()
  later.extend()
  pass(61)
  expect([answering.signal.aborted, later.signal.aborted, opening.signal.aborted]).toEqual([true, true, false])
  pass(300)
  expect(opening.signal.aborted).toBe(true)
})
