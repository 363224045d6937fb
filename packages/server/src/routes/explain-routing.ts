import type { BudgetsService } from '../budgets/budgets-service.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Route } from '../catalog/snapshot.ts'
import { type Rates, ratioText } from '../ledger/rounding.ts'
import type { OptionsService } from '../options/options-service.ts'
import { levelsOf } from '../relay/levels.ts'
import type { Health } from '../upstream/health.ts'
import { freshSnapshot, type RouteQuery, routingQueryOf, withBudgets } from './route-query.ts'

interface Needs {
  catalog: CatalogService
  health: Health
  options: OptionsService
  budgets: Pick<BudgetsService, 'spentFor'>
}

export type Explain = ReturnType<typeof createExplain>

/** A dry run of routing: which channels would be tried for a model, at what price, and which would not and why. */
export const createExplain =
  ({ catalog, health, options, budgets }: Needs) =>
  async (query: RouteQuery) => {
    const snapshot = await freshSnapshot(catalog)
    const asked = routingQueryOf(query, { options, snapshot, prices: catalog.prices() })
    const { groups, model } = asked
    const { wanted, health: now } = withBudgets(asked, health, await budgets.spentFor(model))
    const entries = levelsOf(snapshot, now, { ...wanted, suits: () => true }).flatMap((level) => level.entries)
    const considered = entries.map(({ route, group: name }) => {
      const { rates, source, tiers } = catalog.prices()(route.mapping.get(model) ?? model, route.type)
      const long = tiers.map((tier) => ({ above: tier.above, ...shown(tier.rates) }))
      const price = { source, ...shown(rates), tiers: long }
      const { id, priority, weight } = route
      return { channel: id, name: route.name, group: name, priority, weight, price }
    })
    const passedOver = new Map(entries.map((entry) => [entry.route.id, entry.passedOver]))
    const excluded = [...snapshot.routes.values()].flatMap((route) => {
      const reason = whyNot(route, model, groups) ?? passedOver.get(route.id)
      return reason === undefined ? [] : [{ channel: route.id, name: route.name, excluded: reason }]
    })
    const out = new Set(excluded.map(({ channel }) => channel))
    return { considered: considered.filter(({ channel }) => !out.has(channel)), excluded }
  }

const shown = ({ input, output }: Rates) => ({ input: ratioText(input), output: ratioText(output) })

function whyNot({ status, provider, ...route }: Route, model: string, groups: readonly string[]) {
  if (status !== 1) return status === 2 ? 'disabled by hand' : 'disabled automatically'
  if (!route.models.has(model)) return 'does not offer the model'
  if (!groups.some((group) => route.groups.has(group))) return 'not open to the group'
  return provider === undefined ? 'this type of channel is not supported yet' : undefined
}
