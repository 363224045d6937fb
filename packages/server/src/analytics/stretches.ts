import type { Step } from '@tollgate/contract'
import { DAY, firstDayOf, HOUR, type ZoneDays } from './zone-time.ts'

/** A part of a range that one statement reads: from the sums of days or of hours. */
export interface Stretch {
  span: typeof HOUR | typeof DAY
  from: number
  until: number
  /** How far the zone's clock is ahead of UTC. */
  ahead: number
}

/** An embedded database holds everything up while it reads: so many spans at once, and then others get their turn. */
const SPANS_AT_ONCE = { [HOUR]: 10 * 24, [DAY]: 16 }

/**
 * A range of whole hours as stretches. A day of UTC is read from the sums of days, where it is in the range as a whole and no
 * step begins in its middle; everything else by the hour.
 */
export const stretchesOf = (
  range: { start: number; end: number },
  days: ZoneDays,
  step: Step | undefined,
): Stretch[] => {
  const stretches: Stretch[] = []
  for (const { from, until, ahead } of days.eras) {
    for (let at = from; at < until; ) {
      const midnight = at - (at % DAY)
      const next = Math.min(midnight + DAY, until)
      const isWhole = at === midnight && next === midnight + DAY
      const span = isWhole && !isSplit(midnight, ahead, step) ? DAY : HOUR
      const last = stretches.at(-1)
      const fits = last?.span === span && last.until === at && last.ahead === ahead
      // Cut at the same times whatever the range, so that what is known of one is of use for the next.
      if (fits && at % (span * SPANS_AT_ONCE[span]) !== 0) last.until = next
      else stretches.push({ span, from: at, until: next, ahead })
      at = next
    }
  }
  return stretches.filter(({ from, until }) => from < range.end && until > range.start)
}

/** Whether a step begins within this day of UTC. */
function isSplit(midnight: number, ahead: number, step: Step | undefined) {
  if (step === undefined) return false
  if (step === 'hour') return true
  const first = firstDayOf(step, Math.floor((midnight + ahead) / DAY))
  const last = firstDayOf(step, Math.floor((midnight + DAY - HOUR + ahead) / DAY))
  return first !== last
}

/** When the steps of a range begin. */
export const stepsOf = ({ start, end }: { start: number; end: number }, days: ZoneDays, step: Step): number[] => {
  if (step === 'hour') return Array.from({ length: (end - start) / HOUR }, (_, hour) => start + hour * HOUR)
  const firsts = new Set<number>()
  for (let day = days.dayOf(start); day <= days.dayOf(end - HOUR); day++) firsts.add(firstDayOf(step, day))
  return [...firsts].map((day) => days.beginOf(day))
}
