import { quantile } from './quantiles.ts'

/** The cost of one thing compared with another, over many short rounds of both. */
export interface Paired {
  /** The additional cost of the second, as a share of the first: the median of all rounds. */
  share: number
  /** Half of the rounds lie between these two. */
  quartiles: [number, number]
  /** What each costs in its median round. */
  first: number
  second: number
  /** The same in the tenth of the rounds in which the machine was quietest. */
  quietShare: number
}

/**
 * Measures both alternately, in reverse order every other round, and compares neighbours only: other load on the machine slows both
 * alike, and the median ignores a round in which it did not.
 */
export async function pairedRounds(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<Paired> {
  const pairs: { first: number; second: number }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ first: await first(), second: await second() })
    else pairs.push(swapped({ first: await second(), second: await first() }))
  }
  const shares = pairs.map((pair) => pair.second / pair.first - 1)
  const [firsts, seconds] = [pairs.map((pair) => pair.first), pairs.map((pair) => pair.second)]
  return {
    share: quantile(shares, 0.5),
    quartiles: [quantile(shares, 0.25), quantile(shares, 0.75)],
    first: quantile(firsts, 0.5),
    second: quantile(seconds, 0.5),
    quietShare: quantile(seconds, 0.1) / quantile(firsts, 0.1) - 1,
  }
}

const swapped = ({ first, second }: { first: number; second: number }) => ({ first: second, second: first })
