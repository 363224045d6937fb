import type { Step } from '@tollgate/contract'
import { DAY, HOUR } from '../common/time-units.ts'
import { firstDayOf, type ZoneDays } from './zone-time.ts'

/** The spans of time for which there are sums. */
export type Span = typeof HOUR | typeof DAY

/** A part of a range that one statement reads: from the sums of one span. */
export interface TimeSlice {
  span: Span
  from: number
  until: number
  /** How far the zone's clock is ahead of UTC. */
  ahead: number
  /** Whether its days are also packed. */
  isPacked: boolean
}

/** An embedded database blocks everything while it reads: this many spans at once, then other work may run. */
const SPANS_AT_ONCE: Record<Span, number> = { [HOUR]: 10 * 24, [DAY]: 16 }

interface Cut {
  days: ZoneDays
  step: Step | undefined
  /** The starts of packed days. */
  packed: ReadonlySet<number>
}

/**
 * A range of whole hours as slices: of days, where one fits into the range and no step begins in it, otherwise of hours.
 */
export const timeSlicesOf = (range: { start: number; end: number }, cut: Cut): TimeSlice[] => {
  const slices: TimeSlice[] = []
  for (const { from, until, ahead } of cut.days.eras) {
    for (let at = from; at < until; ) {
      const isDay = at % DAY === 0 && at + DAY <= until && !isSplit({ at, ahead }, cut.step)
      const span = isDay ? DAY : HOUR
      const next = Math.min(at - (at % DAY) + DAY, until)
      const last = slices.at(-1)
      const isPacked = cut.packed.has(at - (at % DAY))
      const fits = last?.span === span && last.until === at && last.ahead === ahead && last.isPacked === isPacked
      // Cut at the same times whatever the range, so that cached slices serve other ranges too.
      if (fits && at % (span * SPANS_AT_ONCE[span]) !== 0) last.until = next
      else slices.push({ span, from: at, until: next, ahead, isPacked })
      at = next
    }
  }
  return slices.filter(({ from, until }) => from < range.end && until > range.start)
}

/** Whether a step begins within the day. */
function isSplit({ at, ahead }: { at: number; ahead: number }, step: Step | undefined) {
  if (step === undefined) return false
  if (step === 'hour') return true
  const first = firstDayOf(step, Math.floor((at + ahead) / DAY))
  const last = firstDayOf(step, Math.floor((at + DAY - HOUR + ahead) / DAY))
  return first !== last
}

/** When the steps of a range begin. */
export const stepsOf = ({ start, end }: { start: number; end: number }, days: ZoneDays, step: Step): number[] => {
  if (step === 'hour') return Array.from({ length: (end - start) / HOUR }, (_, hour) => start + hour * HOUR)
  const firsts = new Set<number>()
  for (let day = days.dayOf(start); day <= days.dayOf(end - HOUR); day++) firsts.add(firstDayOf(step, day))
  return [...firsts].map((day) => days.beginOf(day))
}
