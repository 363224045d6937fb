import { type Metric, measure } from '../../lib/usage-metrics.ts'
import type { Usage } from '../../lib/usage-rows.ts'
import { dayIn } from '../../lib/zone.ts'

/** What the reader's own day came to so far; undefined where the range is that day alone, or ends before it. */
export const todaysPart = ({ rows, days, today, zone }: Usage, metric: Metric) => {
  if (days.last !== today || days.first === today) return undefined
  const todays = rows.filter(({ time }) => time !== undefined && dayIn(zone, time) === today)
  return todays.reduce((total, row) => total + (measure(row, metric) ?? 0), 0)
}
