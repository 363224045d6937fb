export type Labels = Readonly<Record<string, string>>

/** The state of a histogram: values at or below each bound and above the previous one, and their sum. */
export interface Counted {
  bounds: readonly number[]
  /** One more than there are bounds: the last one is unbounded. */
  counts: readonly number[]
  sum: number
}

/** One metric with its series, independent of the output format. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** In UCUM; absent when the name contains it. */
  unit?: string
  points: readonly { labels: Labels; value: number | Counted }[]
}

/** A metric of one series. */
export const single = (type: 'counter' | 'gauge', name: string, help: string, value: number): Metric => ({
  ...{ name, help, type },
  points: [{ labels: {}, value }],
})
