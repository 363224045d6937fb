import type { AnalyticsRow } from '@tollgate/contract'
import { csvText } from '../../lib/usage/csv.ts'
import { METRICS, type Metric, measure, metricKind } from '../../lib/usage/usage-metrics.ts'

interface CsvTable {
  rows: readonly AnalyticsRow[]
  /** The headings of the dimension columns, and the names of a row in them. */
  dimensions: readonly string[]
  namesOf: (row: AnalyticsRow) => string[]
  metricName: (metric: Metric) => string
  /** Quota per dollar, if the site shows money. */
  quotaPerUnit: number | undefined
  /** If periods are compared: the metric, its heading, and the row of the preceding period. */
  before?: Compared | undefined
}

interface Compared {
  metric: Metric
  heading: string
  rowOf: (row: AnalyticsRow) => AnalyticsRow | undefined
}

const UNITS = { money: ' ($)', count: '', share: '', ms: ' (ms)', speed: '' }

/** Every row with every metric, as plain numbers that a spreadsheet can add. */
export const usageCsv = ({ rows, dimensions, namesOf, metricName, quotaPerUnit, before }: CsvTable) => {
  const unit = (metric: Metric) => (metric === 'quota' && quotaPerUnit === undefined ? '' : UNITS[metricKind(metric)])
  const value = (row: AnalyticsRow, metric: Metric) => {
    const measured = measure(row, metric)
    if (measured === null) return null
    // Digits beyond the twelfth are floating-point noise.
    return Number((metric === 'quota' ? measured / (quotaPerUnit ?? 1) : measured).toPrecision(12))
  }
  const heading = (metric: Metric) => `${metricName(metric)}${unit(metric)}`
  const previous = (row: AnalyticsRow, { metric, rowOf }: Compared) => {
    const then = rowOf(row)
    return then === undefined ? null : value(then, metric)
  }
  return csvText([
    [...dimensions, ...METRICS.map(heading), ...(before ? [`${before.heading}: ${heading(before.metric)}`] : [])],
    ...rows.map((row) => [
      ...namesOf(row),
      ...METRICS.map((metric) => value(row, metric)),
      ...(before ? [previous(row, before)] : []),
    ]),
  ])
}
