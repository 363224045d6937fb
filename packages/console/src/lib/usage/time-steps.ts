import { STEPS, STEPS_MAX, type Step } from '@tollgate/contract'
import { clockIn, dayIn } from '../format/zone.ts'
import type { Days } from './time-range.ts'

const DAYS_OF: Record<Step, number> = { hour: 1 / 24, day: 1, week: 7, month: 31 }

/** Possible step sizes: none longer than the range, and not too many steps. */
export const possibleSteps = ({ first, last }: Days): Step[] => {
  const days = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1
  return STEPS.filter((step) => days / DAYS_OF[step] <= STEPS_MAX && days >= DAYS_OF[step])
}

interface Shown {
  step: Step | null
  zone: string
  days: Days
}

/** The label of a time on the axis, where the year and often the day are known; and in full. */
export const stepNames = (seconds: number, { step, zone, days }: Shown) => {
  const day = dayIn(zone, seconds)
  if (step === 'month') return { label: day.slice(0, 7), name: day.slice(0, 7) }
  if (step !== 'hour') return { label: day.slice(5), name: day }
  const clock = clockIn(zone, seconds)
  return { label: days.first === days.last ? clock : `${day.slice(5)} ${clock}`, name: `${day} ${clock}` }
}
