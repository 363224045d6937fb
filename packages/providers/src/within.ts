/** Outside of its range a number is an error at some vendors, and a fair wish at others. */
export const within = (value: number | undefined, [min, max]: [number, number]) =>
  value === undefined ? undefined : Math.min(max, Math.max(min, value))
