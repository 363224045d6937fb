import { DAY } from './time-units.ts'
export type CalendarUnit = 'day' | 'week' | 'month'

export interface CalendarPeriod {
  /** Unix seconds; `end` is exclusive. */
  start: number
  end: number
}

export const isZone = (zone: string) => {
  try {
    clockOf(zone)
    return true
  } catch {
    return false
  }
}

/** The day, the week from Monday, or the month around a time, in a zone. */
export function calendarPeriod(zone: string, unit: CalendarUnit, at: number): CalendarPeriod {
  const { year, month, day } = dateAt(zone, at)
  if (unit === 'month') return { start: beginOf(zone, year, month, 1), end: beginOf(zone, year, month + 1, 1) }
  const first = unit === 'day' ? day : day - ((new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7)
  return { start: beginOf(zone, year, month, first), end: beginOf(zone, year, month, first + (unit === 'day' ? 1 : 7)) }
}

/**
 * The first instant of a date. When the offset changes around midnight there are two candidates: midnight may occur twice,
 * and the first counts, or not at all, and the day starts with the change.
 */
function beginOf(zone: string, year: number, month: number, day: number) {
  const midnight = Date.UTC(year, month - 1, day) / 1000
  const before = midnight - offsetAt(zone, midnight - DAY)
  const after = midnight - offsetAt(zone, midnight + DAY)
  const possible = [before, after].filter((moment) => moment + offsetAt(zone, moment) === midnight)
  return possible.length === 0 ? before : Math.min(...possible)
}

/** The UTC offset of a zone at a time, in seconds. */
export function offsetAt(zone: string, at: number) {
  const { year, month, day, hour, minute, second } = dateAt(zone, at)
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - at
}

function dateAt(zone: string, at: number) {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(at * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** Throws for an unknown zone. */
function clockOf(zone: string) {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  })
  clocks.set(zone, clock)
  return clock
}
