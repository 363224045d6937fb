import { useQuery } from '@tanstack/react-query'
import { usageOf } from '../../api/usage.ts'
import type { Usage } from '../../lib/usage/usage-rows.ts'
import { rowsBefore } from './compare.ts'
import type { Analytics } from './use-analytics.ts'

/** More names than are shown: some of those that are large now were not before. */
const TOP = 100

/** The row of the preceding period for each row, if periods are compared; undefined otherwise, and while it loads. */
export function useBefore({ query, compares }: Analytics, usage: Usage) {
  const { start, end } = usage.previous
  const { data: before } = useQuery({
    ...usageOf({ ...query, top: TOP, span: { start, end } }),
    enabled: compares,
  })
  return compares && before !== undefined ? rowsBefore(usage, before) : undefined
}
