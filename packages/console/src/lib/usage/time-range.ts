import { RANGE_MAX_DAYS } from '@tollgate/contract'
import { addDays, dayIn, dayStart, isDay } from '../format/zone.ts'

/** The time range of a screen in its URL: a named range, or two days. */
export interface RangeSearch {
  range?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export const RANGES = ['today', 'yesterday', '7d', '30d', 'month', 'last_month'] as const
export type RangeName = (typeof RANGES)[number]

export interface Days {
  first: string
  last: string
}

/** Unix seconds; `end` is exclusive. */
export interface Span {
  start: number
  end: number
}

/** Two days in the URL win over a name; too many days are cut to the last ones; an invalid range means the default. */
export const chosenRange = ({ range, from, to }: RangeSearch): RangeName | Days => {
  const [first, last] = [from ?? '', to ?? '']
  if (isDay(first) && isDay(last) && first <= last)
    return { first: later(first, addDays(last, 1 - RANGE_MAX_DAYS)), last }
  return RANGES.find((name) => name === range) ?? '7d'
}

/** Why a range in the URL is not, or not wholly, what is shown. */
export const rangeProblem = ({ range, from, to }: RangeSearch): 'reversed' | 'unknown' | 'tooLong' | undefined => {
  if (from === undefined && to === undefined) {
    return range === undefined || RANGES.some((name) => name === range) ? undefined : 'unknown'
  }
  const [first, last] = [from ?? '', to ?? '']
  if (!isDay(first) || !isDay(last)) return 'unknown'
  if (first > last) return 'reversed'
  return first < addDays(last, 1 - RANGE_MAX_DAYS) ? 'tooLong' : undefined
}

const later = (a: string, b: string) => (a > b ? a : b)

export const daysOf = (chosen: RangeName | Days, today: string): Days => {
  if (typeof chosen === 'object') return chosen
  const thisMonth = `${today.slice(0, 8)}01`
  const endOfLast = addDays(thisMonth, -1)
  return {
    today: { first: today, last: today },
    yesterday: { first: addDays(today, -1), last: addDays(today, -1) },
    '7d': { first: addDays(today, -6), last: today },
    '30d': { first: addDays(today, -29), last: today },
    month: { first: thisMonth, last: today },
    last_month: { first: `${endOfLast.slice(0, 8)}01`, last: endOfLast },
  }[chosen]
}

/** From the first second of the first day to the last of the last, in a zone. */
const spanOf = ({ first, last }: Days, zone: string): Span => ({
  start: dayStart(first, zone),
  end: dayStart(addDays(last, 1), zone),
})

/**
 * The range of a URL at a time. It ends with the current hour: compared with a whole previous day, half a day would always look like a
 * decrease.
 */
export const readRange = (search: RangeSearch, { zone, now }: { zone: string; now: number }) => {
  const today = dayIn(zone, now)
  const days = daysOf(chosenRange(search), today)
  const { start, end } = spanOf(days, zone)
  return { days, today, start, end: Math.max(start + HOUR, Math.min(end, Math.ceil(now / HOUR) * HOUR)) }
}

const HOUR = 3600
