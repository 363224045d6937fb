import { type Metric, measure } from '../../lib/usage-metrics.ts'
import type { Usage } from '../../lib/usage-rows.ts'
import { dayIn } from '../../lib/zone.ts'

type Counted = Pick<Usage, 'rows' | 'days' | 'today' | 'zone'>

/**
 * What the reader's own day came to so far. Undefined where the range is that day alone or ends before it, and where the
 * rows do not know: what calls of one outcome cost is not told apart.
 */
export const todaysPart = ({ rows, days, today, zone }: Counted, metric: Metric) => {
  if (days.last !== today || days.first === today) return undefined
  const todays = rows.filter(({ time }) => time !== undefined && dayIn(zone, time) === today)
  return todays.reduce<number | undefined>((total, row) => {
    const value = measure(row, metric)
    return total === undefined || value === null ? undefined : total + value
  }, 0)
}
