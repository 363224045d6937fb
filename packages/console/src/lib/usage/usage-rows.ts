import type { Analytics, AnalyticsRow, Dimension, Metrics } from '@tollgate/contract'
import { labelsText } from '../../text/labels.ts'
import { useText } from '../../text/text.ts'
import { usageText } from '../../text/usage.ts'
import type { Days } from './time-range.ts'
import { stepNames } from './time-steps.ts'
import { type Metric, measure, metricAdds } from './usage-metrics.ts'
import type { UsageFilter } from './usage-search.ts'

/** The result together with its requested days: the screen may have changed since. */
export interface Usage extends Analytics {
  days: Days
  today: string
}

/** The subject of a row, without its figures. */
type Named = Omit<AnalyticsRow, keyof Metrics>

/** Everything beyond the largest is combined. */
export const REST = 'rest'

/** Of two dimensions, what is beyond the largest may still have the name of the first. */
const isRest = (row: Named, dimension: Dimension) => row.other && row[dimension] === undefined

/** What distinguishes two rows in a dimension. Keys of two users may have the same name. */
export const keyIn = (row: Named, dimension: Dimension | undefined) => {
  if (dimension === undefined) return ''
  if (isRest(row, dimension)) return REST
  const value = `=${row[dimension] ?? ''}`
  // A name may have spaces: only the quoted pair is unambiguous.
  return dimension === 'key' && row.user !== undefined ? JSON.stringify([value, row.user]) : value
}

type Rows = Pick<Usage, 'rows' | 'by'>

/**
 * The values of the first dimension, the largest first and what is combined last. Shares and times of few calls say little: for them
 * the order is that of the server.
 */
export const largestFirst = ({ rows, by: [first] }: Rows, metric: Metric) => {
  const weights = new Map<string, number>()
  for (const row of rows) {
    const key = keyIn(row, first)
    weights.set(key, (weights.get(key) ?? 0) + (metricAdds(metric) ? (measure(row, metric) ?? 0) : 0))
  }
  const order = [...weights].sort(([a, x], [b, y]) => Number(a === REST) - Number(b === REST) || y - x)
  return order.map(([key]) => key)
}

/** The newest time first, or the first dimension as in its chart; within it the largest, and what is combined last. */
export const tableRows = ({ rows, by }: Rows, metric: Metric) => {
  const [first, second] = by
  const places = new Map(largestFirst({ rows, by }, metric).map((key, place) => [key, place]))
  const placeOf = (row: AnalyticsRow) => (first === 'time' ? -(row.time ?? 0) : (places.get(keyIn(row, first)) ?? 0))
  return rows.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      (second === undefined
        ? 0
        : Number(a.other) - Number(b.other) || (measure(b, metric) ?? -1) - (measure(a, metric) ?? -1)),
  )
}

/** What a reader calls it. */
export function useRowName({ zone, step, days }: Pick<Usage, 'zone' | 'step' | 'days'>) {
  const text = useText(usageText)
  const labels = useText(labelsText)
  return (row: Named, dimension: Dimension) => {
    if (dimension === 'time') return stepNames(row.time ?? 0, { step, zone, days }).name
    if (isRest(row, dimension)) return text.rest
    if (dimension === 'outcome') return row.outcome === undefined ? '' : labels.outcome[row.outcome]
    if (dimension === 'channel') return row.channel_name || text.channelOf(row.channel ?? 0)
    const name = row[dimension] || labels.nameless[dimension]
    return dimension === 'key' && row.user !== undefined ? `${name} · ${row.user}` : name
  }
}

/** Which calls a row counts, as far as its dimension says; undefined for combined rows. */
export const rowFilter = (row: Named, dimension: Dimension): UsageFilter | undefined => {
  if (isRest(row, dimension)) return undefined
  const { model, channel, user, group, key, outcome } = row
  const named = key === '' ? { no_key: 'true' as const } : { key }
  const filters = {
    time: {},
    model: model === '' ? { no_model: 'true' as const } : { model },
    channel: { channel },
    user: { user },
    group: group === '' ? { no_group: 'true' as const } : { group },
    // The rows of one user's keys do not name the user, whom the filter around them may.
    key: user === undefined ? named : { ...named, user },
    outcome: { outcome },
  }
  const filter: UsageFilter = filters[dimension]
  // A user without a name cannot be asked for.
  return Object.values(filter).some((value) => value === '') ? undefined : filter
}
