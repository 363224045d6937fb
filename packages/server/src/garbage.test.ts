import { expect, test } from 'bun:test'
import { createGarbageLook } from './garbage.ts'

const MB = 1024 * 1024

/** A heap of which the test says how much is in use and how much is not. */
function heapOf(used: number) {
  const heap = { used, unused: 0, collected: false }
  const look = createGarbageLook({
    size: () => (heap.used + heap.unused) * MB,
    collect: () => Object.assign(heap, { unused: 0, collected: true }),
  })
  /** Whether a look had anything taken away. */
  return (change: { used?: number; unused?: number }) => {
    Object.assign(heap, change, { collected: false })
    look()
    return heap.collected
  }
}

test('a little garbage is left alone, and more of it in a larger heap', () => {
  const collects = heapOf(40)
  expect(collects({ unused: 43 })).toBe(false)
  expect(collects({ unused: 44 })).toBe(true)
  expect(collects({ used: 200 })).toBe(true)
  expect(collects({ unused: 123 })).toBe(false)
  expect(collects({ unused: 124 })).toBe(true)
})

test('what the runtime has collected itself counts', () => {
  const collects = heapOf(200)
  expect(collects({ used: 40, unused: 10 })).toBe(false)
  expect(collects({ used: 40, unused: 60 })).toBe(true)
})
