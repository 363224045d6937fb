import type { Step } from '@tollgate/contract'
import { DAY, HOUR } from '../common/time-units.ts'
import { EIGHT_HOURS, FOUR_DAYS, firstDayOf, SIXTEEN_DAYS, type ZoneDays } from './zone-time.ts'

/** The spans of time for which there are sums. */
export type Span = typeof HOUR | typeof EIGHT_HOURS | typeof DAY | typeof FOUR_DAYS | typeof SIXTEEN_DAYS

/** A part of a range that one statement reads: from the sums of one span. */
export interface TimeSlice {
  span: Span
  from: number
  until: number
  /** How far the zone's clock is ahead of UTC. */
  ahead: number
  /** Whether all of its days are also packed. */
  isPacked: boolean
}

/** An embedded database blocks everything while it reads: this many spans at once, then other work may run. */
const SPANS_AT_ONCE: Record<Span, number> = {
  [HOUR]: 10 * 24,
  [EIGHT_HOURS]: 16 * 3,
  [DAY]: 16,
  [FOUR_DAYS]: 1,
  [SIXTEEN_DAYS]: 1,
}

interface Cut {
  days: ZoneDays
  step: Step | undefined
  rolledUp: RolledUp
}

/** The starts of sums over more than a day. Where there are sums of four days, there are sums of eight hours as well. */
export type RolledUp = Record<typeof FOUR_DAYS | typeof SIXTEEN_DAYS, ReadonlySet<number>> & {
  /** The starts of four days that are packed. */
  packed: ReadonlySet<number>
}

export const NOTHING_ROLLED_UP: RolledUp = { [FOUR_DAYS]: new Set(), [SIXTEEN_DAYS]: new Set(), packed: new Set() }

/**
 * A range of whole hours as slices, each of the longest span that fits into the range and in which no step begins.
 */
export const timeSlicesOf = (range: { start: number; end: number }, cut: Cut): TimeSlice[] => {
  const slices: TimeSlice[] = []
  for (const { from, until, ahead } of cut.days.eras) {
    for (let at = from; at < until; ) {
      const span = spanAt(at, { until, ahead }, cut)
      const next = span === HOUR ? Math.min(at - (at % DAY) + DAY, until) : at + span
      const last = slices.at(-1)
      const isPacked = isAllPacked({ at, span }, cut.rolledUp)
      const fits = last?.span === span && last.until === at && last.ahead === ahead && last.isPacked === isPacked
      // Cut at the same times whatever the range, so that cached slices serve other ranges too.
      if (fits && at % (span * SPANS_AT_ONCE[span]) !== 0) last.until = next
      else slices.push({ span, from: at, until: next, ahead, isPacked })
      at = next
    }
  }
  return slices.filter(({ from, until }) => from < range.end && until > range.start)
}

function spanAt(at: number, { until, ahead }: { until: number; ahead: number }, { step, rolledUp }: Cut): Span {
  const isWhole = (span: Span) => at % span === 0 && at + span <= until && !isSplit({ at, span, ahead }, step)
  if (rolledUp[SIXTEEN_DAYS].has(at) && isWhole(SIXTEEN_DAYS)) return SIXTEEN_DAYS
  if (rolledUp[FOUR_DAYS].has(at) && isWhole(FOUR_DAYS)) return FOUR_DAYS
  if (isWhole(DAY)) return DAY
  // In other zones eight hours cover only part of a day, and reading its two ends separately takes longer than reading its hours.
  const hasEightHours = ahead % EIGHT_HOURS === 0 && rolledUp[FOUR_DAYS].has(at - (at % FOUR_DAYS))
  return hasEightHours && isWhole(EIGHT_HOURS) ? EIGHT_HOURS : HOUR
}

function isAllPacked({ at, span }: { at: number; span: Span }, { packed }: RolledUp) {
  for (let start = at - (at % FOUR_DAYS); start < at + span; start += FOUR_DAYS) if (!packed.has(start)) return false
  return true
}

/** Whether a step begins within this time. */
function isSplit({ at, span, ahead }: { at: number; span: Span; ahead: number }, step: Step | undefined) {
  if (step === undefined) return false
  if (step === 'hour') return true
  const first = firstDayOf(step, Math.floor((at + ahead) / DAY))
  const last = firstDayOf(step, Math.floor((at + span - HOUR + ahead) / DAY))
  return first !== last
}

/** When the steps of a range begin. */
export const stepsOf = ({ start, end }: { start: number; end: number }, days: ZoneDays, step: Step): number[] => {
  if (step === 'hour') return Array.from({ length: (end - start) / HOUR }, (_, hour) => start + hour * HOUR)
  const firsts = new Set<number>()
  for (let day = days.dayOf(start); day <= days.dayOf(end - HOUR); day++) firsts.add(firstDayOf(step, day))
  return [...firsts].map((day) => days.beginOf(day))
}
