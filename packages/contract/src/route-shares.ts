/**
 * How many lots a channel has when one of its level is drawn; `weights` is the sum of all of them. A weight of 0 beside
 * positive ones waits until those have failed; where all are 0, each is as likely as the other.
 */
export const lotsOf = (weight: number, weights: number) => (weights === 0 ? 1 : weight)

/** Which share of the calls that reach a level each of its channels gets first. They add up to 1. */
export const sharesByWeight = (weights: readonly number[]): number[] => {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const lots = weights.map((weight) => lotsOf(weight, sum))
  const all = sum === 0 ? lots.length : sum
  return lots.map((count) => count / all)
}
