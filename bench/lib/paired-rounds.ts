/** What one thing costs against another, by many short rounds of both. */
export interface Paired {
  /** By how much the second costs more, as a share of the first: the median of all rounds. */
  share: number
  /** Half of the rounds lie between these two. */
  quartiles: [number, number]
  /** What each costs in its median round. */
  first: number
  second: number
  /** And by how much more the second costs in the tenth of the rounds in which the machine was quietest. */
  quietShare: number
}

/**
 * Both in turns, each second time the other way round, and each round compared with its own neighbour: what else a machine
 * does slows neighbours alike, and the median does not care for a round in which it did not.
 */
export async function pairedRounds(
  rounds: number,
  first: () => Promise<number>,
  second: () => Promise<number>,
): Promise<Paired> {
  const pairs: { first: number; second: number }[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) pairs.push({ first: await first(), second: await second() })
    else pairs.push(turned({ first: await second(), second: await first() }))
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

const turned = ({ first, second }: { first: number; second: number }) => ({ first: second, second: first })

function quantile(values: readonly number[], share: number) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (sorted.length - 1) * share
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return below + (above - below) * (at - Math.floor(at))
}
