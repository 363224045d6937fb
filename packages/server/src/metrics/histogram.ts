import type { Counted } from './metric.ts'

/** Counts of values in buckets with fixed bounds. */
export const createHistogram = (bounds: readonly number[]) => {
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sum = 0
  return {
    observe(value: number) {
      const at = bounds.findIndex((bound) => value <= bound)
      const index = at === -1 ? bounds.length : at
      counts[index] = (counts[index] ?? 0) + 1
      sum += value
    },

    read: (): Counted => ({ bounds, counts, sum }),
  }
}

export type Histogram = ReturnType<typeof createHistogram>
