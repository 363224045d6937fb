import type { Text } from '@tollgate/contract'
import type { UpstreamFailure } from '@tollgate/providers'
import type { CatalogService } from '../catalog/catalog-service.ts'
import type { Route } from '../catalog/snapshot.ts'
import type { Log } from '../common/log.ts'
import type { NotificationsService } from '../notifications/notifications-service.ts'
import type { OptionsService } from '../options/options-service.ts'
import type { Health } from '../upstream/health.ts'
import type { Lease } from '../upstream/lease.ts'
import type { ChannelsService } from './channels-service.ts'

export type FailureReaction = ReturnType<typeof createFailureReaction>

interface Needs {
  catalog: Pick<CatalogService, 'forget'>
  health: Health
  channels: ChannelsService
  options: OptionsService
  notifications: NotificationsService
  log: Log
}

/** Handles a failed call of a channel: judges it, and disables the channel if the operator allows that. */
export const createFailureReaction = ({ catalog, health, channels, options, notifications, log }: Needs) => {
  /** False when the operator does not allow it. */
  const disable = async (channel: Pick<Route, 'id' | 'name'>, reason: Text) => {
    if (!options.values().AutomaticDisableChannelEnabled) return false
    if (!(await channels.autoDisable(channel.id, reason))) return true
    catalog.forget()
    health.reset(channel.id)
    await notifications.channelChanged({ channel, change: 'disabled', reason })
    return true
  }

  return {
    disable,

    /** Runs in the background: no caller waits for it. */
    failed({ route, lease }: { route: Route; lease: Lease }, failure: UpstreamFailure) {
      const judgement = lease.failed(failure)
      if (!judgement.disable) return
      disable(route, judgement.reason).catch((error) =>
        log.error('A failing channel could not be disabled', { error, channel: route.id }),
      )
    },
  }
}
