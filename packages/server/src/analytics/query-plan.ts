import { type AnalyticsQuery, analyticsTopMax, RANGE_MAX_DAYS, STEPS_MAX, type Step } from '@tollgate/contract'
import { offsetAt } from '../common/calendar.ts'
import { GatewayError } from '../common/errors.ts'
import { DAY, HOUR } from '../common/time-units.ts'
import type { Part } from './sums-repository.ts'
import { stepsOf, type TimeSlice, timeSlicesOf } from './time-slices.ts'
import { firstDayOf, type ZoneDays, zoneDays } from './zone-time.ts'

export interface Range {
  start: number
  end: number
}

/** How an analytics query is read from the figures. */
export interface QueryPlan {
  range: Range
  step: TimeSteps | undefined
  /** When the steps begin. */
  times: number[]
  /** At most one when rows are by time, otherwise two. */
  parts: readonly Part[]
  byOutcome: boolean
  /** The range as slices that respect the steps, and as slices that ignore them. */
  slices: TimeSlice[]
  whole: TimeSlice[]
  /** What the range is compared with. */
  before: { range: Range; whole: TimeSlice[] }
}

export interface TimeSteps {
  name: Step
  zone: string
  /** The start of the step that contains an hour, or a day by its number. */
  ofHour(hour: number): number
  ofDay(day: number): number
}

/** Refuses what would take too long before anything is read. */
export const planQuery = async (
  query: AnalyticsQuery,
  readPacked: (range: Range) => Promise<ReadonlySet<number>>,
): Promise<QueryPlan> => {
  const range = rangeOf(query)
  const name = query.by.includes('time') ? (query.step ?? usualStep(range)) : undefined
  if (name === 'hour' && (range.end - range.start) / HOUR > STEPS_MAX)
    throw new GatewayError('analytics.too_many_steps')
  const days = zoneDays(query.zone, range.start, range.end)
  const times = name === undefined ? [] : stepsOf(range, days, name)
  const max = analyticsTopMax(query.by, times.length)
  if (query.top > max) throw new GatewayError('analytics.too_many_names', { max })
  const before = periodBefore(query, range)
  const packed = await readPacked({ start: before.start, end: range.end })
  return {
    range,
    step: name === undefined ? undefined : steppedBy(name, query.zone, days),
    times,
    parts: query.by.filter((dimension): dimension is Part => dimension !== 'time' && dimension !== 'outcome'),
    byOutcome: query.by.includes('outcome'),
    slices: timeSlicesOf(range, { days, step: name, packed }),
    whole: wholeSlices(range, packed),
    before: { range: before, whole: wholeSlices(before, packed) },
  }
}

export const wholeSlices = (range: Range, packed: ReadonlySet<number> = new Set()) =>
  timeSlicesOf(range, { days: zoneDays('UTC', range.start, range.end), step: undefined, packed })

function steppedBy(name: Step, zone: string, days: ZoneDays): TimeSteps {
  if (name === 'hour') return { name, zone, ofHour: (hour) => hour, ofDay: (day) => day * DAY }
  const known = new Map<number, number>()
  const ofDay = (day: number) => {
    const time = known.get(day) ?? days.beginOf(firstDayOf(name, day))
    known.set(day, time)
    return time
  }
  return { name, zone, ofDay, ofHour: (hour) => ofDay(days.dayOf(hour)) }
}

/**
 * Usage is recorded by the hour, so a range covers every hour that it touches. Where a day begins within an hour, that hour belongs to
 * the day before, so that days do not overlap.
 */
function rangeOf({ start, end, zone }: Range & { zone: string }): Range {
  if (end <= start) throw new GatewayError('analytics.range')
  if (end - start > RANGE_MAX_DAYS * DAY) throw new GatewayError('analytics.range_max', { days: RANGE_MAX_DAYS })
  const last = Math.ceil(end / HOUR)
  const isFirstOfDay = (start + offsetAt(zone, start)) % DAY === 0
  const next = Math.ceil(start / HOUR)
  const first = isFirstOfDay && next < last ? next : Math.floor(start / HOUR)
  return { start: first * HOUR, end: last * HOUR }
}

/**
 * Days are compared with as many days before them, the last one up to the same time: half a day with the same half, and nights with
 * nights. Any other range is compared with what precedes it.
 */
function periodBefore({ start, end, zone }: Range & { zone: string }, range: Range): Range {
  const localTime = (at: number) => at + offsetAt(zone, at)
  const first = localTime(start)
  if (first % DAY !== 0) return { start: 2 * range.start - range.end, end: range.start }
  const days = Math.ceil((localTime(end) - first) / DAY)
  const hourBefore = (at: number) => {
    const time = localTime(at) - days * DAY
    return Math.ceil((time - offsetAt(zone, time - offsetAt(zone, time))) / HOUR) * HOUR
  }
  const from = hourBefore(start)
  return { start: from, end: Math.min(Math.max(hourBefore(end), from + HOUR), range.start) }
}

function usualStep({ start, end }: Range): Step {
  const days = (end - start) / DAY
  return days <= 2 ? 'hour' : days <= 100 ? 'day' : 'week'
}
