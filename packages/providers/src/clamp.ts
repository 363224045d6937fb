/** Some vendors refuse values outside their range that others accept. */
export const clamp = (value: number | undefined, [min, max]: [number, number]) =>
  value === undefined ? undefined : Math.min(max, Math.max(min, value))
