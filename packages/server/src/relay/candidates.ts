import { lotsOf } from '@tollgate/contract'
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
  /** It was given, and could not be used after all. */
  passOver(choice: Choice, reason: string): void
  /** What was considered, in order, and what was not and why. */
  explain(): {
    considered: { channel: number; name: string; group: string; priority: number; weight: number }[]
    excluded: Exclusion[]
  }
}

export const UNSUITED = 'does not support this operation'
export const UNCOVERED = 'the balance or a budget does not cover its price'
export const BUDGET_SPENT = 'its budget is used up'

export interface Wanted {
  groups: readonly string[]
  model: string
  /** Whether the channel's vendor can answer this kind of call. */
  suits(route: Route): boolean
}

/** Why a call passes a channel over now; undefined where it may be used. */
export const whyPassedOver = (route: Route, wanted: Pick<Wanted, 'suits'>, health: Pick<Health, 'closedBecause'>) =>
  wanted.suits(route) ? health.closedBecause(route.id) : UNSUITED

/**
 * The channels that may answer a call, best first: the user's groups in their order, in a group the highest priority,
 * in a tier by weighted chance. None is given twice. A weight of 0 beside positive ones waits until those have failed.
 */
export const findCandidates = (
  snapshot: Snapshot,
  health: Pick<Health, 'closedBecause' | 'take'>,
  wanted: Wanted,
  random = Math.random,
): Candidates => {
  const excluded: Exclusion[] = []
  const tiers = wanted.groups.flatMap((group) => snapshot.offers(group, wanted.model))
  const seen = new Set<number>()

  const passOver = ({ route }: Choice, reason: string) => {
    if (excluded.some(({ channel }) => channel === route.id)) return
    excluded.push({ channel: route.id, name: route.name, excluded: reason })
  }

  const usable = (choice: Choice) => {
    if (seen.has(choice.route.id)) return false
    const reason = whyPassedOver(choice.route, wanted, health)
    if (reason !== undefined) passOver(choice, reason)
    return reason === undefined
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
    passOver,
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

/** Each has as many chances as it has lots. */
function draw(choices: readonly Choice[], random: () => number): Choice | undefined {
  if (choices.length < 2) return choices[0]
  let weights = 0
  for (const { route } of choices) weights += route.weight
  let rest = random() * (weights === 0 ? choices.length : weights)
  for (const choice of choices) {
    rest -= lotsOf(choice.route.weight, weights)
    if (rest < 0) return choice
  }
  // The sum and the differences of weights as great as they may be are rounded differently.
  return choices.findLast(({ route }) => lotsOf(route.weight, weights) > 0)
}
