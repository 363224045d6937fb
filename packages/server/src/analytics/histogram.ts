import { numberAt, pushNumber } from './varints.ts'

/**
 * Latencies as counts in buckets that grow by a fifth, so that a value is within a tenth of its bucket's middle. A histogram has the
 * buckets of all three measures, one after the other.
 */
export const MEASURES = ['first_byte', 'elapsed', 'speed'] as const
export type Measure = (typeof MEASURES)[number]

export type Histogram = Float64Array

const RATIO = Math.log(1.2)
/** The last bucket of a measure covers everything beyond nineteen hours. */
const BUCKETS = 100
export const SIZE = BUCKETS * MEASURES.length

/** Milliseconds from 1 on; tokens per second from a tenth on. */
const SCALE: Record<Measure, number> = { first_byte: 1, elapsed: 1, speed: 10 }

export const emptyHistogram = (): Histogram => new Float64Array(SIZE)

export const bucketOf = (measure: Measure, value: number) => {
  const bucket = Math.round(Math.log(Math.max(1, value * SCALE[measure])) / RATIO)
  return MEASURES.indexOf(measure) * BUCKETS + Math.min(BUCKETS - 1, bucket)
}

/** The value that this share of the calls did not exceed; null without any call. */
export const percentile = (histogram: Histogram | undefined, measure: Measure, share: number): number | null => {
  if (histogram === undefined) return null
  const first = MEASURES.indexOf(measure) * BUCKETS
  const rank = Math.max(1, Math.ceil(countOf(histogram, measure) * share))
  let seen = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    seen += histogram[first + bucket] ?? 0
    if (seen >= rank) return VALUES[first + bucket] ?? null
  }
  return null
}

export const countOf = (histogram: Histogram, measure: Measure) => {
  const first = MEASURES.indexOf(measure) * BUCKETS
  let count = 0
  for (let bucket = first; bucket < first + BUCKETS; bucket++) count += histogram[bucket] ?? 0
  return count
}

/** The value of each bucket, rounded to its precision. */
const VALUES = MEASURES.flatMap((measure) =>
  Array.from({ length: BUCKETS }, (_, bucket) => Number((Math.exp(bucket * RATIO) / SCALE[measure]).toPrecision(4))),
)

/** Sparse counts, by index. */
export type Counts = Map<number, number>

/** Pairs of index delta and count as variable-length integers, in base64. */
export const pack = (counts: Counts): string => {
  const bytes: number[] = []
  let last = 0
  for (const [place, count] of [...counts].sort(([one], [other]) => one - other)) {
    pushNumber(bytes, place - last)
    pushNumber(bytes, count)
    last = place
  }
  return Buffer.from(bytes).toString('base64')
}

export const unpack = (text: string, each: (place: number, count: number) => void) => {
  const bytes = Buffer.from(text, 'base64')
  const state = { at: 0 }
  for (let place = 0; state.at < bytes.length; ) {
    place += numberAt(bytes, state)
    each(place, numberAt(bytes, state))
  }
}

/**
 * Adds the packed hours of a day to the histograms that they belong to. Written out without a call for each count: a query
 * about a quarter of a year reads millions of them.
 */
export const addHours = (text: string, histogramOf: (hour: number) => Histogram | undefined) => {
  const bytes = Buffer.from(text, 'base64')
  const { length } = bytes
  const state = { at: 0 }
  let place = 0
  let first = 0
  let end = 0
  let histogram: Histogram | undefined
  for (let at = 0; at < length; ) {
    const further = bytes[at++] ?? 0
    if (further < 128) place += further
    else {
      state.at = at - 1
      place += numberAt(bytes, state)
      at = state.at
    }
    let count = bytes[at++] ?? 0
    if (count > 127) {
      state.at = at - 1
      count = numberAt(bytes, state)
      at = state.at
    }
    if (place >= end) {
      first = place - (place % SIZE)
      end = first + SIZE
      histogram = histogramOf(first / SIZE)
    }
    if (histogram !== undefined) histogram[place - first] = (histogram[place - first] ?? 0) + count
  }
}
