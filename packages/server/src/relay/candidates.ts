import type { Choice, PriorityTier, Route, Snapshot } from '../catalog/snapshot.ts'
import { candidatesText, type Exclusion, tierText } from '../logs/call-detail.ts'
import type { Health } from '../upstream/health.ts'
import type { Lease } from '../upstream/lease.ts'
import { cumulativeWeights, drawOne, type RoutingQuery, suitedTier, type Tier, tiersFor } from './tiers.ts'

/** A channel that this call may try, until the lease ends. */
export interface Candidate extends Choice {
  lease: Lease
}

export interface Candidates {
  /** The next channel to try, with the group whose price applies; undefined when none is left. */
  next(): Candidate | undefined
  /** The candidate could not be used after all. */
  passOver(choice: Choice, reason: string): void
  /** The budget of the choice's group is spent: from now on only channels of the other groups, among them perhaps this one. */
  leaveGroup(choice: Choice): void
  /** This channel answers the call. */
  answered(route: Route): void
  /** The pool key that has the conversation's prompt cached, if any. */
  keyOf(route: Route): number | undefined
  /** Whether any channel offers the model, and the skipped ones with the reason. */
  explain(): { offered: boolean; excluded: Exclusion[] }
  /** All candidates in order and why some were skipped, as JSON for the log. */
  logged(): string
}

export const UNSUPPORTED_OPERATION = 'does not support this operation'
export const FILES_ELSEWHERE = 'does not have the files of the call'
export const PRICE_NOT_COVERED = 'the balance or a budget does not cover its price'
export const BUDGET_SPENT = 'its budget is used up'
export const GROUP_BUDGET_SPENT = 'the budget of its group is used up'
export const NO_USABLE_KEY = 'no key can be used now'

/** Why a channel is skipped now; undefined when it may be used. */
export const skipReason = (
  { route, group }: Choice,
  wanted: Pick<RoutingQuery, 'suits' | 'model' | 'spentGroups'>,
  health: Pick<Health, 'closedBecause'>,
) => {
  if (!wanted.suits(route)) return UNSUPPORTED_OPERATION
  return wanted.spentGroups?.has(group) ? GROUP_BUDGET_SPENT : health.closedBecause(route.id, wanted.model)
}

/**
 * The channels that may answer a call, best first: the user's groups in their order, in a group the highest priority, in a tier by
 * weighted random choice. Each is returned once. A weight of 0 beside positive ones waits until those have failed.
 */
export const findCandidates = (
  snapshot: Snapshot,
  health: Pick<Health, 'closed' | 'take' | 'score'>,
  wanted: RoutingQuery,
  random = Math.random,
): Candidates => {
  const excluded = new Map<number, Exclusion>()
  const tiers = tiersFor(snapshot, wanted)
  const seen = new Set<number>()
  const left = new Set(wanted.spentGroups)
  let kept: number | undefined

  const passOver = ({ route }: Choice, reason: string) => {
    if (!excluded.has(route.id)) excluded.set(route.id, { channel: route.id, name: route.name, excluded: reason })
  }

  const draw = ({ policy }: Tier, choices: PriorityTier, cumulative: Float64Array) => {
    const one = drawOne(choices, cumulative, random)
    if (policy !== 'balanced' || one === undefined || choices.length < 2) return one
    const other = drawOne(choices, cumulative, random) ?? one
    return health.score(other.route.id) < health.score(one.route.id) ? other : one
  }

  /** The channel that has the conversation's prompt cached, if it could be drawn now. */
  const keptIn = (suited: PriorityTier, cumulative: Float64Array, closed: ReadonlyMap<number, string>) => {
    const channel = wanted.affinity?.cachedAt?.channel
    if (channel === undefined || seen.size > 0 || closed.has(channel)) return undefined
    const at = suited.findIndex(({ route }) => route.id === channel)
    const own = suited[at]
    const hasWeight = (cumulative[at] ?? 0) > (cumulative[at - 1] ?? 0)
    if (own === undefined || !hasWeight) return undefined
    kept = channel
    return own
  }

  const drawFrom = (tier: Tier) => {
    const { suited, unsuited, cumulative } = suitedTier(tier.choices, wanted)
    for (const choice of unsuited) passOver(choice, UNSUPPORTED_OPERATION)
    const closed = health.closed(wanted.model)
    const own = keptIn(suited, cumulative, closed)
    if (own !== undefined) return own
    // The common case: nothing has to be filtered.
    if (seen.size === 0 && closed.size === 0) return draw(tier, suited, cumulative)
    const usable: Choice[] = []
    for (const choice of suited) {
      if (seen.has(choice.route.id)) continue
      const reason = closed.get(choice.route.id)
      if (reason === undefined) usable.push(choice)
      else passOver(choice, reason)
    }
    return draw(tier, usable, usable.length < 2 ? NO_WEIGHTS : cumulativeWeights(usable))
  }

  const isLeft = (tier: Tier) => left.size > 0 && left.has(groupOf(tier))
  const logOrder = () =>
    left.size === 0 ? tiers : tiers.toSorted((one, other) => Number(isLeft(one)) - Number(isLeft(other)))

  const exclusions = () => {
    if (left.size === 0) return [...excluded.values()]
    const open = tiers.filter((tier) => !isLeft(tier))
    const inOtherGroup = new Set(open.flatMap(({ choices }) => choices.map(({ route }) => route.id)))
    for (const choice of tiers.filter(isLeft).flatMap(({ choices }) => choices)) {
      if (!inOtherGroup.has(choice.route.id)) passOver(choice, GROUP_BUDGET_SPENT)
    }
    return [...excluded.values()]
  }

  return {
    next() {
      for (const tier of tiers) {
        if (isLeft(tier)) continue
        const choice = drawFrom(tier)
        if (choice === undefined) continue
        seen.add(choice.route.id)
        return { ...choice, lease: health.take(choice.route.id, wanted.model) }
      }
      return undefined
    },
    passOver,
    leaveGroup({ route, group }) {
      left.add(group)
      seen.delete(route.id)
    },
    answered: ({ id, poolKey }) => wanted.affinity?.keep({ channel: id, key: poolKey?.id }),
    keyOf({ id }) {
      const cachedAt = wanted.affinity?.cachedAt
      return cachedAt?.channel === id ? cachedAt.key : undefined
    },
    explain: () => ({ offered: tiers.length > 0, excluded: exclusions() }),
    logged: () =>
      candidatesText(
        logOrder().map(({ choices, policy }, index) => ({
          text: textOf(choices),
          ...(policy === 'cheapest' && { level: index + 1 }),
        })),
        {
          excluded: exclusions(),
          ...(tiers[0] !== undefined && tiers[0].policy !== 'in_order' && { policy: tiers[0].policy }),
          ...(kept !== undefined && { kept }),
        },
      ),
  }
}

const groupOf = ({ choices }: Tier) => choices[0]?.group ?? ''

const texts = new WeakMap<PriorityTier, string>()

/** Written once, until channels change: a tier may have hundreds of channels. */
const textOf = (choices: PriorityTier) => {
  const known = texts.get(choices)
  if (known !== undefined) return known
  const text = tierText(
    choices[0]?.group ?? '',
    choices.map(({ route }) => route),
  )
  texts.set(choices, text)
  return text
}

const NO_WEIGHTS = new Float64Array(0)
