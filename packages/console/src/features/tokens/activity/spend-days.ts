const DAY = 86_400

/** Spending per day, oldest first; the last one is today. Days are in UTC, as they are counted. */
export const daysOfSpend = (spend: readonly number[], now: number) =>
  spend.map((quota, index) => ({
    day: new Date((now - (spend.length - 1 - index) * DAY) * 1000).toISOString().slice(5, 10),
    quota,
  }))
