import { LogType } from '@tollgate/contract'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Db } from '../database/client.ts'
import { upToDateFigures } from '../ledger/up-to-date-figures.ts'
import { type LogSearch, needsEntries } from './log-conditions.ts'
import { sumOfSession } from './log-search-repository.ts'
import { logsRepository } from './logs-repository.ts'
import { usageRepository } from './usage-repository.ts'

/** Later than anything that will be counted, and the start of a day. */
const FAR = 2_000_000 * DAY

/**
 * The quota of a filter. Without a type that is consumption: adding top-ups to it would be meaningless. Full days and hours come
 * from the figures; only partial hours at the ends of a range are summed from the log. When the log is incomplete for such an
 * hour, the full hour counts, and the answer says so.
 */
export const sumOf = async (db: Db, { scope, filter }: LogSearch, now: number) => {
  const log = logsRepository(db)
  const type = filter.type === LogType.all || filter.type === LogType.calls ? LogType.consume : filter.type
  const search = { scope, filter: { ...filter, type } }
  if (filter.request_id !== '' || filter.session !== '') {
    const quota = await (filter.request_id === '' ? sumOfSession(db, search) : log.sumOfRequest(search))
    return { quota, rounded: false }
  }
  if (needsEntries(filter)) return { ...(await log.sumOfEntries(search)), rounded: false }
  if (type !== LogType.consume) return { quota: await log.sumQuota({ scope, filter }), rounded: false }
  const figures = usageRepository(await upToDateFigures(db))
  const { start_timestamp: start, end_timestamp: end } = filter
  let rounded = false

  const partOfHour = async (hour: number, from: number, until: number) => {
    const whole = await figures.sum(scope, filter, { span: HOUR, from: hour, until: hour + HOUR })
    const logged = (first: number, last: number): LogSearch => ({
      scope,
      filter: { ...filter, type: LogType.consume, start_timestamp: first, end_timestamp: last },
    })
    if (await log.hasCalls(logged(hour, hour + HOUR - 1), whole.calls)) return log.sumQuota(logged(from, until - 1))
    rounded = true
    return whole.quota
  }

  const brokenHours = async (from: number, until: number) => {
    let quota = 0
    for (let hour = Math.floor(from / HOUR) * HOUR; hour < until; hour += HOUR) {
      quota += await partOfHour(hour, Math.max(from, hour), Math.min(until, hour + HOUR))
    }
    return quota
  }

  const sumBetween = async (from: number, until: number, [span, ...finer]: number[]): Promise<number> => {
    if (from >= until) return 0
    if (span === undefined) return brokenHours(from, until)
    const first = Math.ceil(from / span) * span
    const last = Math.floor(until / span) * span
    if (first >= last) return sumBetween(from, until, finer)
    const { quota } = await figures.sum(scope, filter, { span, from: first, until: last })
    return (await sumBetween(from, first, finer)) + quota + (await sumBetween(last, until, finer))
  }

  // Nothing is dated in the future: a range that ends there needs no partial day at its end.
  const quota = await sumBetween(start, end === 0 || end >= now ? FAR : end + 1, [DAY, HOUR])
  return { quota, rounded }
}
