import type { Received, RouteChange, routes } from '@tollgate/contract'
import type { By } from '../audit/audit-service.ts'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Snapshot } from '../catalog/snapshot.ts'
import type { ChannelOrder } from '../channels/channel-order.ts'
import { withPositions } from './changed-snapshot.ts'
import { freshSnapshot } from './route-query.ts'

interface Needs {
  catalog: CatalogService
  order: ChannelOrder
}

type Body = Received<typeof routes.change>['body']

const SHOWN_MAX = 20

/** Moves channels. A channel has one priority and one weight, so that this changes other routes too. */
export const createChangeOrder =
  ({ catalog, order }: Needs) =>
  async (by: By, body: Body): Promise<RouteChange> => {
    const elsewhere = affected(await freshSnapshot(catalog), body)
    const changed = body.preview ? await order.preview(body.changes) : await order.save(by, body.changes)
    return { changed, elsewhere: elsewhere.slice(0, SHOWN_MAX), elsewhere_count: elsewhere.length }
  }

/** Other groups and models in which the order or the shares change. */
function affected(snapshot: Snapshot, { group: ownGroup, model: ownModel, changes }: Body) {
  const after = withPositions(snapshot, changes)
  const pairs = new Map<string, { group: string; model: string }>()
  for (const { id } of changes) {
    const route = snapshot.routes.get(id)
    for (const group of route?.groups ?? []) {
      for (const model of route?.models ?? []) pairs.set(`${group}\n${model}`, { group, model })
    }
  }
  const isOwn = (group: string, model: string) => group === ownGroup && model === ownModel
  return [...pairs.values()].filter(
    ({ group, model }) => !isOwn(group, model) && orderOf(snapshot, group, model) !== orderOf(after, group, model),
  )
}

/** The order as text. The weight of a channel alone in its level does not matter, nor does the priority by itself. */
const orderOf = (snapshot: Snapshot, group: string, model: string) =>
  snapshot
    .offers(group, model)
    .map((tier) => tier.map(({ route }) => (tier.length === 1 ? route.id : `${route.id}:${route.weight}`)).join(','))
    .join(';')
