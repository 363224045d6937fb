import { HOUR } from '../common/time-units.ts'

export const HOURS_OF_DAY = 24

/** Hours of a day that belong to the same step. */
export interface Stretch {
  from: number
  until: number
  time: number
}

/** What counts until an hour adds to this step, or is no part of it. */
export interface Signed {
  time: number
  sign: 1 | -1
}

/** The hours of a day of UTC by the step that they belong to; those without a time are in none. */
export function stretchesOf(day: number, timeOf: (hour: number) => number | undefined): Stretch[] {
  const stretches: Stretch[] = []
  for (let hour = 0; hour < HOURS_OF_DAY; hour++) {
    const time = timeOf(day + hour * HOUR)
    const last = stretches.at(-1)
    if (time === undefined) continue
    if (last?.time === time && last.until === hour) last.until = hour + 1
    else stretches.push({ from: hour, until: hour + 1, time })
  }
  return stretches
}

/** The hours until which packs have to be read: each stretch is the difference of two. */
export const hoursOf = (stretches: readonly Stretch[]): number[] => {
  const hours = new Set(stretches.flatMap(({ from, until }) => (from === 0 ? [until] : [from, until])))
  return [...hours].sort((one, other) => one - other)
}

/** What was counted until this hour is part of the stretch that ends then, and not of the one that begins. */
export const signedAt = (hour: number, stretches: readonly Stretch[]): Signed[] =>
  stretches.flatMap(({ from, until, time }): Signed[] => [
    ...(until === hour ? [{ time, sign: 1 } as const] : []),
    ...(from === hour ? [{ time, sign: -1 } as const] : []),
  ])
