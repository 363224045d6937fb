import { fullGC, heapSize } from 'bun:jsc'

const CHECK_INTERVAL_MS = 2000
/** A heap of this size is left to the runtime, which collects it while calls go on. */
const SMALL = 96 * 1024 * 1024
/** Nothing runs during a collection, so that it may take at most a fiftieth of the time. */
const REST = 50

interface Heap {
  size(): number
  collect(): void
  /** Monotonic milliseconds. */
  now(): number
}

const OWN: Heap = { size: heapSize, collect: fullGC, now: () => performance.now() }

/**
 * Thousands of waiting streams produce little garbage each, and the runtime lets it accumulate until the heap is several times what
 * is in use. This check triggers a collection at 1.75 times, which takes a tenth of a second with 4,000 open streams. Under many short
 * calls a heap is always that full, and the runtime collects by itself: hence the rest after each.
 */
export const createGarbageCheck = (heap: Heap = OWN) => {
  let least = heap.size()
  let restsUntil = heap.now()
  return () => {
    const size = heap.size()
    // The runtime collects, too.
    least = Math.min(least, size)
    const startedAt = heap.now()
    if (size < Math.max(least * 1.75, SMALL) || startedAt < restsUntil) return
    heap.collect()
    least = heap.size()
    const endedAt = heap.now()
    restsUntil = endedAt + (endedAt - startedAt) * REST
  }
}

/** Does not keep the process alive. */
export const startGarbageChecks = () => void setInterval(createGarbageCheck(), CHECK_INTERVAL_MS).unref()
