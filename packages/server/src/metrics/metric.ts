export type Labels = Readonly<Record<string, string>>

/** What a histogram holds: how many values are at or below each bound and above the one before, and their sum. */
export interface Counted {
  bounds: readonly number[]
  /** One more than there are bounds: the last are above all of them. */
  counts: readonly number[]
  sum: number
}

/** One metric with its series, before anybody decided in which format it is told. */
export interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  /** As UCUM writes it; absent where the name says it. */
  unit?: string
  points: readonly { labels: Labels; value: number | Counted }[]
}

/** A metric of one series. */
export const single = (type: 'counter' | 'gauge', name: string, help: string, value: number): Metric => ({
  ...{ name, help, type },
  points: [{ labels: {}, value }],
})
