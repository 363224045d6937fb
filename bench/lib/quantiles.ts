export const median = (values: readonly number[]) => quantile(values, 0.5)
export const p95 = (values: readonly number[]) => quantile(values, 0.95)

/** Interpolated between the two nearest values. */
export function quantile(values: readonly number[], share: number) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (sorted.length - 1) * share
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return below + (above - below) * (at - Math.floor(at))
}
