/**
 * How many lots a channel has when one of its level is drawn; `weights` is the sum of all of them. A weight of 0 beside
 * positive ones waits until those have failed; where all are 0, each is as likely as the other.
 */
export const lotsOf = (weight: number, weights: number) => (weights === 0 ? 1 : weight)

/** Which share of the calls that reach a level each of its channels gets first. They add up to 1. */
export const sharesByWeight = (weights: readonly number[]): number[] => {
  const { lots, all } = allLots(weights)
  return lots.map((count) => count / all)
}

/**
 * The same where two are drawn, of all of them each time, and the one with the lower score is taken. Who does worst is still
 * taken where it is drawn twice, so that it is noticed when it does better.
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

function allLots(weights: readonly number[]) {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const lots = weights.map((weight) => lotsOf(weight, sum))
  return { lots, all: sum === 0 ? lots.length : sum }
}
