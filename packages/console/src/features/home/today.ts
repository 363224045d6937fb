import { dayIn } from '../../lib/format/zone.ts'
import { type Metric, measure } from '../../lib/usage/usage-metrics.ts'
import type { Usage } from '../../lib/usage/usage-rows.ts'

type Counted = Pick<Usage, 'rows' | 'days' | 'today' | 'zone'>

/**
 * Usage of the reader's current day. Undefined if the range is that day alone or ends before it, or if the rows lack it: the cost of
 * calls by outcome is not known.
 */
export const todaysPart = ({ rows, days, today, zone }: Counted, metric: Metric) => {
  if (days.last !== today || days.first === today) return undefined
  const todays = rows.filter(({ time }) => time !== undefined && dayIn(zone, time) === today)
  return todays.reduce<number | undefined>((total, row) => {
    const value = measure(row, metric)
    return total === undefined || value === null ? undefined : total + value
  }, 0)
}
