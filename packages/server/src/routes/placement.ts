import { PLACES_MAX, type Received, type RoutePlace, type routes } from '@tollgate/contract'
import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Route, routeOf, snapshotOf } from '../catalog/snapshot.ts'
import { draftMapping } from '../channels/channel-fields.ts'
import type { OptionsService } from '../options/options-service.ts'
import { levelsOf } from '../relay/levels.ts'
import { freshSnapshot } from './route-query.ts'

const NAMES_MAX = 3

/** New channels have no id; no stored channel has this one, and it sorts last among equals as they will. */
const UNSAVED = Number.MAX_SAFE_INTEGER

/** Where a channel in a form will be placed. The current health of the others does not matter. */
export const createPlacement =
  ({ catalog, options }: { catalog: CatalogService; options: OptionsService }) =>
  async ({ id = UNSAVED, model_mapping, ...fields }: Received<typeof routes.placement>['body']) => {
    const stored = await freshSnapshot(catalog)
    const draft = draftRoute({ id, mapping: draftMapping(model_mapping), ...fields })
    const policies = { rules: options.values().RoutingPolicies, prices: catalog.prices() }
    const snapshot = snapshotOf(new Map([...stored.routes, [id, draft]]))
    const pairs = [...draft.groups].flatMap((group) => [...draft.models].map((model) => ({ group, model })))
    const places = pairs.slice(0, PLACES_MAX).flatMap(({ group, model }): RoutePlace[] => {
      const wanted = {
        groups: [group],
        model,
        suits: (route: Route) => route === draft || route.provider !== undefined,
        policies,
      }
      const levels = levelsOf(snapshot, ALL_WELL, wanted)
      const at = levels.findIndex(({ entries }) => entries.some(({ route }) => route.id === id))
      const own = levels[at]?.entries.find(({ route }) => route.id === id)
      if (own === undefined) return []
      const others = (levels[at]?.entries ?? []).filter((entry) => entry !== own)
      const names = others.slice(0, NAMES_MAX).map(({ route }) => route.name)
      return [{ group, model, level: at + 1, levels: levels.length, share: own.share, beside: others.length, names }]
    })
    return { places, more: Math.max(0, pairs.length - PLACES_MAX) }
  }

const ALL_WELL = { closedBecause: () => undefined, score: () => 0 }

const draftRoute = (
  fields: Pick<Route, 'id' | 'type' | 'priority' | 'weight' | 'mapping'> & { groups: string[]; models: string[] },
) =>
  routeOf({
    ...{ name: '', status: 1, systemPrompt: '', testModel: '' },
    ...{ baseUrl: '', key: '', other: '', config: {} },
    ...fields,
  })
