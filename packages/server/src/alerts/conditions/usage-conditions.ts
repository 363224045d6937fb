import type { Text } from '@tollgate/contract'
import { DAY, HOUR } from '../../common/time-units.ts'
import type { Db } from '../../database/client.ts'
import { upToDateFigures } from '../../ledger/up-to-date-figures.ts'
import type { Condition } from './condition.ts'
import { usageRepository } from './usage-repository.ts'

const DAYS = 7

interface Needs {
  db: Db
  amountText(quota: number): Text
}

/** Conditions on all calls, from hourly sums, for administrators. */
export const createUsageConditions = ({ db, amountText }: Needs) => {
  /** Upstream failures in this hour and the previous one. */
  const failures: Condition = async ({ rule: { threshold, minimum }, now }) => {
    const since = now - (now % HOUR) - HOUR
    const { calls, failed } = await usageRepository(await upToDateFigures(db)).outcomes(since)
    const percent = calls === 0 ? 0 : (failed / calls) * 100
    if (failed === 0 || calls < minimum || percent < threshold) return []
    return [
      {
        subject: '',
        title: { zh: '调用失败率过高', en: 'Too many calls are failing' },
        lines: (time) => [
          {
            zh: `${calls} 次调用中有 ${failed} 次失败（${percent.toFixed(1)}%，阈值 ${threshold}%）`,
            en: `${failed} of ${calls} calls failed (${percent.toFixed(1)}%, threshold ${threshold}%)`,
          },
          { zh: `时间：${time(since)} 至 ${time(now)}`, en: `Period: ${time(since)} to ${time(now)}` },
        ],
        path: '/analytics',
      },
    ]
  }

  /**
   * An hour is unusual when it costs more than `threshold` times the mean of the same hour on the last seven days, or on as
   * many as there are, and at least `minimum`. The current hour counts as soon as it exceeds that, and a past one until the
   * next has ended too. With less than a day of history nothing is unusual.
   */
  const spend: Condition = async ({ rule: { threshold, minimum }, now }) => {
    const hour = now - (now % HOUR)
    const spent = await usageRepository(await upToDateFigures(db)).spent(hour - HOUR - DAYS * DAY)
    const first = Math.min(...spent.keys())
    if (first > hour - DAY) return []
    const unusual = [hour, hour - HOUR].find((start) => {
      const usual = usualAt(spent, first, start)
      const cost = spent.get(start) ?? 0
      return usual !== undefined && cost > 0 && cost >= minimum && cost > threshold * usual
    })
    if (unusual === undefined) return []
    const [cost, usual] = [amountText(spent.get(unusual) ?? 0), amountText(usualAt(spent, first, unusual) ?? 0)]
    return [
      {
        subject: '',
        title: { zh: '每小时消费与平时不同', en: 'Unusual hourly spend' },
        lines: (time) => [
          {
            zh: `消费 ${cost.zh}，平时同一小时平均 ${usual.zh}（阈值 ${threshold} 倍）`,
            en: `${cost.en} spent; the same hour usually costs ${usual.en} (threshold ${threshold}×)`,
          },
          {
            zh: `时间：${time(unusual)} 至 ${time(Math.min(now, unusual + HOUR))}`,
            en: `Period: ${time(unusual)} to ${time(Math.min(now, unusual + HOUR))}`,
          },
        ],
        path: '/analytics',
      },
    ]
  }

  return { failures, spend }
}

/** The mean of the same hour on the previous days; undefined without any. */
function usualAt(spent: ReadonlyMap<number, number>, first: number, start: number) {
  const days = Array.from({ length: DAYS }, (_, index) => start - (index + 1) * DAY).filter((each) => each >= first)
  if (days.length === 0) return undefined
  return Math.round(days.reduce((sum, each) => sum + (spent.get(each) ?? 0), 0) / days.length)
}
