import { LogType } from '@tollgate/contract'
import type { Db } from '../database/client.ts'
import type { Wanted } from './log-walk-repository.ts'
import { logsRepository } from './logs-repository.ts'
import { DAY, HOUR, usageRepository } from './usage-repository.ts'

/** Later than anything that will be counted, and the beginning of a day. */
const FAR = 2_000_000 * DAY

/**
 * The quota of what a filter shows. Without a type that is consumption: adding top-ups to it would mean nothing. Whole
 * days and hours come from the figures; only the broken hours at the two ends of a range are added up from the log.
 */
export const sumOf = async (db: Db, { scope, filter }: Wanted, now: number) => {
  if (filter.type !== LogType.all && filter.type !== LogType.consume)
    return logsRepository(db).sumQuota({ scope, filter })
  const figures = usageRepository(db)
  const { start_timestamp: start, end_timestamp: end } = filter

  const sumBetween = async (from: number, until: number, [span, ...finer]: number[]): Promise<number> => {
    if (from >= until) return 0
    if (span === undefined) {
      const part = { ...filter, type: LogType.consume, start_timestamp: from, end_timestamp: until - 1 }
      return logsRepository(db).sumQuota({ scope, filter: part })
    }
    const first = Math.ceil(from / span) * span
    const last = Math.floor(until / span) * span
    if (first >= last) return sumBetween(from, until, finer)
    const whole = await figures.sumQuota(scope, filter, { span, from: first, until: last })
    return (await sumBetween(from, first, finer)) + whole + (await sumBetween(last, until, finer))
  }

  // Nothing is dated later than now: a range that ends in the future needs no broken day at its end.
  return sumBetween(start, end === 0 || end >= now ? FAR : end + 1, [DAY, HOUR])
}
