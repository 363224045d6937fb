/** The value that a half, or 95 of 100, do not exceed. */
export const median = (values: readonly number[]) => at(values, 0.5)
export const p95 = (values: readonly number[]) => at(values, 0.95)

const at = (values: readonly number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
