import { type RouteView, ruleFor } from '@tollgate/contract'
import type { BudgetsService } from '../budgets/budgets-service.ts'
import type { SpentBudgets } from '../budgets/spent-budgets.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { shownPrice } from '../catalog/shown-price.ts'
import type { OptionsService } from '../options/options-service.ts'
import { BUDGET_SPENT, GROUP_BUDGET_SPENT } from '../relay/candidates.ts'
import { type LevelEntry, levelsOf } from '../relay/levels.ts'
import type { Health } from '../upstream/health.ts'
import type { RouteHealth } from './route-health.ts'
import {
  exclusionReason,
  freshSnapshot,
  type RouteQuery,
  reasonOf,
  routingQueryOf,
  withBudgets,
} from './route-query.ts'

interface Needs {
  catalog: CatalogService
  options: OptionsService
  health: Health
  healthOf: RouteHealth
  budgets: Pick<BudgetsService, 'spentFor'>
}

/** The order in which channels are tried, with prices and health. */
export const createRouteView = ({ catalog, options, health, healthOf, budgets }: Needs) => {
  return async (query: RouteQuery): Promise<RouteView> => {
    const snapshot = await freshSnapshot(catalog)
    const asked = routingQueryOf(query, { options, snapshot, prices: catalog.prices() })
    const spent = await budgets.spentFor(asked.model)
    const { wanted, health: now } = withBudgets(asked, health, spent)
    const levels = levelsOf(snapshot, now, wanted)
    const routes = levels.flatMap(({ entries }) => entries.map(({ route }) => route))
    const stateOf = await healthOf(routes, wanted.model)
    const leftOut = [...snapshot.routes.values()].flatMap((route) => {
      const reason = exclusionReason(route, wanted)
      const { id: channel, name, type, groups } = route
      return reason === undefined ? [] : [{ channel, name, type, reason, groups: [...groups] }]
    })
    const { RetryTimes, RetrySeconds, ModelFallbacks, RoutingPolicies } = options.values()
    const rule = ruleFor(RoutingPolicies, wanted.groups[0] ?? '', wanted.model)
    return {
      group: query.group,
      model: wanted.model,
      levels: levels.map(({ group, priority, entries }) => ({
        group,
        priority,
        channels: entries.map((entry) => ({
          channel: entry.route.id,
          name: entry.route.name,
          type: entry.route.type,
          priority,
          weight: entry.route.weight,
          share: entry.share,
          score: health.score(entry.route.id),
          reason: entry.passedOver === undefined ? null : reasonOf(entry.passedOver, entry.route),
          renewal: renewalOf(entry, spent),
          budget: spent.channels.has(entry.route.id) ? null : (spent.left.channels.get(entry.route.id) ?? null),
          price: shownPrice(catalog, entry, wanted.model),
          health: stateOf(entry.route),
          ...(entry.route.pool && { keys: entry.route.pool.keys.length }),
        })),
      })),
      spent_groups: wanted.groups.flatMap((name) => {
        const renewal = spent.groups.get(name)
        return renewal === undefined ? [] : [{ group: name, ...renewal }]
      }),
      group_budgets: wanted.groups.flatMap((name) => {
        const rest = spent.groups.has(name) ? undefined : spent.left.groups.get(name)
        return rest === undefined ? [] : [{ group: name, ...rest }]
      }),
      left_out: leftOut,
      policy: rule?.policy ?? 'in_order',
      affinity: rule?.affinity ?? false,
      others: snapshot.routes.size - routes.length - leftOut.length,
      fallbacks: ModelFallbacks.get(wanted.model)?.to ?? [],
      retries: RetryTimes,
      retry_seconds: RetrySeconds,
    }
  }
}

const renewalOf = ({ passedOver, route, group }: LevelEntry, { channels, groups }: SpentBudgets) => {
  if (passedOver === BUDGET_SPENT) return channels.get(route.id) ?? null
  return (passedOver === GROUP_BUDGET_SPENT && groups.get(group)) || null
}
