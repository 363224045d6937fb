import { commaList, type RouteReason } from '@tollgate/contract'
import type { SpentBudgets } from '../budgets/spent-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { PriceBook } from '../catalog/prices.ts'
import type { Route, Snapshot } from '../catalog/snapshot.ts'
import type { OptionsService } from '../options/options-service.ts'
import { BUDGET_SPENT, GROUP_BUDGET_SPENT, UNSUPPORTED_OPERATION } from '../relay/candidates.ts'
import { suitsAt } from '../relay/levels.ts'
import { modelBehind } from '../relay/models/aliases.ts'
import type { RoutingQuery } from '../relay/tiers.ts'
import { ASKED_TO_WAIT, RATE_LIMITED } from '../upstream/cooldowns.ts'
import type { Health } from '../upstream/health.ts'
import { ALL_KEYS_COOLING, ALL_KEYS_SET_ASIDE } from '../upstream/pool-state.ts'

/** A query: the calls of a group for a model, of one kind or of any. */
export interface RouteQuery {
  group: string
  model: string
  path?: string
}

/** How the relay would route such calls: the groups in their order, and the target of an alias. */
export const routingQueryOf = (
  { group, model: name, path = '' }: RouteQuery,
  { options, snapshot, prices }: { options: OptionsService; snapshot: Snapshot; prices: PriceBook },
): RoutingQuery => {
  const groups = commaList(group)
  const isOffered = (model: string) => groups.some((one) => snapshot.offers(one, model).length > 0)
  const model = modelBehind(name, options.values().ModelAliases, isOffered)
  const policies = { rules: options.values().RoutingPolicies, prices }
  return { groups, model, suits: suitsAt(path, model), policies }
}

/** The channels as stored, even if just changed. */
export const freshSnapshot = async (catalog: CatalogService) => {
  await catalog.reload()
  return catalog.snapshot()
}

/** The query and the health including exhausted budgets, which calls only notice at their hold. */
export const withBudgets = (wanted: RoutingQuery, health: Health, { channels, groups }: SpentBudgets) => ({
  wanted: { ...wanted, spentGroups: new Set(groups.keys()) },
  health: withSpent(health, channels),
})

const withSpent = (health: Health, spent: SpentBudgets['channels']): Health =>
  spent.size === 0
    ? health
    : {
        ...health,
        closed: (model) =>
          new Map([...health.closed(model), ...[...spent.keys()].map((channel) => [channel, BUDGET_SPENT] as const)]),
        closedBecause: (channel, model) => (spent.has(channel) ? BUDGET_SPENT : health.closedBecause(channel, model)),
      }

/** Why a channel is in no level of these groups; undefined when it is in one, or does not have the model. */
export const exclusionReason = (route: Route, { groups, model }: RoutingQuery): RouteReason | undefined => {
  if (!route.models.has(model)) return undefined
  if (!groups.some((group) => route.groups.has(group))) return 'other_group'
  if (route.status !== 1) return route.status === 2 ? 'disabled' : 'auto_disabled'
  return undefined
}

/** Maps the log's reason for skipping a channel to a code. */
export const reasonOf = (passedOver: string, route: Route): RouteReason => {
  if (passedOver === UNSUPPORTED_OPERATION) return route.provider === undefined ? 'unsupported_type' : 'unsuited'
  const reason = REASONS.get(passedOver)
  if (reason === undefined) throw new Error(`A reason that nobody has words for: ${passedOver}`)
  return reason
}

const REASONS = new Map<string, RouteReason | undefined>([
  [RATE_LIMITED, 'rate_limited'],
  [ASKED_TO_WAIT, 'asked_to_wait'],
  [BUDGET_SPENT, 'budget_spent'],
  [GROUP_BUDGET_SPENT, 'group_budget_spent'],
  [ALL_KEYS_COOLING, 'keys_cooling'],
  [ALL_KEYS_SET_ASIDE, 'keys_out'],
])
