const DAY = 86_400

/** What was spent on which day, the oldest first; the last one is today. Days begin in UTC, as they are counted. */
export const daysOfSpend = (spend: readonly number[], now: number) =>
  spend.map((quota, index) => ({
    day: new Date((now - (spend.length - 1 - index) * DAY) * 1000).toISOString().slice(5, 10),
    quota,
  }))
