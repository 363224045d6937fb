import type { CatalogService } from '../catalog/catalog-service.ts'
import { type Route, routeWithKey } from '../catalog/snapshot.ts'
import type { Clock } from '../common/clock.ts'
import { GatewayError } from '../common/errors.ts'
import type { ChannelsService } from './channels-service.ts'

/** The current state of a channel: an administrator who saves and tests at once must not get an outdated snapshot. */
export const freshRoute = async (
  { catalog, channels }: { catalog: CatalogService; channels: ChannelsService },
  id: number,
) => {
  await channels.get(id)
  await catalog.reload()
  const route = catalog.snapshot().routes.get(id)
  if (route === undefined) throw new GatewayError('channel.not_found')
  return route
}

/**
 * With a key: the first usable one of a pool, else one that is cooling down, else one that was set aside. Undefined when no
 * key can be decrypted.
 */
export const routeWithFirstKey = (route: Route, clock: Clock): Route | undefined => {
  if (route.pool === undefined) return route
  const { keys, spare } = route.pool
  const now = clock.now()
  const ready = keys.find(({ cooldowns }) => cooldowns.values().every((until) => until <= now))
  const key = ready ?? keys[0] ?? spare
  return key && routeWithKey(route, key)
}

/** Like `freshRoute`, for a query to its vendor. */
export const freshRouteWithKey = async (needs: Parameters<typeof freshRoute>[0] & { clock: Clock }, id: number) => {
  const route = routeWithFirstKey(await freshRoute(needs, id), needs.clock)
  if (route === undefined) throw new GatewayError('channel.no_key')
  return route
}
