import { type RoutingPolicy, sharesByWeight, sharesOfTwo } from '@tollgate/contract'
import type { Choice, Snapshot } from '../catalog/snapshot.ts'
import type { Health } from '../upstream/health.ts'
import { skipReason } from './candidates.ts'
import { laneOf } from './lanes/lanes.ts'
import { operationAt } from './surfaces/operations.ts'
import { type RoutingQuery, tiersFor } from './tiers.ts'

/** Channels of one priority, among which a call draws. */
export interface Level {
  group: string
  priority: number
  policy: RoutingPolicy
  entries: LevelEntry[]
}

export interface LevelEntry extends Choice {
  /** Why it is skipped now; undefined when it is not. */
  passedOver: string | undefined
  /** The share of the level's calls that try it first. */
  share: number
}

/**
 * What `findCandidates` draws from, from top to bottom, for display: the same tiers, the same reasons to skip a channel and the
 * same weights. A channel of two groups appears where it is tried first, which is not in a group whose budget is spent.
 */
export const levelsOf = (
  snapshot: Snapshot,
  health: Pick<Health, 'closedBecause' | 'score'>,
  wanted: RoutingQuery,
): Level[] => {
  const seen = new Set<number>()
  const levels: Level[] = []
  const tiers = tiersFor(snapshot, wanted)
  const isSpent = ({ group }: Choice) => wanted.spentGroups?.has(group) === true
  const open = new Set(
    tiers.flatMap(({ choices }) => choices.filter((choice) => !isSpent(choice))).map(({ route }) => route.id),
  )
  for (const { choices, policy } of tiers) {
    const fresh = choices.filter(
      (choice) => !seen.has(choice.route.id) && !(isSpent(choice) && open.has(choice.route.id)),
    )
    const [first] = fresh
    if (first === undefined) continue
    for (const { route } of fresh) seen.add(route.id)
    const reasons = fresh.map((choice) => skipReason(choice, wanted, health))
    const usable = fresh.filter((_, index) => reasons[index] === undefined)
    const weights = usable.map(({ route }) => route.weight)
    const scores = usable.map(({ route }) => health.score(route.id))
    const shares = policy === 'balanced' ? sharesOfTwo(weights, scores) : sharesByWeight(weights)
    const shareOf = new Map(usable.map(({ route }, index) => [route.id, shares[index] ?? 0]))
    levels.push({
      group: first.group,
      priority: first.route.priority,
      policy,
      entries: fresh.map((choice, index) => ({
        ...choice,
        passedOver: reasons[index],
        share: shareOf.get(choice.route.id) ?? 0,
      })),
    })
  }
  return levels
}

/** Which channels can answer a call at a path; an empty path means any call. */
export const suitsAt = (path: string, model: string): RoutingQuery['suits'] => {
  const operation = operationAt(path)?.operation
  if (operation === undefined) return (route) => route.provider !== undefined
  return (route) => laneOf({ operation, model }, route) !== undefined
}
