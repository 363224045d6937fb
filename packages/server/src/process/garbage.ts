import { fullGC, heapSize } from 'bun:jsc'

const CHECK_INTERVAL_MS = 2000
/** A heap of this size is left to the runtime, which collects it while calls go on. */
const SMALL = 96 * 1024 * 1024

interface Heap {
  size(): number
  collect(): void
}

const OWN: Heap = { size: heapSize, collect: fullGC }

/**
 * Thousands of waiting streams produce little garbage each, and the runtime lets it accumulate until the heap is several times what
 * is in use. This check triggers a collection at 1.75 times, which takes a tenth of a second with 4,000 open streams.
 */
export const createGarbageCheck = (heap: Heap = OWN) => {
  let least = heap.size()
  return () => {
    const size = heap.size()
    // The runtime collects, too.
    least = Math.min(least, size)
    if (size < Math.max(least * 1.75, SMALL)) return
    heap.collect()
    least = heap.size()
  }
}

/** Does not keep the process alive. */
export const startGarbageChecks = () => void setInterval(createGarbageCheck(), CHECK_INTERVAL_MS).unref()
