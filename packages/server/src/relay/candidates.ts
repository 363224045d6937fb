import type { Choice, Route, Snapshot } from '../catalog/snapshot.ts'
import type { Health, Lease } from '../upstream/health.ts'

/** Why a channel was not considered. */
export interface Exclusion {
  channel: number
  name: string
  excluded: string
}

/** A channel that is this call's to try, until the lease ends. */
export interface Candidate extends Choice {
  lease: Lease
}

export interface Candidates {
  /** The next channel to try, with the group whose price applies; undefined when none is left. */
  next(): Candidate | undefined
  /** What was considered, in order, and what was not and why. */
  explain(): {
    considered: { channel: number; name: string; group: string; priority: number; weight: number }[]
    excluded: Exclusion[]
  }
}

export const UNSUITED = 'does not support this operation'

interface Wanted {
  groups: readonly string[]
  model: string
  /** Whether the channel's vendor can answer this kind of call. */
  suits(route: Route): boolean
}

/**
 * The channels that may answer a call, best first: the user's groups in their order, in a group the highest priority,
 * in a tier by weighted chance. None is given twice. A weight of 0 beside positive ones waits until those have failed.
 */
export const findCandidates = (
  snapshot: Snapshot,
  health: Health,
  wanted: Wanted,
  random = Math.random,
): Candidates => {
  const excluded: Exclusion[] = []
  const tiers = wanted.groups.flatMap((group) => snapshot.offers(group, wanted.model))
  const seen = new Set<number>()

  const usable = ({ route }: Choice) => {
    if (seen.has(route.id)) return false
    const reason = wanted.suits(route) ? health.closedBecause(route.id) : UNSUITED
    if (reason === undefined) return true
    if (!excluded.some(({ channel }) => channel === route.id)) {
      excluded.push({ channel: route.id, name: route.name, excluded: reason })
    }
    return false
  }

  return {
    next() {
      for (const tier of tiers) {
        const choice = draw(tier.filter(usable), random)
        if (choice === undefined) continue
        seen.add(choice.route.id)
        return { ...choice, lease: health.take(choice.route.id) }
      }
      return undefined
    },
    explain: () => ({
      considered: tiers.flat().map(({ route, group }) => ({
        channel: route.id,
        name: route.name,
        group,
        priority: route.priority,
        weight: route.weight,
      })),
      excluded,
    }),
  }
}

/** A weighted draw; when all weights are 0, each is as likely as the other. */
function draw(choices: readonly Choice[], random: () => number): Choice | undefined {
  if (choices.length < 2) return choices[0]
  const total = choices.reduce((sum, { route }) => sum + route.weight, 0)
  if (total === 0) return choices[Math.floor(random() * choices.length)]
  let rest = random() * total
  for (const choice of choices) {
    rest -= choice.route.weight
    if (rest < 0 && choice.route.weight > 0) return choice
  }
  return choices.find(({ route }) => route.weight > 0)
}
