import { BudgetPeriod } from '@tollgate/contract'
import { type CalendarPeriod, calendarPeriod } from '../common/calendar.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { BudgetClaim } from '../ledger/books.ts'

/** What determines when a budget renews. */
export interface BudgetCalendar {
  period: BudgetPeriod
  rolling: boolean
  zone: string
}

/** As it is stored. */
export const calendarOf = (row: { period: string; rolling: number; zone: string }): BudgetCalendar => ({
  period: BudgetPeriod.parse(row.period),
  rolling: row.rolling === 1,
  zone: row.zone,
})

/** The slots of a rolling period. */
const ROLLING = {
  day: { length: HOUR, count: 24 },
  week: { length: 6 * HOUR, count: 28 },
  month: { length: DAY, count: 30 },
}

/** The slot of a budget's calendar that a call counts in, and the slots that are summed with it. */
export type BudgetWindow = Omit<BudgetClaim, 'id'>

/**
 * A rolling period covers at least its length: its first slot counts completely. The slots of the period ahead count too: the clock of
 * another node may be ahead, and one that is set back must not make spending forgotten.
 */
export function windowAt({ period, rolling, zone }: BudgetCalendar, now: number): BudgetWindow & { ends: number } {
  if (period === 'forever') return { slot: 0, from: 0, until: 0, ends: Number.POSITIVE_INFINITY }
  if (!rolling) {
    const { start, end }: CalendarPeriod = calendarPeriod(zone, period, now)
    return { slot: start, from: start, until: start, ends: end }
  }
  const { length, count } = ROLLING[period]
  const slot = now - (now % length)
  return { slot, from: slot - count * length, until: slot + count * length, ends: slot + length }
}

/** Start of the next period; 0 when it is rolling or never ends. */
export const renewalOf = (calendar: BudgetCalendar, now: number) =>
  calendar.rolling || calendar.period === 'forever' ? 0 : windowAt(calendar, now).ends
