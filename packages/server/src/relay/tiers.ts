import { lotsOf, type RoutingPolicy, type RoutingRules, ruleFor } from '@tollgate/contract'
import type { Price, PriceBook } from '../catalog/prices.ts'
import type { Choice, PriorityTier, Route, Snapshot } from '../catalog/snapshot.ts'
import type { CachedAt } from './affinity.ts'
import { laneFindings } from './lanes/lanes.ts'

/** What a call wants of the channels. */
export interface Wanted {
  groups: readonly string[]
  model: string
  /** Whether the channel's vendor can answer this kind of call. */
  suits(route: Route): boolean
  /** The kind of call on which that depends; what is known of a kind need not be found out for each call. */
  kind?: string
  /** How to choose where it is not in the order of old, and what models cost; absent where nobody has said anything. */
  policies?: Policies
  /** The conversation that it belongs to, where its calls stay together. */
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

/** The tiers that a call passes, from top to bottom: those of each of its groups, as the group's policy has them. */
export const tiersFor = (snapshot: Snapshot, { groups, model, policies }: Wanted): Tier[] =>
  groups.flatMap((group) => {
    const offered = snapshot.offers(group, model)
    const policy = policies === undefined ? 'in_order' : (ruleFor(policies.rules, group, model)?.policy ?? 'in_order')
    const ordered = policy === 'cheapest' && policies ? cheapestFirst(offered, model, policies.prices) : offered
    return ordered.map((choices) => ({ choices, policy }))
  })

const cheapest = new WeakMap<readonly PriorityTier[], { prices: PriceBook; tiers: readonly PriorityTier[] }>()

/** The cheaper one first, and by priority where prices are the same. Sorted once, until channels or prices change. */
const cheapestFirst = (tiers: readonly PriorityTier[], model: string, prices: PriceBook) => {
  const known = cheapest.get(tiers)
  if (known?.prices === prices) return known.tiers
  const sorted = byPrice(tiers, ({ route }) => usualPrice(prices(route.mapping.get(model) ?? model, route.type)))
  cheapest.set(tiers, { prices, tiers: sorted })
  return sorted
}

/** Of a usual call, which reads several times as much as it writes. */
const usualPrice = ({ rates }: Price) => rates.input * 3n + rates.output

const byPrice = (tiers: readonly PriorityTier[], priceOf: (choice: Choice) => bigint): PriorityTier[] => {
  const priced = tiers.flatMap((tier, level) => tier.map((choice) => ({ choice, level, price: priceOf(choice) })))
  // A stable sort: equal prices stay in the order of their priorities.
  priced.sort((one, other) => (one.price < other.price ? -1 : one.price > other.price ? 1 : 0))
  return [...Map.groupBy(priced, ({ price, level }) => `${price} ${level}`).values()].map((some) =>
    some.map(({ choice }) => choice),
  )
}

/** A tier as one kind of call sees it. */
export interface SuitedTier {
  suited: PriorityTier
  unsuited: PriorityTier
  /** How many lots there are up to and including each of those that suit. */
  lots: Float64Array
}

const known = new WeakMap<PriorityTier, Map<string, { findings: number; tier: SuitedTier }>>()

/** Who of a tier can answer the call. Found out once for a kind of call: a tier may have hundreds of channels. */
export const suitedTier = (choices: PriorityTier, { kind, suits }: Pick<Wanted, 'kind' | 'suits'>): SuitedTier => {
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

function divided(choices: PriorityTier, suits: Wanted['suits']): SuitedTier {
  const suited = choices.filter(({ route }) => suits(route))
  const unsuited = suited.length === choices.length ? NOBODY : choices.filter(({ route }) => !suits(route))
  return { suited, unsuited, lots: summedLots(suited) }
}

const NOBODY: PriorityTier = []

/** How many lots there are up to and including each. */
export const summedLots = (choices: PriorityTier) => {
  const lots = new Float64Array(choices.length)
  let weights = 0
  for (const { route } of choices) weights += route.weight
  let sum = 0
  choices.forEach(({ route }, index) => {
    sum += lotsOf(route.weight, weights)
    lots[index] = sum
  })
  return lots
}

/** One of them, each as likely as it has lots. */
export const drawOne = (choices: PriorityTier, lots: Float64Array, random: () => number): Choice | undefined => {
  const lot = random() * (lots.at(-1) ?? 0)
  let [from, to] = [0, choices.length - 1]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((lots[middle] ?? 0) > lot) to = middle
    else from = middle + 1
  }
  return choices[from]
}
