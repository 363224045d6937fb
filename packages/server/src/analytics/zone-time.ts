import type { Step } from '@tollgate/contract'
import { offsetAt } from '../common/calendar.ts'
import { DAY, HOUR } from '../common/time-units.ts'

/** Finished days are packed four at a time, from the first of 1970 on. */
export const FOUR_DAYS = 345_600

/** A period in which the UTC offset of a zone is constant, in whole hours. */
interface Era {
  from: number
  until: number
  ahead: number
}

/** The days of a zone, numbered from the first of 1970, as hours of UTC. */
export interface ZoneDays {
  eras: readonly Era[]
  /** The day in which an hour begins. */
  dayOf(hour: number): number
  /** When a day begins, in unix seconds. */
  beginOf(day: number): number
}

/** Everything between two hours. Zones change their offset on the hour of UTC, or within one that then counts as a whole. */
export const zoneDays = (zone: string, from: number, until: number): ZoneDays => {
  const aheadAt = (at: number) => (zone === 'UTC' ? 0 : offsetAt(zone, at))
  const eras: Era[] = []
  let begin = from
  let ahead = aheadAt(from)
  for (let at = from; at < until; at = Math.min(at + DAY, until)) {
    const next = Math.min(at + DAY, until)
    const then = aheadAt(next)
    if (then === ahead) continue
    const change = firstHour(at, next, (hour) => aheadAt(hour) !== ahead)
    eras.push({ from: begin, until: change, ahead })
    begin = change
    ahead = then
  }
  if (begin < until || eras.length === 0) eras.push({ from: begin, until, ahead })
  // Asking the calendar is slow, and within an era the answer is known.
  const inEra = (at: number) =>
    eras.find((era) => at >= era.from + HOUR && at <= era.until - HOUR)?.ahead ?? aheadAt(at)
  // Asked for every hour of every row, and nearly always there is one era.
  const eraOf = (at: number) => {
    for (const era of eras) if (at < era.until) return era
    return eras.at(-1)
  }
  return {
    eras,
    dayOf: (hour) => Math.floor((hour + (eraOf(hour)?.ahead ?? 0)) / DAY),
    beginOf(day) {
      const guess = day * DAY - inEra(day * DAY)
      return day * DAY - inEra(guess)
    },
  }
}

/** The first day of the step that a day belongs to. Weeks begin on Monday. */
export const firstDayOf = (step: Exclude<Step, 'hour'>, day: number) => {
  if (step === 'day') return day
  // The first of 1970 was a Thursday.
  if (step === 'week') return day - ((((day + 3) % 7) + 7) % 7)
  const date = new Date(day * DAY * 1000)
  return Math.floor(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000 / DAY)
}

function firstHour(after: number, until: number, isSo: (hour: number) => boolean) {
  let [low, high] = [Math.floor(after / HOUR), Math.ceil(until / HOUR)]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isSo(middle * HOUR)) high = middle
    else low = middle
  }
  return high * HOUR
}
