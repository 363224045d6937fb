import { useQuery } from '@tanstack/react-query'
import { analyticsTopMax } from '@tollgate/contract'
import { usageOf } from '../../api/usage.ts'
import type { Usage } from '../../lib/usage/usage-rows.ts'
import { rowsBefore } from './compare.ts'
import type { Analytics } from './use-analytics.ts'

/** As many as a screen names. */
const TOP = 20
/** Some of those that are large now were not before, so more are loaded; over many steps no more than these rows. */
const ROWS_MAX = 2000

/** The row of the preceding period for each row, if periods are compared; undefined otherwise, and while it loads. */
export function useBefore({ query, compares }: Analytics, usage: Usage) {
  const { start, end } = usage.previous
  const { data: before } = useQuery({
    ...usageOf({ ...query, top: topBefore(usage), span: { start, end } }),
    enabled: compares,
  })
  return compares && before !== undefined ? rowsBefore(usage, before) : undefined
}

const topBefore = ({ by, times }: Usage) =>
  Math.min(analyticsTopMax(by, times.length + 1), Math.max(TOP, Math.floor(ROWS_MAX / Math.max(1, times.length))))
