import { expect, test } from 'bun:test'
import { openLine } from './connection-deadline.ts'
import { createWatchdog } from './watchdog.ts'

function ground() {
  let now = 1_000_000
  const clock = { now: () => now }
  const watchdog = createWatchdog(clock, { openingMs: 300, silenceMs: 60, totalMs: 900 })
  watchdog.stop()
  const pass = (ms: number) => {
    now += ms
    watchdog.look()
  }
  /** The clock says something else, and the next look is the usual time after the last. */
  const leap = (ms: number) => {
    now += ms + 15
    watchdog.tick()
  }
  return {
    watchdog,
    pass,
    leap,
    dial: (client = new AbortController().signal) => openLine(watchdog, client, clock.now()),
  }
}

test('a vendor may think before it answers, and then must not fall silent', () => {
  const { dial, pass, watchdog } = ground()
  const line = dial()
  pass(300)
  expect(line.signal.aborted).toBe(false)
  line.alive()
  pass(60)
  expect(line.signal.aborted).toBe(false)
  pass(1)
  expect(line.signal.aborted).toBe(true)
  line.hangUp()
  expect(watchdog.running()).toBe(0)
})

test('a vendor that never answers is given up', () => {
  const { dial, pass } = ground()
  const line = dial()
  pass(301)
  expect(line.signal.aborted).toBe(true)
})

test('while it is the client that has to read, the silence is nobody’s fault', () => {
  const { dial, pass } = ground()
  const line = dial()
  line.alive()
  line.pause()
  pass(500)
  expect(line.signal.aborted).toBe(false)
  line.alive()
  pass(61)
  expect(line.signal.aborted).toBe(true)
})

test('a trickle that never ends ends at the total', () => {
  const { dial, pass } = ground()
  const line = dial()
  for (let turn = 0; turn < 90; turn++) {
    line.alive()
    pass(10)
  }
  expect(line.signal.aborted).toBe(false)
  line.alive()
  pass(1)
  expect(line.signal.aborted).toBe(true)
})

test('several tries of one call share its total', () => {
  let now = 0
  const watchdog = createWatchdog({ now: () => now }, { openingMs: 300, silenceMs: 60, totalMs: 900 })
  watchdog.stop()
  const client = new AbortController().signal
  now = 800
  const second = openLine(watchdog, client, 0)
  now = 901
  watchdog.look()
  expect(second.signal.aborted).toBe(true)
})

test('a client that leaves ends the line, also one that had left before', () => {
  const { dial } = ground()
  const client = new AbortController()
  const line = dial(client.signal)
  client.abort()
  expect(line.signal.aborted).toBe(true)
  expect(dial(client.signal).signal.aborted).toBe(true)
})

test('a line that was hung up is not watched any more, and does not listen to its client', () => {
  const { dial, watchdog } = ground()
  const client = new AbortController()
  const line = dial(client.signal)
  expect(watchdog.running()).toBe(1)
  line.hangUp()
  client.abort()
  expect(watchdog.running()).toBe(0)
})

test.each([3_600_000, -3_600_000])('a clock that is set by %d ms ends no call, and hides no silence', (ms) => {
  const { dial, pass, leap } = ground()
  const answering = dial()
  answering.alive()
  const opening = dial()
  leap(ms)
  expect([answering.signal.aborted, opening.signal.aborted]).toEqual([false, false])
  const later = dial()
  later.alive()
  pass(61)
  expect([answering.signal.aborted, later.signal.aborted, opening.signal.aborted]).toEqual([true, true, false])
  pass(300)
  expect(opening.signal.aborted).toBe(true)
})
