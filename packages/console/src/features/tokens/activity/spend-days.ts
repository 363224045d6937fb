import { addDays, dayIn, dayStart } from '../../../lib/format/zone.ts'
import type { Span } from '../../../lib/usage/time-range.ts'

interface Reader {
  zone: string
  now: number
}

/** Spending per day of a zone, oldest first; the last one is today. */
export const daysOfSpend = (spend: readonly number[], { zone, now }: Reader) =>
  spend.map((quota, index) => ({ day: dayAt(index, spend.length, { zone, now }).slice(5), quota }))

/** The hours that begin within these days, until the current one is over: spending is known by the hour. */
export const spanOfSpend = (days: number, { zone, now }: Reader): Span => ({
  start: Math.ceil(dayStart(dayAt(0, days, { zone, now }), zone) / HOUR) * HOUR,
  end: (Math.floor(now / HOUR) + 1) * HOUR,
})

const dayAt = (index: number, days: number, { zone, now }: Reader) => addDays(dayIn(zone, now), index + 1 - days)

const HOUR = 3600
