import { type LogFilter, LogType } from '@tollgate/contract'
import type { Db } from '../database/client.ts'
import { logsRepository, type Scope } from './logs-repository.ts'
import { usageRepository } from './usage-repository.ts'

const HOUR = 3600

/**
 * The quota of what a filter shows. Without a type that is consumption: adding top-ups to it would mean nothing. Whole
 * hours come from the figures; only the broken hours at the two ends of a range are added up from the log.
 */
export const sumOf = async (db: Db, scope: Scope, filter: LogFilter) => {
  if (filter.type !== LogType.all && filter.type !== LogType.consume) return logsRepository(db).sumQuota(scope, filter)
  const { start_timestamp: start, end_timestamp: end } = filter
  const from = Math.ceil(start / HOUR) * HOUR
  const until = end === 0 ? undefined : Math.floor((end + 1) / HOUR) * HOUR
  const rows = (first: number, last: number) =>
    first > last
      ? 0
      : logsRepository(db).sumQuota(scope, {
          ...filter,
          type: LogType.consume,
          start_timestamp: first,
          end_timestamp: last,
        })
  if (until !== undefined && from >= until) return rows(start, end)
  const whole = await usageRepository(db).sumQuota(scope, filter, { from, until })
  const before = start === from ? 0 : await rows(start, from - 1)
  const after = until === undefined ? 0 : await rows(until, end)
  return before + whole + after
}
