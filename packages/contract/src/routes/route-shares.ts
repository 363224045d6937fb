/**
 * The weight of a channel in the random choice within its level; `weights` is their sum. A weight of 0 beside positive ones waits until
 * those have failed; when all are 0, all are equally likely.
 */
export const drawWeight = (weight: number, weights: number) => (weights === 0 ? 1 : weight)

/** The share of a level's calls for which each channel is tried first. They add up to 1. */
export const sharesByWeight = (weights: readonly number[]): number[] => {
  const { effective, total } = effectiveWeights(weights)
  return effective.map((weight) => weight / total)
}

/**
 * The same when two channels are drawn with replacement and the one with the lower score is taken. The worst is still
 * taken when drawn twice, so that its recovery is noticed.
 */
export const sharesOfTwo = (weights: readonly number[], scores: readonly number[]): number[] => {
  const chances = sharesByWeight(weights)
  const shares = chances.map(() => 0)
  chances.forEach((one, first) => {
    chances.forEach((other, second) => {
      const winner = (scores[second] ?? 0) < (scores[first] ?? 0) ? second : first
      shares[winner] = (shares[winner] ?? 0) + one * other
    })
  })
  return shares
}

function effectiveWeights(weights: readonly number[]) {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const effective = weights.map((weight) => drawWeight(weight, sum))
  return { effective, total: sum === 0 ? effective.length : sum }
}
