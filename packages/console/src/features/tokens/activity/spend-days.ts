import { addDays, dayIn } from '../../../lib/format/zone.ts'

/** Spending per day of a zone, oldest first; the last one is today. */
export const daysOfSpend = (spend: readonly number[], { zone, now }: { zone: string; now: number }) =>
  spend.map((quota, index) => ({ day: addDays(dayIn(zone, now), index + 1 - spend.length).slice(5), quota }))
