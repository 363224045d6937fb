import { useQuery } from '@tanstack/react-query'
import { usageOf } from '../../api/usage.ts'
import type { Usage } from '../../lib/usage-rows.ts'
import { rowsBefore } from './compare.ts'
import type { Analytics } from './use-analytics.ts'

/** Where periods are compared: the row of the preceding one for each row. Undefined otherwise, and until it is known. */
export function useBefore({ query, compares }: Analytics, usage: Usage) {
  const { start, end } = usage.previous
  const { data: before } = useQuery({ ...usageOf({ ...query, span: { start, end } }), enabled: compares })
  return compares && before !== undefined ? rowsBefore(usage, before) : undefined
}
