import type { Counts, Histogram } from './histogram.ts'
import { packColumns, unpackColumns } from './packed-columns.ts'
import { namesOf, type Route } from './packed-rows.ts'

/** The counts of one day, by bucket. */
export interface NamedCounts {
  /** Counted from the first of the packed days. */
  day: number
  route: Route
  counts: Counts
}

/** A histogram that counts are added to, or subtracted from. */
export interface Target {
  histogram: Histogram
  sign: 1 | -1
}

/** Sparse histograms as columns: which day and route those from here on belong to, the bucket, and the count. */
export const packLatencies = (given: readonly NamedCounts[]): Uint8Array => {
  const { text, count, places } = namesOf(given.map(({ route }) => route))
  const columns: [begins: number[], buckets: number[], counts: number[]] = [[], [], []]
  const [begins, buckets, counts] = columns
  for (const [nth, { day, counts: ofDay }] of given.entries()) {
    let begin = 1 + day * count + (places[nth] ?? 0)
    for (const [bucket, calls] of ofDay) {
      begins.push(begin)
      buckets.push(bucket)
      counts.push(calls)
      begin = 0
    }
  }
  return packColumns(text, begins.length, columns)
}

/** Reads packed histograms, into memory that the next pack uses again. */
export const createLatencyAdder = () => {
  let begins = new Int32Array(0)
  let buckets = new Int32Array(0)
  let counts = new Float64Array(0)
  // Most packs have the same.
  const known = new Map<string, readonly Route[]>()
  const routesOf = (names: string) => {
    const routes: readonly Route[] = known.get(names) ?? JSON.parse(names)
    known.set(names, routes)
    return routes
  }

  return (bytes: Uint8Array, targetsOf: (routes: readonly Route[]) => (day: number, place: number) => Target[]) => {
    const { length, names, copy } = unpackColumns(bytes, COLUMNS)
    if (length > counts.length) {
      begins = new Int32Array(length * 2)
      buckets = new Int32Array(length * 2)
      counts = new Float64Array(length * 2)
    }
    copy(0, begins)
    copy(1, buckets)
    copy(2, counts)
    const routes = routesOf(names)
    const find = targetsOf(routes)
    for (let first = 0, end = 1; first < length; first = end++) {
      while (end < length && begins[end] === 0) end++
      const begin = (begins[first] ?? 0) - 1
      for (const target of find(Math.floor(begin / routes.length), begin % routes.length))
        add(target, { buckets, counts, first, end })
    }
  }
}

function add(
  { histogram, sign }: Target,
  { buckets, counts, first, end }: { buckets: Int32Array; counts: Float64Array; first: number; end: number },
) {
  for (let row = first; row < end; row++) {
    const bucket = buckets[row] ?? 0
    histogram[bucket] = (histogram[bucket] ?? 0) + sign * (counts[row] ?? 0)
  }
}

const COLUMNS = 3
