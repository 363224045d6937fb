import type { AnalyticsRow } from '@tollgate/contract'
import { keyIn, type Usage } from '../../lib/usage/usage-rows.ts'

type Rows = Pick<Usage, 'rows' | 'times' | 'by'>

/**
 * The row of the preceding period that a row is compared with: that of the same model or user, or for points in time the one at the
 * same position in its period.
 */
export const rowsBefore = (usage: Rows, before: Rows) => {
  const [now, then] = [placeIn(usage), placeIn(before)]
  const rows = new Map(before.rows.map((row) => [then(row), row]))
  return (row: AnalyticsRow): AnalyticsRow | undefined => rows.get(now(row))
}

function placeIn({ times, by }: Rows) {
  const places = new Map(times.map((at, place) => [at, place]))
  const named = by.filter((dimension) => dimension !== 'time')
  return (row: AnalyticsRow) =>
    JSON.stringify([row.time === undefined ? null : places.get(row.time), ...named.map((name) => keyIn(row, name))])
}
