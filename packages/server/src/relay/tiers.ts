import { drawWeight, type RoutingPolicy, type RoutingRules, ruleFor } from '@tollgate/contract'
import type { Price, PriceBook } from '../catalog/prices.ts'
import type { Choice, PriorityTier, Route, Snapshot } from '../catalog/snapshot.ts'
import type { CachedAt } from './affinity.ts'
import { laneFindings } from './lanes/lanes.ts'

/** What a call requires of channels. */
export interface RoutingQuery {
  groups: readonly string[]
  model: string
  /** Whether the channel's vendor can answer this kind of call. */
  suits(route: Route): boolean
  /** The kind of call on which that depends, used as a cache key. */
  kind?: string
  /** Routing policies and prices, if not the default; absent when no rule is set. */
  policies?: Policies
  /** Groups whose budget is known to be spent; a call notices it at its hold. */
  spentGroups?: ReadonlySet<string>
  /** The conversation, if its calls stay together. */
  affinity?: { cachedAt: CachedAt | undefined; keep(at: CachedAt): void } | undefined
}

export interface Policies {
  rules: RoutingRules
  prices: PriceBook
}

/** Channels among which a call draws, after those above have failed. */
export interface Tier {
  choices: PriorityTier
  policy: RoutingPolicy
}

/** The tiers of a call, from top to bottom: those of each of its groups, ordered by the group's policy. */
export const tiersFor = (snapshot: Snapshot, { groups, model, policies }: RoutingQuery): Tier[] =>
  groups.flatMap((group) => {
    const offered = snapshot.offers(group, model)
    const policy = policies === undefined ? 'in_order' : (ruleFor(policies.rules, group, model)?.policy ?? 'in_order')
    const ordered = policy === 'cheapest' && policies ? cheapestFirst(offered, model, policies.prices) : offered
    return ordered.map((choices) => ({ choices, policy }))
  })

const cheapest = new WeakMap<readonly PriorityTier[], { prices: PriceBook; tiers: readonly PriorityTier[] }>()

/** The cheapest first, and by priority for equal prices. Sorted once, until channels or prices change. */
const cheapestFirst = (tiers: readonly PriorityTier[], model: string, prices: PriceBook) => {
  const known = cheapest.get(tiers)
  if (known?.prices === prices) return known.tiers
  const sorted = byPrice(tiers, ({ route }) => usualPrice(prices(route.mapping.get(model) ?? model, route.type)))
  cheapest.set(tiers, { prices, tiers: sorted })
  return sorted
}

/** For a typical call, which reads several times as much as it writes. */
const usualPrice = ({ rates }: Price) => rates.input * 3n + rates.output

const byPrice = (tiers: readonly PriorityTier[], priceOf: (choice: Choice) => bigint): PriorityTier[] => {
  const priced = tiers.flatMap((tier, level) => tier.map((choice) => ({ choice, level, price: priceOf(choice) })))
  // A stable sort: equal prices stay in the order of their priorities.
  priced.sort((one, other) => (one.price < other.price ? -1 : one.price > other.price ? 1 : 0))
  return [...Map.groupBy(priced, ({ price, level }) => `${price} ${level}`).values()].map((some) =>
    some.map(({ choice }) => choice),
  )
}

/** A tier restricted to one kind of call. */
export interface SuitedTier {
  suited: PriorityTier
  unsuited: PriorityTier
  /** Cumulative weights of the suitable channels. */
  cumulative: Float64Array
}

const known = new WeakMap<PriorityTier, Map<string, { findings: number; tier: SuitedTier }>>()

/** Which channels of a tier can answer the call, computed once per kind: a tier may have hundreds of channels. */
export const suitedTier = (
  choices: PriorityTier,
  { kind, suits }: Pick<RoutingQuery, 'kind' | 'suits'>,
): SuitedTier => {
  if (kind === undefined) return divided(choices, suits)
  const kinds = known.get(choices) ?? new Map<string, { findings: number; tier: SuitedTier }>()
  known.set(choices, kinds)
  const findings = laneFindings()
  const found = kinds.get(kind)
  if (found?.findings === findings) return found.tier
  const tier = divided(choices, suits)
  kinds.set(kind, { findings, tier })
  return tier
}

function divided(choices: PriorityTier, suits: RoutingQuery['suits']): SuitedTier {
  const suited = choices.filter(({ route }) => suits(route))
  const unsuited = suited.length === choices.length ? NOBODY : choices.filter(({ route }) => !suits(route))
  return { suited, unsuited, cumulative: cumulativeWeights(suited) }
}

const NOBODY: PriorityTier = []

/** Cumulative weights. */
export const cumulativeWeights = (choices: PriorityTier) => {
  const cumulative = new Float64Array(choices.length)
  let weights = 0
  for (const { route } of choices) weights += route.weight
  let sum = 0
  choices.forEach(({ route }, index) => {
    sum += drawWeight(route.weight, weights)
    cumulative[index] = sum
  })
  return cumulative
}

/** Draws one of them by weight. */
export const drawOne = (choices: PriorityTier, cumulative: Float64Array, random: () => number): Choice | undefined => {
  const target = random() * (cumulative.at(-1) ?? 0)
  let [from, to] = [0, choices.length - 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((cumulative[middle] ?? 0) > target) to = middle
    else from = middle + 1
  }
  return choices[from]
}
