import { expect, test } from 'bun:test'
import { createGarbageCheck } from './garbage.ts'

const MB = 1024 * 1024

/** A heap with the given amounts in use and unused, whose collection takes as long as given. */
function heapOf(used: number, collectionMs = 0) {
  const heap = { used, unused: 0, collected: false, now: 0, cpuMs: 0 }
  const look = createGarbageCheck({
    size: () => (heap.used + heap.unused) * MB,
    collect: () => Object.assign(heap, { unused: 0, collected: true, now: heap.now + collectionMs }),
    now: () => heap.now,
    cpuMs: () => heap.cpuMs,
  })
  /** Whether a check collected anything. */
  return (change: { used?: number; unused?: number; now?: number; cpuMs?: number }) => {
    Object.assign(heap, change, { collected: false })
    look()
    return heap.collected
  }
}

test('a small heap is left to the runtime, however much of it is garbage', () => {
  const collects = heapOf(10)
  expect(collects({ unused: 85 })).toBe(false)
  expect(collects({ unused: 86 })).toBe(true)
})

test('a large heap may exceed what is in use by three quarters', () => {
  const collects = heapOf(100)
  expect(collects({ unused: 74 })).toBe(false)
  expect(collects({ unused: 75 })).toBe(true)
  expect(collects({ used: 200 })).toBe(true)
  expect(collects({ unused: 149 })).toBe(false)
  expect(collects({ unused: 150 })).toBe(true)
})

test('a collection by the runtime itself counts', () => {
  const collects = heapOf(200)
  expect(collects({ used: 80, unused: 10 })).toBe(false)
  expect(collects({ used: 80, unused: 78 })).toBe(true)
})

test('collections take at most a fiftieth of the time, however fast garbage is made', () => {
  const collects = heapOf(10, 100)
  expect(collects({ unused: 90, now: 2000 })).toBe(true)
  for (const now of [4000, 6000, 7099]) expect(collects({ unused: 90, now })).toBe(false)
  expect(collects({ unused: 90, now: 7100 })).toBe(true)
})

test('a process that is busy with calls is left to the runtime, until it has time', () => {
  const collects = heapOf(100)
  expect(collects({ unused: 90, now: 2000, cpuMs: 900 })).toBe(false)
  expect(collects({ unused: 90, now: 4000, cpuMs: 1800 })).toBe(false)
  expect(collects({ unused: 90, now: 6000, cpuMs: 2500 })).toBe(true)
})
