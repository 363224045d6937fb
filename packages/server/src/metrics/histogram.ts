/** Counts of durations in buckets, as Prometheus adds them up: each line has everything up to its bound. */
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

    /** `labels` without braces, such as `channel="3"`. */
    lines(name: string, labels: string): string[] {
      let below = 0
      const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
        below += counts[index] ?? 0
        return `${name}_bucket{${labels},le="${bound === Number.POSITIVE_INFINITY ? '+Inf' : bound}"} ${below}`
      })
      return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${below}`]
    },
  }
}

export type Histogram = ReturnType<typeof createHistogram>
