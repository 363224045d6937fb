import type { AnalyticsRow } from '@tollgate/contract'
import { keyIn, REST, type Usage } from '../../lib/usage/usage-rows.ts'

type Rows = Pick<Usage, 'rows' | 'times' | 'by'>

/**
 * What a row is compared with in the preceding period: the same model or user, or for points in time the one at the same position in its
 * period. Combined rows are compared with everybody who is not named now. Undefined where that is not known: a name may have been among
 * those that were combined then.
 */
export const rowsBefore = (usage: Rows, before: Rows) => {
  const [now, then] = [keysIn(usage), keysIn(before)]
  const earlier = before.rows.map((row) => ({ row, keys: then(row) }))
  const rests = earlier.filter(({ keys }) => keys.includes(REST))
  const known = new Map(earlier.map(({ row, keys }) => [JSON.stringify(keys), row]))
  const current = usage.rows.map(now)
  const named = usage.by.map((_, place) => new Set(current.map((keys) => keys[place])))
  const isHidden = (keys: readonly string[]) =>
    !known.has(JSON.stringify(keys)) && rests.some((rest) => isPart(keys, rest.keys))

  return (row: AnalyticsRow): AnalyticsRow | undefined => {
    const keys = now(row)
    // A month may have more days than the one before.
    if (usage.by[0] === 'time' && Number(keys[0]) >= before.times.length) return undefined
    if (!keys.includes(REST)) return known.get(JSON.stringify(keys)) ?? (isHidden(keys) ? undefined : sum(row, []))
    if (current.some((each) => !each.includes(REST) && isPart(each, keys) && isHidden(each))) return undefined
    const isCombined = (key: string, place: number) =>
      keys[place] === REST ? key === REST || !named[place]?.has(key) : key === keys[place]
    return sum(
      row,
      earlier.filter((other) => other.keys.every(isCombined)).map((other) => other.row),
    )
  }
}

/** Of each dimension the value, with the position for points in time. */
function keysIn({ times, by }: Rows) {
  const places = new Map(times.map((at, place) => [at, String(place)]))
  return (row: AnalyticsRow) =>
    by.map((dimension) => (dimension === 'time' ? (places.get(row.time ?? 0) ?? '') : keyIn(row, dimension)))
}

/** Whether a row with these keys would be part of the combined one. */
const isPart = (keys: readonly string[], combined: readonly string[]) =>
  combined.every((key, place) => key === REST || key === keys[place])

const SUMS = [
  ...(['calls', 'failed', 'quota', 'prompt_tokens', 'completion_tokens'] as const),
  ...(['cached_tokens', 'cache_write_tokens', 'reasoning_tokens'] as const),
]
const UNTIMED = { first_byte_p50: null, first_byte_p95: null, elapsed_p50: null, elapsed_p95: null, speed_p50: null }

/** The amounts of these rows, under the name of another. What is not known of it is not known of them either. */
function sum(named: AnalyticsRow, rows: readonly AnalyticsRow[]): AnalyticsRow {
  const amounts = SUMS.map((field) => [
    field,
    named[field] === null ? null : rows.reduce((total, row) => total + (row[field] ?? 0), 0),
  ])
  return { ...named, ...Object.fromEntries(amounts), ...UNTIMED }
}
