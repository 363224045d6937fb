import type { CatalogService } from '../catalog/catalog-service.ts'
import { GatewayError } from '../common/errors.ts'
import type { ChannelsService } from './channels-service.ts'

/** A channel as it is now: an administrator who saves and tests at once must not meet the one of a second ago. */
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
